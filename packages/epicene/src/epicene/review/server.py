"""The review as a local page: bound to this machine, opened by an address that nobody can guess, without cookies."""

from __future__ import annotations

import json
import secrets
import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from epicene.errors import EpiceneError, InputError, MissingExtraError, SystemFailure
from epicene.output.page.templating import name_inline, open_templates, read_asset
from epicene.review.session import Session
from epicene.review.store import StaleError

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

HOST = "127.0.0.1"
_LONGEST_BODY = 64 * 1024


def serve(
    folder: Path, budget: int, reviewer: str, port: int, say: Callable[[str], None], apply: Callable[[], object]
) -> None:
    """Serve the review of a run until it is stopped; ``say`` is told the address, ``apply`` writes the results."""
    try:
        import uvicorn
    except ImportError:
        raise MissingExtraError("the review", "review") from None
    session = Session(folder, budget)
    listener = _listener(port)
    token = secrets.token_urlsafe(24)
    authority = f"{HOST}:{listener.getsockname()[1]}"
    app = build(session, token, authority, apply)
    # No access log: the address in it is the key.
    config = uvicorn.Config(app, log_level="warning", access_log=False, lifespan="off", proxy_headers=False)
    server = uvicorn.Server(config)
    say(f"http://{authority}/{token}/?as={quote(reviewer)}")
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        pass  # how a review ends
    finally:
        listener.close()
        session.decisions.close()


def _listener(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen()  # so that the address can be opened as soon as it is said
    except OSError as error:
        listener.close()
        raise SystemFailure(f"cannot listen on {HOST}:{port}: {error.strerror}; choose another --port") from None
    return listener


def build(session: Session, token: str, authority: str, apply: Callable[[], object]) -> Starlette:
    """The application: a page, its state, and what can be done; every answer comes after the disk has it."""
    from starlette.applications import Starlette
    from starlette.middleware import Middleware
    from starlette.responses import HTMLResponse
    from starlette.routing import Route

    style, script = (read_asset("epicene.review", name) for name in ("review.css", "review.js"))
    page = (
        open_templates("epicene.review")
        .get_template("review.html")
        .render(style=style, script=script, run=session.folder.resolve().name, budget=session.planned)
    )

    async def show(request: Request) -> Response:  # noqa: ARG001
        return HTMLResponse(page)

    def see(reviewer: str, settling: bool, number: int | None = None) -> dict[str, Any]:
        return session.adjudication(reviewer) if settling else session.state(reviewer, number)

    def ask(body: dict[str, Any]) -> dict[str, Any]:
        number = body.get("number", "")
        index = int(number) if number.isdecimal() and len(number) < 10 else None
        return see(body.get("as", ""), "adjudicate" in body, index)

    def decide(body: dict[str, Any]) -> dict[str, Any]:
        who, settling = _take_text(body, "as"), body.get("adjudicate") is True
        version = None if body.get("version") is None else _take_number(body, "version")
        comment = _take_text(body, "comment")
        try:
            session.decide(who, _take_number(body, "number"), body.get("gender"), comment, version, settling)
        except StaleError as error:
            return {**see(who, settling), "stale": str(error)}
        return see(who, settling)

    def undo(body: dict[str, Any]) -> dict[str, Any]:
        who = _take_text(body, "as")
        comment = session.undo(who)
        return {**see(who, body.get("adjudicate") is True), "undone": comment is not None, "comment": comment or ""}

    def finish(_: dict[str, Any]) -> dict[str, Any]:
        apply()
        return {"written": True}

    routes = [
        Route("/{token}/", show),
        Route("/{token}/state", partial(_answer, ask)),
        *(
            Route(f"/{{token}}/{act.__name__}", partial(_answer, act), methods=["POST"])
            for act in (decide, undo, finish)
        ),
    ]
    sources = {"script-src": name_inline(script), "style-src": name_inline(style)}
    return Starlette(routes=routes, middleware=[Middleware(Guard, token=token, authority=authority, sources=sources)])


async def _answer(act: Callable[[dict[str, Any]], dict[str, Any]], request: Request) -> Response:
    """What an action says to what the page sent, or one line that says why it is refused."""
    from starlette.responses import JSONResponse

    try:
        answer = act(await _read_body(request) if request.method == "POST" else dict(request.query_params))
        return JSONResponse(answer, status_code=409 if "stale" in answer else 200)
    except EpiceneError as error:
        return JSONResponse({"error": str(error)}, status_code=400 if error.exit_code == 2 else 500)


async def _read_body(request: Request) -> dict[str, Any]:
    """The body of a request as an object."""
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > _LONGEST_BODY:
            raise InputError(f"more than {_LONGEST_BODY} bytes were sent")
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise InputError("what was sent is no JSON object")
    return body


def _take_number(body: dict[str, Any], name: str) -> int:
    number = body.get(name)
    if not isinstance(number, int) or isinstance(number, bool):
        what = "sentence" if name == "number" else name
        raise InputError(f"{what} {number!r}; expected its number")
    return number


def _take_text(body: dict[str, Any], name: str) -> str:
    text = body.get(name, "")
    if not isinstance(text, str):
        raise InputError(f"{name} {text!r}; expected a text")
    return text


class Guard:
    """Lets through only what the review's own page asks for, and tells the browser to trust nothing else."""

    def __init__(self, app: ASGIApp, token: str, authority: str, sources: dict[str, str]) -> None:
        self._app, self._token = app, token
        self._hosts = {authority, f"localhost:{authority.rpartition(':')[2]}"}
        policy = "; ".join(
            (
                "default-src 'none'",
                *(f"{kind} {source}" for kind, source in sources.items()),
                "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            )
        )
        self._headers = [
            (b"content-security-policy", policy.encode()),
            (b"cache-control", b"no-store"),
            (b"referrer-policy", b"no-referrer"),
            (b"x-content-type-options", b"nosniff"),
            (b"cross-origin-resource-policy", b"same-origin"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 403 to another host, which may be a name made to point here, and to another origin; 404 to guesses."""
        if scope["type"] != "http":
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}

        async def sent(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *self._headers]
            await send(message)

        from starlette.responses import PlainTextResponse

        if not self._trusted(scope["method"], headers):
            await PlainTextResponse("not for this host or origin", status_code=403)(scope, receive, sent)
        elif not secrets.compare_digest(scope["path"].split("/")[1].encode(), self._token.encode()):
            await PlainTextResponse("no such review; open the address that it printed", status_code=404)(
                scope, receive, sent
            )
        else:
            await self._app(scope, receive, sent)

    def _trusted(self, method: str, headers: dict[str, str]) -> bool:
        host, origin = headers.get("host", ""), headers.get("origin")
        if host not in self._hosts:
            return False
        if method in ("GET", "HEAD") and origin is None:
            return True
        return origin == f"http://{host}"
