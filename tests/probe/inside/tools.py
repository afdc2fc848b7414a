"""An MCP server over stdio with one tool, `touch`: it makes the file that its `name` says, in the folder given."""

import json
import sys
from pathlib import Path
from typing import Any


def answer(message: dict[str, Any], folder: Path) -> dict[str, Any] | None:
    method, given = message.get("method"), message.get("params") or {}
    if method == "initialize":
        return {
            "protocolVersion": given.get("protocolVersion", "2024-11-05"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "probe", "version": "1"},
        }
    if method == "tools/list":
        schema = {"type": "object", "properties": {"name": {"type": "string"}}}
        return {"tools": [{"name": "touch", "description": "touch", "inputSchema": schema}]}
    if method == "tools/call":
        (folder / str(given.get("arguments", {}).get("name"))).write_text("x", "utf-8")
        return {"content": [{"type": "text", "text": "{}"}]}
    return {} if "id" in message else None


for line in sys.stdin:
    received = json.loads(line)
    result = answer(received, Path(sys.argv[1]))
    if result is not None and "id" in received:
        print(json.dumps({"jsonrpc": "2.0", "id": received["id"], "result": result}), flush=True)
