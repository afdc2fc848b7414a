"""Inside the namespace: a model of our own on loopback, and one session of the client that talks to it.

Started as `python3 session.py PLAN.json`; the plan (see `tests/probe/firing.py`) names the client's command, its
environment, the settings, the prompts and what the model answers. Writes what happened to the plan's `seen` file:
each hook of type http, prompt and agent that reached this model, as `EVENT.TYPE`. Hooks of type command write their
own files. Standard library only: it runs before anything else of the project.
"""

import json
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

MARK = re.compile(r"HOOK([A-Z]+)<(\w+)>")


class Model(BaseHTTPRequestHandler):
    """The messages API, as far as a session needs it: streamed and whole answers, by what the conversation holds."""

    plan: ClassVar[dict[str, Any]] = {}
    seen: ClassVar[set[str]] = set()
    port = 0
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path.startswith("/hook/"):
            self.seen.add(self.path.removeprefix("/hook/") + ".http")
            return self._send(b"{}", "application/json")
        if "/messages" not in self.path:
            return self._send(b"{}", "application/json")
        if "count_tokens" in self.path:
            return self._send(b'{"input_tokens": 10}', "application/json")
        request = json.loads(body)
        return self._answer(request, self._content(request))

    def do_GET(self) -> None:
        self._send(b"{}", "application/json")

    def _content(self, request: dict[str, Any]) -> dict[str, Any]:
        """The one content block that the model answers `request` with."""
        said = json.dumps([request.get("system"), request["messages"]])
        for kind, event in MARK.findall(said):
            self.seen.add(f"{event}.{kind.lower()}")
        names = [tool.get("name") for tool in request.get("tools", [])]
        if MARK.search(said):
            return self._verdict(names)
        if self.plan.get("fail"):
            raise LookupError
        if "SUBTASK" in json.dumps(request["messages"][0]) or not names:
            return {"type": "text", "text": "done"}
        done = sum(
            block.get("type") == "tool_result"
            for message in request["messages"]
            if isinstance(message["content"], list)
            for block in message["content"]
        )
        steps = [step for step in self.plan["steps"] if step["name"] in names]
        if done < len(steps):
            return {
                "type": "tool_use",
                "id": f"toolu_{done:024}",
                "name": steps[done]["name"],
                "input": steps[done]["input"],
            }
        return {"type": "text", "text": "all done"}

    def _verdict(self, names: list[Any]) -> dict[str, Any]:
        for name in names:
            if name and "Structured" in name:
                return {"type": "tool_use", "id": "toolu_" + "9" * 24, "name": name, "input": {"ok": True}}
        return {"type": "text", "text": '{"ok": true}'}

    def _answer(self, request: dict[str, Any], block: dict[str, Any]) -> None:
        reason = "tool_use" if block["type"] == "tool_use" else "end_turn"
        usage = {"input_tokens": 10, "output_tokens": 5}
        message = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": request.get("model", "m"),
            "usage": usage,
        }
        if not request.get("stream"):
            whole = message | {"content": [block], "stop_reason": reason, "stop_sequence": None}
            return self._send(json.dumps(whole).encode(), "application/json")
        if block["type"] == "text":
            empty, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            empty = block | {"input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        events: list[dict[str, Any]] = [
            {"type": "message_start", "message": message | {"content": [], "stop_reason": None, "stop_sequence": None}},
            {"type": "content_block_start", "index": 0, "content_block": empty},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {
                "type": "message_delta",
                "delta": {"stop_reason": reason, "stop_sequence": None},
                "usage": {"output_tokens": 5},
            },
            {"type": "message_stop"},
        ]
        lines = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
        return self._send(lines.encode(), "text/event-stream")

    def _send(self, body: bytes, kind: str, code: int = 200) -> None:
        self.send_response(code)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle_one_request(self) -> None:
        try:
            super().handle_one_request()
        except LookupError:  # the plan's wish: the model is out of order
            self._send(
                b'{"type":"error","error":{"type":"invalid_request_error","message":"no"}}', "application/json", 400
            )
        except OSError:
            self.close_connection = True

    def log_message(self, *args: Any) -> None:
        """Nothing: the output is the client's."""


def main(path: str) -> int:
    plan = json.loads(Path(path).read_text("utf-8"))
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    server = ThreadingHTTPServer(("127.0.0.1", plan["port"]), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    runs = []
    for run in plan["runs"]:
        Model.plan = run
        with Path(plan["log"]).open("ab") as log:
            done = subprocess.run(
                [*plan["command"], *run["arguments"]],
                env=plan["environment"],
                cwd=plan["cwd"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                timeout=plan["timeout"],
                check=False,
            )
        runs.append(done.returncode)
    Path(plan["seen"]).write_text(json.dumps({"seen": sorted(Model.seen), "codes": runs}), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
