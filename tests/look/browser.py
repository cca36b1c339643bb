"""A browser without a window: headless Chromium by chromedriver, over the WebDriver protocol, with nothing but the standard library."""

import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request


def find(*names):
    for name in names:
        if path := shutil.which(name):
            return path
    raise SystemExit(f"{' or '.join(names)} is missing: Debian's packages are chromium and chromium-driver")


class Browser:
    def __init__(self):
        self.chromium = find("chromium", "chromium-browser", "google-chrome")
        self.folder = tempfile.mkdtemp()
        self.driver = subprocess.Popen([find("chromedriver"), "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        port = None
        for line in self.driver.stdout:
            if match := re.search(r"started successfully on port (\d+)", line):
                port = match.group(1)
                break
        self.base = f"http://127.0.0.1:{port}/session"
        arguments = ["--headless=new", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={self.folder}"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        options = {"binary": self.chromium, "args": arguments}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        answer = self.ask("POST", "", {"capabilities": {"alwaysMatch": wanted}})
        self.base += "/" + answer["sessionId"]

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as e:
            raise AssertionError(json.load(e)["value"]["message"]) from None

    def open(self, path):
        self.ask("POST", "/url", {"url": "file://" + os.path.abspath(path)})

    def run(self, script, *arguments):
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def command(self, name, **parameters):
        return self.ask("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def press(self, *keys):
        """Keys go to the element that has the focus."""
        codes = {"Tab": "\ue004", "Enter": "\ue007", "Space": " "}
        actions = [{"type": kind, "value": codes.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def errors(self):
        """What the console said since the last call."""
        return [entry["message"] for entry in self.ask("POST", "/se/log", {"type": "browser"})]

    def screen(self, width, scheme="light", medium="screen"):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 600)
        self.command("Emulation.setEmulatedMedia", media=medium, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, path, y=0, height=None):
        """The page from y on, or all of it."""
        size = self.command("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": y, "width": size["width"], "height": min(height or size["height"], size["height"] - y), "scale": 1}
        answer = self.command("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        with open(path, "wb") as f:
            f.write(base64.b64decode(answer["data"]))
        return size["height"]

    def print(self, path):
        answer = self.command("Page.printToPDF", printBackground=True, preferCSSPageSize=True)
        with open(path, "wb") as f:
            f.write(base64.b64decode(answer["data"]))

    def close(self):
        try:
            self.ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            shutil.rmtree(self.folder, ignore_errors=True)
