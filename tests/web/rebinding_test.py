#!/usr/bin/env python3
"""A page of another server reads nothing of `tideline serve` and opens nothing, in a real browser on the same machine, even if it
knows the token: neither across origins (fetch, form, script, style sheet, font, frame, window) nor by DNS rebinding, where
the name of the page comes to mean this machine. The same requests succeed from the program's own page, from the rebound one
when --allow-host names it, and with a server that lets everybody read: so the test would see what is read."""
import contextlib
import http.server
import json
import socket
import sys
import threading
import urllib.error
import urllib.request

import common
from serve_door import served

GRAPH = common.ROOT / "assets/samples/tutorial_mnist.meta"
WISH = json.dumps({"source": {"path": str(GRAPH)}, "more": "="})  # opens the graph; may be the text of a form
FONT_FILE = common.ROOT / "app/web/front/dejavu.woff2"
NAME = "evil.test"  # the browser takes every *.test for this machine
WEATHER = "<!doctype html><html lang='en'><title>Weather</title><p>It rains."
WORDS = ("tideline", "may_write", "mnist")  # of what the program answers

# What requests give: `rejected`, or type, status and text of the answer.
REQUESTS = """
const [base, requests, done] = arguments;
const ask = ([, path, options]) => fetch(base + path, options)
  .then(async (answer) => ({type: answer.type, status: answer.status, text: await answer.text()}), () => 'rejected');
Promise.all(requests.map(ask)).then((answers) => done(Object.fromEntries(answers.map((it, i) => [requests[i][0], it]))));
"""
# Which elements are loaded. Of a frame that says nothing: what is in it has to be looked at.
ELEMENTS = """
const [base, elements, done] = arguments;
Promise.all(elements.map(([tag, attribute, path, more]) => new Promise((resolve) => {
  const it = Object.assign(document.createElement(tag), more);
  it.onload = () => resolve('loaded');
  it.onerror = () => resolve('refused');
  it[attribute] = base + path;
  document.body.append(it);
}))).then(done);
"""
ELEMENTS_OF = {"script": ("script", "src", "front/main.js", {}), "module": ("script", "src", "front/main.js", {"type": "module"}),
               "style sheet": ("link", "href", "front/style.css", {"rel": "stylesheet"}),
               "page in a frame": ("iframe", "src", "", {}), "answer in a frame": ("iframe", "src", "api/v1/about", {})}
FONT = """
const [base, done] = arguments;
new FontFace('theirs', `url(${base}front/dejavu.woff2)`).load().then(() => done('loaded'), () => done('refused'));
"""
# Posts a form with the body `text` into a frame. Its one field gives NAME=VALUE, so the text has one `=`.
FORM = """
const [address, text, done] = arguments, form = document.createElement('form');
const frame = Object.assign(document.createElement('iframe'), {name: 'posted', onload: () => frame.isSent && done(true)});
const field = document.createElement('input');
[field.name, field.value] = text.split('=');
Object.assign(form, {method: 'post', enctype: 'text/plain', target: 'posted', action: address});
form.append(field);
document.body.append(frame, form);
frame.isSent = true;
form.submit();
"""
# What a page sees of a window that it opened: that it is closed (cut off), or its text or the error of reading that.
WINDOW = """
const [address, done] = arguments, opened = window.open(address);
const text = () => { try { return opened.closed ? 'closed' : opened.document.body?.textContent ?? ''; } catch (error) { return error.name; } };
(function look() { text() ? done(text()) : setTimeout(look, 20); })();
"""


@contextlib.contextmanager
def foreign_server(page=WEATHER, pages=(), **fields):
    """The port of a server with one page, everywhere but for `pages` by their paths, and the font of the program's page."""
    types = {"css": "text/css", "js": "text/javascript", "woff2": "font/woff2"}

    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self):
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.send_response(200)
            suffix = self.path.rpartition(".")[2]
            self.send_header("Content-Type", types.get(suffix, "text/html"))
            for name, value in fields.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            shown = pages[self.path] if self.path in pages else page
            self.wfile.write(FONT_FILE.read_bytes() if suffix == "woff2" else shown.encode())

        do_GET = do_POST = do_OPTIONS = answer

        def log_message(self, *_):
            pass

    class Server(http.server.ThreadingHTTPServer):
        def __init__(self, *arguments):
            self.connections = []
            super().__init__(*arguments)

        def get_request(self):
            self.connections.append(accepted := super().get_request())
            return accepted

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
        for connection, _ in server.connections:  # the browser also opens some that it may need later
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


