"""What a user does with the page, by mouse and keys: for the tests of both doors."""
import common


class Page:
    """`driver` is in the frame of the page."""

    def __init__(self, driver):
        self.driver = driver

    def one(self, css):
        return common.find(self.driver, css)

    def text(self, css):
        return self.one(css).text

    def js(self, expression, *arguments):
        return self.driver.execute_script("return " + expression, *arguments)

    def settled(self):
        """Waits until a graph is open, no plan is being made and both charts show the newest state."""
        common.wait("a settled page", lambda: self.js(
            "document.querySelector('#result .headline')?.textContent && !document.querySelector('.headline').textContent.includes('…')"
            " && document.getElementById('progress').hidden"
            " && [...document.querySelectorAll('.chart')].every((chart) => !chart.offsetParent || chart.dataset.shown)"))

    def until(self, what, css, fits):
        """The text of `css` once `fits(text)`."""
        return common.wait(what, lambda: (lambda text: text if fits(text) else None)(self.text(css)))

    def actions(self):
        from selenium.webdriver.common.action_chains import ActionChains
        return ActionChains(self.driver)

    def press(self, key, *held):
        chain = self.actions()
        for name in held:
            chain.key_down(name)
        chain.send_keys(key)
        for name in held:
            chain.key_up(name)
        chain.perform()

    def choose(self, css, value):
        from selenium.webdriver.support.select import Select
        Select(self.one(css)).select_by_value(value)

    def drag_slider(self, name, across_px):
        """Drags the knob in small steps, as a hand does, and gives the value that it stands at."""
        slider = self.one(f"#control-{name}")
        where = self.js("(({min, max, value, offsetWidth}) => (value - min) / (max - min) * (offsetWidth - 16) + 8 - offsetWidth / 2)(arguments[0])", slider)
        chain = self.actions().move_to_element_with_offset(slider, round(where), 0).click_and_hold()
        for _ in range(8):
            chain.move_by_offset(across_px // 8, 0)
        chain.release().perform()
        return self.one(f"#control-{name} + .shown").get_attribute("value")

    def tick(self, label):
        self.one(f"[aria-label='{label}']").click()

    def shown(self, chart):
        """Revision, first and span of the picture that a chart has."""
        return self.one(f"#{chart}").get_attribute("data-shown")

    def wheel(self, chart, down_px, across_share=0.5):
        from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
        box = self.one(f"#{chart}")
        origin = ScrollOrigin.from_element(box, round(box.size["width"] * (across_share - 0.5)), 0)
        self.actions().scroll_from_origin(origin, 0, down_px).perform()

    def colours(self, chart):
        """How many colours the canvas of a chart has."""
        return self.js("""((canvas) => {
          const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {willReadFrequently: true});
          copy.drawImage(canvas, 0, 0);
          return new Set(new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size;
        })(document.querySelector(arguments[0]))""", f"#{chart} canvas")
