"""Headless Chromium, driven through a pair of pipes: no socket, no driver, nothing kept.

The protocol is described at https://chromedevtools.github.io/devtools-protocol/; messages end in a zero byte.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
PATIENCE = 60.0


def chromium() -> str:
    """Return the path of Chromium. Fails where there is none: a test that looks at the page is never skipped."""
    named = os.environ.get("DRIFTGATE_CHROMIUM")
    found = named or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        raise AssertionError(
            f"no Chromium found (looked for {', '.join(NAMES)}); install it, e.g. apt install chromium"
        )
    return found


class Browser:
    """One Chromium with one page."""

    def __init__(self, profile: Path) -> None:
        ours, theirs = os.pipe(), os.pipe()
        # Chromium reads commands from descriptor 3 and writes answers to 4; the shell puts ours there.
        script = f'exec "$@" 3<&{ours[0]} 4>&{theirs[1]}'
        command = ["bash", "-c", script, "bash", chromium(), *FLAGS, f"--user-data-dir={profile}", "about:blank"]
        self._process = subprocess.Popen(
            command, pass_fds=(ours[0], theirs[1]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(ours[0])
        os.close(theirs[1])
        self._write, self._read = ours[1], theirs[0]
        self._rest = b""
        self._count = 0
        self.events: list[dict[str, Any]] = []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log", "Accessibility"):
            self.do(f"{domain}.enable")

    def close(self) -> None:
        """End the process that was started here."""
        os.close(self._write)
        self._process.terminate()
        self._process.wait(20)
        os.close(self._read)

    def do(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the page's session and return its result."""
        return self._call(method, self._session, **parameters)

    def _call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        self._count += 1
        message: dict[str, Any] = {"id": self._count, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._count:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def _next(self) -> dict[str, Any]:
        until = time.monotonic() + PATIENCE
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._read], [], [], max(0.0, until - time.monotonic()))
            piece = os.read(self._read, 1 << 16) if ready else b""
            if not piece:
                raise AssertionError(f"Chromium is gone or silent (code {self._process.poll()})")
            self._rest += piece
        text, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        return message

    def open(self, path: Path, *, width: int, height: int = 900, dark: bool = False, media: str = "screen") -> None:
        """Show a file at this width in CSS pixels, in the light or the dark scheme."""
        self.do(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500
        )
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.do("Emulation.setEmulatedMedia", media=media, features=features)
        self.events.clear()
        self.do("Page.navigate", url=path.resolve().as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._next())

    def run(self, script: str) -> Any:
        """Return the value of a JavaScript expression in the page."""
        answer = self.do("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise AssertionError(json.dumps(answer["exceptionDetails"])[:500])
        return answer["result"].get("value")

    def key(self, key: str, text: str = "") -> None:
        """Press and release a key."""
        codes = {"Tab": 9, "Enter": 13, "Escape": 27}
        common = {"key": key, "windowsVirtualKeyCode": codes.get(key, ord(key[0].upper())), "text": text}
        self.do("Input.dispatchKeyEvent", type="keyDown", **common)
        self.do("Input.dispatchKeyEvent", type="keyUp", **common)

    def picture(self, *, top: int = 0, height: int | None = None) -> bytes:
        """Return a PNG of the page from `top` on."""
        size = self.do("Page.getLayoutMetrics")["cssContentSize"]
        clip = {
            "x": 0,
            "y": top,
            "width": size["width"],
            "height": min(height or size["height"], size["height"] - top),
            "scale": 1,
        }
        answer = self.do("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)
        return base64.b64decode(answer["data"])

    def tree(self) -> list[dict[str, Any]]:
        """Return the nodes of the accessibility tree that are not ignored."""
        nodes = self.do("Accessibility.getFullAXTree")["nodes"]
        return [node for node in nodes if not node.get("ignored")]