def requests_with(token, **options):
    """(name, path, options) of requests without a token, with a guessed one and with `token`; the last ones open a graph."""
    ways = {"no token": {}, "a guess": {"Authorization": "Bearer " + "0" * 64}, "the token": {"Authorization": f"Bearer {token}"}}
    asked = [(f"{path}, {way}", path, {**options, "headers": headers}) for way, headers in ways.items()
             for path in ("api/v1/about", "api/v1/sources", "front/index.html", "front/main.js", "")]
    return asked + [(f"open, {way}", "api/v1/sessions", {**options, "method": "POST", "body": WISH, "headers": headers})
                    for way, headers in ways.items()]


def asked(driver, base, requests):
    answers = driver.execute_async_script(REQUESTS, base, requests)
    assert len(answers) == 18, list(answers)
    return answers


def words_in(text):
    return [word for word in WORDS if word in text.lower()]


def ask(base, token, path, body=None):
    request = urllib.request.Request(base + "api/v1/" + path, body and body.encode(), {"Authorization": f"Bearer {token}"})
    return json.loads(urllib.request.urlopen(request, timeout=common.PATIENCE).read())


def a_session(base, token):
    return ask(base, token, "sessions", WISH)["id"]


def no_session_was_made(base, token, mine):
    """The program was started for one session: any other would have taken the place of `mine`."""
    assert "revision" in ask(base, token, f"sessions/{mine}/state")
    a_session(base, token)
    try:
        ask(base, token, f"sessions/{mine}/state")
        raise AssertionError("another session takes no place")
    except urllib.error.HTTPError as refusal:
        assert refusal.code == 404, refusal


# What another page gets

def frames_that_tell(driver):
    """How many frames have words of the program. Selenium can look into them, although the page cannot."""
    told = 0
    for frame in driver.find_elements("tag name", "iframe"):
        driver.switch_to.frame(frame)
        told += bool(words_in(driver.find_element("tag name", "body").text))
        driver.switch_to.default_content()
    return told


def what_a_foreign_page_gets(driver, page, base, token):
    """The ways by which the page at `page` gets something from the server at `base`."""
    driver.get(page)
    assert driver.title == "Weather"
    got = set()
    for mode in ("cors", "no-cors"):
        for answer in asked(driver, base, requests_with(token, mode=mode)).values():
            if answer != "rejected" and answer["type"] != "opaque":
                got.add("answer to " + mode)
            elif answer != "rejected" and (answer["status"] or answer["text"]):
                got.add("what is opaque")
    states = driver.execute_async_script(ELEMENTS, base, list(ELEMENTS_OF.values()))
    got |= {name for name, state in zip(ELEMENTS_OF, states) if state == "loaded" and "frame" not in name}
    if driver.execute_async_script(FONT, base) == "loaded":
        got.add("font")
    driver.execute_async_script(FORM, base + "api/v1/sessions", WISH)
    assert len(driver.find_elements("tag name", "iframe")) == 3
    if told := frames_that_tell(driver):
        got.add(f"{told} frames")
    before = driver.window_handles
    seen = driver.execute_async_script(WINDOW, base)
    assert seen in ("closed", "SecurityError"), seen
    for window in set(driver.window_handles) - set(before):
        driver.switch_to.window(window)
        driver.close()
    driver.switch_to.window(before[0])
    return got


