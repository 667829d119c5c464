"""Firefox by WebDriver BiDi, without geckodriver, which Debian does not have: the commands of
https://w3c.github.io/webdriver-bidi/ over the WebSocket that Firefox offers itself."""
import json
import re
import shutil
import subprocess

import common

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
# Nothing but the pages that it is given.
SETTINGS = {"app.update.disabledForTesting": True, "browser.shell.checkDefaultBrowser": False, "datareporting.policy.dataSubmissionEnabled":
            False, "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
            "browser.safebrowsing.update.enabled": False, "extensions.update.enabled": False, "services.settings.server": "",
            "toolkit.telemetry.server": ""}


class Firefox:
    """One tab. Use as a context."""

    def __init__(self, folder):
        self.profile = folder / "firefox"
        self.profile.mkdir()
        (self.profile / "user.js").write_text("".join(f"user_pref({json.dumps(key)}, {json.dumps(value)});\n"
                                                      for key, value in SETTINGS.items()), encoding="utf-8")
        self.log = folder / "firefox.log"
        self.number = 0

    def __enter__(self):
        import websocket
        with open(self.log, "w", encoding="utf-8") as out:
            self.process = subprocess.Popen([FIREFOX, "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile",
                                             self.profile], stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        try:
            address = common.wait("Firefox listens", self._address, patience=90)
            self.socket = websocket.create_connection(address + "/session", timeout=60, suppress_origin=True)
            self.version = self.ask("session.new", capabilities={})["capabilities"]["browserVersion"]
            self.tab = self.ask("browsingContext.getTree")["contexts"][0]["context"]
            return self
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=30)

    def _address(self):
        assert self.process.poll() is None, self.log.read_text(encoding="utf-8")[-2000:]
        found = re.search(r"WebDriver BiDi listening on (ws://\S+)", self.log.read_text(encoding="utf-8"))
        return found and found[1]

    def ask(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            said = json.loads(self.socket.recv())
            if said.get("id") == self.number:
                assert said["type"] == "success", f"{method}: {said.get('error')}: {said.get('message')}"
                return said["result"]

    def open(self, url):
        self.ask("browsingContext.navigate", context=self.tab, url=url, wait="complete")

    def enter_frame(self, part_of_url):
        """Goes on in the frame whose address has this in it."""
        def find():
            frames = self.ask("browsingContext.getTree", root=self.tab)["contexts"][0]["children"]
            return next((frame["context"] for frame in frames if part_of_url in frame["url"]), None)
        self.tab = common.wait("the frame", find)

    def size(self, width, height):
        self.ask("browsingContext.setViewport", context=self.tab, viewport={"width": width, "height": height})

    def evaluate(self, expression):
        """What a JavaScript expression, or what it promises, is as JSON."""
        said = self.ask("script.evaluate", expression=f"Promise.resolve({expression}).then((it) => JSON.stringify(it ?? null))",
                        target={"context": self.tab}, awaitPromise=True)
        assert said["type"] == "success", said["exceptionDetails"]["text"]
        return json.loads(said["result"]["value"])

    def centre_of(self, css):
        box = common.wait(f"{css} is shown", lambda: self.evaluate(
            f"(() => {{ const it = document.querySelector({json.dumps(css)}); if (!it || !it.checkVisibility()) return null;"
            "it.scrollIntoView({block: 'nearest'}); const box = it.getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]; })()"))
        return [round(value) for value in box]

    def mouse(self, *actions):
        self.ask("input.performActions", context=self.tab, actions=[
            {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": list(actions)}])

    def click(self, css):
        x, y = self.centre_of(css)
        self.mouse({"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})

    def wheel(self, css, pixels):
        x, y = self.centre_of(css)
        self.ask("input.performActions", context=self.tab, actions=[
            {"type": "wheel", "id": "wheel", "actions": [{"type": "scroll", "x": x, "y": y, "deltaX": 0, "deltaY": pixels}]}])

    def keys(self, text):
        self.ask("input.performActions", context=self.tab, actions=[{"type": "key", "id": "keys", "actions": [
            {"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]}])
