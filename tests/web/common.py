"""What the browser tests share: the environment that they run in, the browser, waiting, downloads, how to skip.

A test begins with `common.enter("latest")`, which starts it again in an environment made on first use, and imports
Selenium only after that. Everything waits for something to be seen, never for a time.
"""
import contextlib
import fcntl
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data"
PROGRAM = str(pathlib.Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else ""
BUILD = pathlib.Path(PROGRAM).parents[1] if PROGRAM else ROOT / "build"
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
PATIENCE = 30  # seconds until something that does not come counts as missing; a loaded machine needs some


def skip(why):
    """For what a machine truly lacks."""
    print("SKIP:", why)
    sys.exit(77)
# What Selenium raises of an element that the page just replaced, does not have yet or has covered.
UNREADY = ("NoSuchElementException", "StaleElementReferenceException", "ElementNotInteractableException",
           "ElementClickInterceptedException")


# The environment

def python_of(name):
    """The Python of the environment that requirements_NAME.txt describes; made or made anew when it is not there as
    described. Two tests at once make it once."""
    wanted = (pathlib.Path(__file__).parent / f"requirements_{name}.txt").read_text(encoding="utf-8")
    folder = BUILD / "tests/web/environments" / name
    python, mark = folder / "bin/python", folder / "made_of.txt"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{folder}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (mark.exists() and mark.read_text(encoding="utf-8") == wanted and works(python)):
            make_environment(folder, python)
            mark.write_text(wanted, encoding="utf-8")
    return str(python)


def works(python):
    return subprocess.run([python, "-c", "import selenium, tensorboard"], capture_output=True).returncode == 0


def make_environment(folder, python):
    log = f"{folder}.log"
    requirements = pathlib.Path(__file__).parent / f"requirements_{folder.name}.txt"
    with open(log, "w", encoding="utf-8") as out:
        for command in ([sys.executable, "-m", "venv", "--clear", folder],
                        [python, "-m", "pip", "install", "--disable-pip-version-check", "--retries", "1", "--timeout", "30",
                         "-r", requirements]):
            done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=out, stderr=out, timeout=250)
            if done.returncode != 0:
                skip(f"Selenium and TensorBoard could not be installed (see {log})")


def enter(name, browser=True):
    """Goes on in the environment `name`, with the same arguments. Skips without it, or without a browser."""
    if browser and not (CHROMIUM and DRIVER):
        skip("no Chromium with its driver (Debian: chromium chromium-driver)")
    python = python_of(name)
    if os.path.realpath(sys.prefix) != os.path.realpath(pathlib.Path(python).parents[1]):
        sys.stdout.flush()
        os.execv(python, [python, "-B", *sys.argv])


def temporary_folder():
    return tempfile.TemporaryDirectory(prefix="tideline.")


# The browser

@contextlib.contextmanager
def browser(folder, *flags, width=1400, height=900):
    """Selenium's driver of a Chromium without a window that keeps its profile in `folder` and downloads to
    `folder`/downloads. It speaks to no one but the pages that it is given."""
    from selenium import webdriver
    folder = pathlib.Path(folder)
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                 "--disable-background-networking", "--disable-component-update", "--disable-extensions",
                 f"--user-data-dir={folder / 'profile'}", f"--window-size={width},{height}", *flags):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.add_experimental_option("prefs", {"download.default_directory": str(folder / "downloads"),
                                              "download.prompt_for_download": False})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path=DRIVER))
    try:
        yield driver
    finally:
        driver.quit()


def wait(what, look, patience=PATIENCE):
    """What `look()` gives as soon as it is something true; fails with `what` after `patience` seconds."""
    until, problem = time.monotonic() + patience, None
    while time.monotonic() < until:
        try:
            found = look()
            if found:
                return found
        except Exception as unready:
            if type(unready).__name__ not in UNREADY:
                raise
            problem = unready
        time.sleep(0.02)
    raise AssertionError(f"waited {patience} s for: {what}" + (f" ({str(problem)[:300]})" if problem else ""))


def find(driver, css):
    """The element that `css` selects, once it is there and shown."""
    from selenium.webdriver.common.by import By

    def look():
        element = driver.find_element(By.CSS_SELECTOR, css)
        return element if element.is_displayed() else None
    return wait(f"{css} is shown", look)


def downloaded(folder, name):
    """The content of the download `name`, when it is complete."""
    path = pathlib.Path(folder) / "downloads" / name
    wait(f"{path.name} is downloaded", lambda: path.exists() and not list(path.parent.glob("*.crdownload")))
    return path.read_bytes()


def complaints(driver):
    """What the browser's console has said since the last call: warnings, errors, refusals by the security policy."""
    return [entry["message"] for entry in driver.get_log("browser") if entry["level"] in ("WARNING", "SEVERE")]


def accessibility_faults(driver, *impacts):
    """What axe finds in the frame that the driver is in, of these impacts (serious and critical without any), as lines
    `RULE: ELEMENT`."""
    import axe_core_python
    source = (pathlib.Path(axe_core_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
    driver.execute_script(source)
    found = driver.execute_async_script("axe.run(document).then(arguments[0])")
    return [f"{rule['id']}: {node['html'][:200]}" for rule in found["violations"]
            if rule["impact"] in (impacts or ("serious", "critical")) for node in rule["nodes"]]
