"""The tab: flags, routes below data/plugin/tideline/, and what may pass. TensorBoard has no token and does not look at Host,
so nothing but listed runs, what-ifs and downloads is reachable here; writing needs --tideline_write_dir and a browser on this
machine. Bodies pass as they are; of headers only what describes a body."""
import json
import os
import pathlib
import re

from tensorboard import errors
from tensorboard.plugins import base_plugin
from werkzeug import wrappers

from . import sources
from .program import Program, Refused, answers

BODY_LIMIT = 64 * 1024
PAGE = re.compile(r"[\w-]+(\.[\w-]+)+")
API = re.compile(r"v1/(sessions/[\w-]+(/[a-z]+)?|files/[\w-]+)")
NEAR_HOST, NEAR = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?"), ("127.0.0.1", "::1", "::ffff:127.0.0.1")
BACK = ("Content-Type", "Content-Length", "Content-Encoding", "Content-Disposition", "Content-Security-Policy", "Cache-Control")
SAFE = {"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"}


class Loader(base_plugin.TBLoader):
    def define_flags(self, parser):
        group = parser.add_argument_group("tideline")
        group.add_argument("--tideline_program", metavar="PATH", default="",
                           help="The program `tideline` behind the tab; without it the one in the package, or on PATH.")
        group.add_argument("--tideline_write_dir", metavar="DIR", default="",
                           help="A folder that browsers on this machine may write to; without it, files are only downloaded.")

    def load(self, context):
        return Tideline(context)


class Tideline(base_plugin.TBPlugin):
    plugin_name = "tideline"

    def __init__(self, context):
        chosen, write = (getattr(context.flags, "tideline_" + name, "") for name in ("program", "write_dir"))
        self._sources = known = sources.Sources(context.data_provider, context.flags)
        self._reads = Program(chosen, known.options)
        self._writes = Program(chosen, lambda: [*known.options(), "--write", os.path.abspath(write)]) if write else None

    def is_active(self):
        return False  # TensorBoard looks for data of data_plugin_names by itself

    def data_plugin_names(self):
        return tuple(sources.KINDS)

    def frontend_metadata(self):
        return base_plugin.FrontendMetadata(es_module_path="/index.js", tab_name="Tideline", disable_reload=True)

    def get_plugin_apps(self):
        return {"/index.js": app(self._index), "/about": app(self._about), "/sources": app(self._list),
                "/open": app(self._open, "POST"), "/page/*": app(lambda asked: self._pass(asked, "page", PAGE, "/front/")),
                "/api/*": app(lambda asked: self._pass(asked, "api", API, "/api/"), "GET", "POST", "DELETE")}

    def _index(self, request):
        return answer(200, (pathlib.Path(__file__).parent / "index.js").read_bytes(), "text/javascript")

    def _about(self, request):
        return answer(200, {**self._asker(request)("GET", "/api/v1/about"), "plugin": True})

    def _list(self, request):
        return answer(200, self._sources.list(request.environ, self._asker(request)))

    def _open(self, request):
        try:
            wish = json.loads(body_of(request))
            source, trace = sources.key_of(wish["source"]), wish.get("trace") and sources.key_of(wish["trace"])
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise Refused("expected an object with source, and perhaps trace and resume", 400, "invalid_argument") from None
        environ, ask = request.environ, self._asker(request)
        found = {"source": self._sources.resolve(environ, ask, "graphs", source), "resume": wish.get("resume") or []}
        trace = trace or self._sources.measured(source)
        if trace:
            found["trace"] = self._sources.resolve(environ, ask, "traces", trace)
        return answer(201, ask("POST", "/api/v1/sessions", json.dumps(found).encode()))

    def _pass(self, request, route, allowed, to):
        name, query = request.path.partition(f"/{self.plugin_name}/{route}/")[2], request.query_string.decode("latin-1")
        if not allowed.fullmatch(name) or not re.fullmatch("[!-~]*", query):
            raise Refused(f"no such address: {name[:100]}", 404, "not_found")
        headers = {"Accept-Encoding": request.headers.get("Accept-Encoding", "identity"), "Content-Type": request.content_type}
        connection, got = self._behind(request).ask(request.method, to + name + "?" * bool(query) + query,
                                                    {key: value for key, value in headers.items() if value}, body_of(request))
        back = {key: got.headers[key] for key in BACK if key in got.headers}
        return wrappers.Response(pieces(connection, got), got.status, {"Content-Type": "application/json", **back, **SAFE})

    def _asker(self, request):
        """A function that asks the program and gives its JSON; what the program refuses, the tab refuses in its words."""
        def ask(method, path, body=None):
            connection, got = self._behind(request).ask(method, path, {"Content-Type": "application/json"} if body else {}, body)
            with answers():
                said = dict(json.loads(b"".join(pieces(connection, got))))
                refused = (str(said["error"]["message"]), got.status, str(said["error"]["code"])) if got.status >= 400 else ()
            if refused:
                raise Refused(*refused)
            return said
        return ask

    def _behind(self, request):
        """Who is not on this machine gets a program that cannot write."""
        near = NEAR_HOST.fullmatch(request.host) and request.remote_addr in NEAR
        return self._writes if self._writes and near else self._reads


def app(work, *methods):
    """`work` as a WSGI application that answers `methods` (GET without any) and words errors as the program does."""
    @wrappers.Request.application
    def respond(request):
        try:
            check(request, methods or ("GET",))
            return work(request)
        except Refused as refusal:
            return answer(refusal.status, {"error": {"code": refusal.code, "message": str(refusal)}})
        except errors.PublicError as refusal:  # the data provider's
            return answer(refusal.http_code, {"error": {"code": "not_found", "message": str(refusal)}})
    return respond


def check(request, methods):
    """A page of another site can make a browser ask us, but not with these headers."""
    if request.method not in methods:
        raise Refused(f"expected {' or '.join(methods)}", 405, "invalid_argument")
    is_ours = request.headers.get("X-Tideline") == "1" and request.headers.get("Origin", "").partition("://")[2] == request.host
    if request.headers.get("Sec-Fetch-Site") == "cross-site" or (request.method != "GET" and not is_ours):
        raise Refused("expected X-Tideline: 1, as Origin the Host, and no page of another site", 403, "forbidden")
    if request.method == "POST" and request.mimetype != "application/json":
        raise Refused("expected application/json", 415, "invalid_argument")


def body_of(request):
    if request.method != "POST":
        return None
    if request.content_length is None:
        raise Refused("expected Content-Length", 411, "invalid_argument")
    if request.content_length > BODY_LIMIT:
        raise Refused(f"expected at most {BODY_LIMIT} bytes", 413, "over_budget")
    return request.stream.read(request.content_length)


def pieces(connection, got):
    """The body as it comes."""
    try:
        while piece := got.read1(BODY_LIMIT):
            yield piece
    finally:
        connection.close()


def answer(status, content, kind="application/json"):
    said = content if isinstance(content, bytes) else json.dumps(content)
    return wrappers.Response(said, status, {"Cache-Control": "no-store", **SAFE}, content_type=kind)
