"""People who visit a served study, each with a browser of their own."""

import re
import time
from contextlib import contextmanager

from playwright.sync_api import Error

from arbitree.web.project.project import DATABASE
from arbitree.web.sessions import COOKIE, session
from arbitree.web.store import Store

PATIENCE = 15_000  # milliseconds, for a machine that does much else

# A refused choice is answered with a status of its own, of which the browser tells in the console.
_REFUSED = re.compile(r"Failed to load resource: the server responded with a status of 4\d\d")

_RECORD = """
window.violations = [];
addEventListener("securitypolicyviolation", (event) => {
  window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
  console.error(`blocked: ${event.violatedDirective} ${event.blockedURI}`);
});
"""


class Visits:
    """All visits to one served study; *wrong* holds what no page should ever do."""

    def __init__(self, browser, server):
        self.browser = browser
        self.server = server
        self.wrong = []
        self._states = {}
        self._contexts = []

    def page(self, name="Olga", role="adjudicator", **options):
        """Return an empty page of the browser of somebody who came in: the owner, or whom she added."""
        if name not in self._states:
            self._states[name] = self._signed_in(name, role)
        return self.blank(storage_state=self._states[name], **options)

    def blank(self, **options):
        """Return an empty page of the browser of somebody who is not known."""
        context = self.browser.new_context(base_url=self.server.address, **options)
        context.set_default_timeout(PATIENCE)
        if options.get("java_script_enabled", True):
            context.add_init_script(_RECORD)
        context.on("page", self._watch)
        self._contexts.append(context)
        return context.new_page()

    def _signed_in(self, name, role):
        """Return what the browser of somebody keeps who has come in; a link would take longer."""
        with Store.open(f"sqlite:///{self.server.project / DATABASE}") as store:
            person = store.owner(name) if name == "Olga" else store.add_person(name, role)
            value = session(store.secret(), person, time.time())
        about = {"domain": "127.0.0.1", "path": "/", "expires": -1, "secure": False, "sameSite": "Lax"}
        return {"cookies": [{"name": COOKIE, "value": value, "httpOnly": True, **about}], "origins": []}

    def invite(self, name, role):
        """Let the owner invite somebody, and return the link."""
        page = self.page()
        page.goto("/people")
        page.get_by_label("Name", exact=True).fill(name)
        page.locator("form.stacked select[name=role]").select_option(role)
        page.get_by_role("button", name="Create link").click()
        link = page.get_by_label("Link", exact=True).input_value()
        page.context.close()
        return link

    def leave(self):
        """Close all browsers, and return what went wrong in them."""
        for context in self._contexts:
            with quietly():
                context.close()
        self._contexts.clear()
        wrong, self.wrong = self.wrong, []
        return wrong

    def _watch(self, page):
        page.on("pageerror", lambda error: self.wrong.append(f"{page.url}: {error}"))
        page.on("console", lambda message: self._hear(page, message))
        page.on("dialog", lambda dialog: (self.wrong.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.on("response", self._look)

    def _hear(self, page, message):
        if message.type in {"error", "warning"} and not _REFUSED.match(message.text):
            self.wrong.append(f"{page.url}: {message.text}")

    def _look(self, response):
        if response.status >= 500:
            self.wrong.append(f"{response.status} {response.request.method} {response.url}")


@contextmanager
def quietly():
    """Let a browser that is gone already be closed again."""
    try:
        yield
    except Error:
        return