def a_foreign_page_gets_nothing(driver):
    """Of another name, and of this machine on another port: then the browser says that it is the same site."""
    with foreign_server() as port, served(GRAPH, "--sessions", 1) as (address, _):
        base, token = address.split("#token=")
        mine = a_session(base, token)
        for host in (NAME, "127.0.0.1"):
            driver.get_log("browser")
            got = what_a_foreign_page_gets(driver, f"http://{host}:{port}/", base, token)
            assert got == set(), (host, got)
            said = common.complaints(driver)
            assert sum("frame-ancestors" in line for line in said) == 3, said  # two frames and the form had an answer
            # Of a frame of another site the console does not tell the status.
            assert host == NAME or any("status of 403" in line for line in said), said
        no_session_was_made(base, token, mine)


def a_careless_server_would_give_everything(driver):
    page = "/* Tideline */"  # a page, a style sheet and a script
    fields = {"Access_Control_Allow_Origin": "*", "Access_Control_Allow_Headers": "Authorization"}
    with foreign_server() as port, foreign_server(page, **fields) as careless:
        got = what_a_foreign_page_gets(driver, f"http://{NAME}:{port}/", f"http://127.0.0.1:{careless}/", "")
        assert got == {"answer to cors", "style sheet", "script", "module", "font", "3 frames"}, got


# What a page gets whose name comes to mean the program

def a_name_that_means_this_machine_gets_nothing(driver, port):
    """Opened in the address bar: the very first request has the wrong Host."""
    driver.get(f"http://{NAME}:{port}/")
    status = driver.execute_script("return performance.getEntriesByType('navigation')[0].responseStatus")
    text = driver.find_element("tag name", "body").text
    assert status == 421 and "wrong_host" in text and not words_in(driver.page_source), (status, text)


def is_refused(answers):
    for name, answer in answers.items():
        assert answer["status"] == 421 and "wrong_host" in answer["text"] and not words_in(answer["text"]), (name, answer)


def is_read(answers):
    """As by the program's own page: the page's files, and with the token all the rest."""
    for name, answer in answers.items():
        needs_token, has_token = name.startswith(("api", "open")), name.endswith("the token")
        expected = 401 if needs_token and not has_token else 201 if name.startswith("open") else 200
        assert answer["status"] == expected, (name, answer)
    assert "may_write" in answers["api/v1/about, the token"]["text"] and "mnist" in answers["api/v1/sources, the token"]["text"]
    assert "<title>Tideline" in answers[", no token"]["text"]


def a_rebound_page_gets_nothing(driver):
    """The page comes from the attacker's server; then the program has the port, as it would have after rebinding."""
    with foreign_server() as port:
        driver.get(f"http://{NAME}:{port}/")
    assert driver.title == "Weather"
    with served(GRAPH, "--port", port, "--sessions", 1) as (address, _):
        base, token = address.split("#token=")
        mine = a_session(base, token)
        assert f":{port}/" in base, base
        is_refused(asked(driver, "/", requests_with(token)))
        states = driver.execute_async_script(ELEMENTS, "/", list(ELEMENTS_OF.values()))
        assert states[:3] == ["refused"] * 3 and driver.execute_async_script(FONT, "/") == "refused" and frames_that_tell(driver) == 0, states
        driver.execute_async_script(FORM, "/api/v1/sessions", WISH)
        assert frames_that_tell(driver) == 0
        no_session_was_made(base, token, mine)
    with served(GRAPH, "--port", port, "--allow-host", NAME) as (address, _):
        is_read(asked(driver, "/", requests_with(address.split("#token=")[1])))
    with served(GRAPH, "--port", port) as (address, _):
        a_name_that_means_this_machine_gets_nothing(driver, port)


def its_own_page_reads(driver):
    with served(GRAPH) as (address, _):
        base, token = address.split("#token=")
        driver.get(address)
        common.find(driver, "#result .headline")
        is_read(asked(driver, base, requests_with(token)))


def main():
    common.enter("latest")
    with common.temporary_folder() as name, common.browser(name, "--host-resolver-rules=MAP *.test 127.0.0.1") as driver:
        driver.set_script_timeout(common.PATIENCE)
        a_foreign_page_gets_nothing(driver)
        a_careless_server_would_give_everything(driver)
        a_rebound_page_gets_nothing(driver)
        its_own_page_reads(driver)


if __name__ == "__main__":
    sys.exit(main())
