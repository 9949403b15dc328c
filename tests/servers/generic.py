"""A server of one's own: one text, many texts, and OpenNMT's way."""

from __future__ import annotations

from tests.servers.loopback import Loopback, Reply, Request


class GenericServer(Loopback):
    """Takes a bearer token."""

    def error(self, status: int, message: str) -> Reply:
        """As FastAPI has it."""
        return Reply(status, {"detail": message})

    def reply(self, request: Request) -> Reply:
        """What each address answers."""
        if self.expired or request.headers.get("Authorization") != f"Bearer {self.key}":
            return self.error(401, "Not authenticated")
        if request.method != "POST":
            return self.error(405, "Method Not Allowed")
        match request.path.split("/")[1]:
            case "translate" | "batch":
                body = request.json()
                many = isinstance(body["text"], list)
                found = self._texts(request, body["text"] if many else [body["text"]], body["target"])
                if isinstance(found, Reply):
                    return found
                return Reply(200, {"translation": found if many else found[0] if found else ""})
            case "opennmt":
                found = self._texts(request, [each["src"] for each in request.json()], "de")
                return (
                    found if isinstance(found, Reply) else Reply(200, [[{"tgt": text, "n_best": 1}] for text in found])
                )
            case "many":
                found = self._texts(request, request.json()["q"], "de")
                return found if isinstance(found, Reply) else Reply(200, {"out": [{"t": text} for text in found]})
        return self.error(404, "Not Found")

    def _texts(self, request: Request, texts: list[str], target: str) -> list[str] | Reply:
        if any("REFUSED" in text for text in texts):
            return self.error(422, "Bad text")
        if self.over_quota(texts):
            return self.error(402, "Payment Required")
        return [text for _, text in self.translated(request, texts, target)]
