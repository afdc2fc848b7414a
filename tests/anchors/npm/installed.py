"""What npm installs of each archive: asked of the npm that is here, or as recorded.

python -m tests.anchors.npm.installed            compare what npm installs with what is recorded
python -m tests.anchors.npm.installed --record   ask npm and record
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.anchors.npm.shapes import tarballs

RECORDED = Path(__file__).resolve().parents[2] / "data" / "npm-installs.json"
MIXTURES = 400
Files = dict[str, str]


def short(content: bytes) -> str:
    """Return enough of a digest to tell contents apart."""
    return hashlib.sha256(content).hexdigest()[:12]


def recorded() -> dict[str, Files | None]:
    """Return what was recorded: tarball -> path -> digest of the content, None where npm fails."""
    answers: dict[str, Files | None] = json.loads(RECORDED.read_text("utf-8"))
    return answers


def ask_npm(mixtures: int) -> dict[str, Files | None]:
    """Return what the npm that is installed here makes of every tarball."""
    modules = subprocess.run(["npm", "root", "--global"], check=True, capture_output=True, text=True).stdout.strip()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows, names = [], {}
        for index, (title, data) in enumerate(tarballs(mixtures)):
            tarball = folder / f"{index}.tgz"
            tarball.write_bytes(data)
            rows.append([str(tarball), str(folder / str(index))])
            names[tarball.name] = title
        listed = folder / "list.json"
        listed.write_text(json.dumps(rows))
        command = ["node", str(Path(__file__).with_name("install.mjs")), modules, str(listed)]
        answers = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return {
        names[tarball]: files and {path: digest[:12] for path, digest in files.items()}
        for tarball, files in answers.items()
    }


def main() -> int:
    """Record, or compare."""
    answers = ask_npm(MIXTURES)
    if "--record" in sys.argv:
        RECORDED.write_text(json.dumps(answers, indent=0, sort_keys=True, ensure_ascii=True) + "\n", "utf-8")
    different = [name for name, files in answers.items() if recorded().get(name, ()) != files]
    print(f"{len(answers)} archives, {len(different)} installed otherwise than recorded", *different, sep="\n  ")
    return bool(different)


if __name__ == "__main__":
    sys.exit(main())
