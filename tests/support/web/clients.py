"""Programs that decide without a pause, and know what they were told."""

import http.client
import json
import random
import re
import threading
import time
from contextlib import closing, suppress

from tests.support.web.browsers import Browser

PATIENCE = 30  # seconds for an answer
PAUSE = 0.02  # seconds before a request that could not be saved is sent again
UNSAVED = "Nothing was saved"  # said only where it is so
PAGES = (
    "/",
    "/sentences",
    "/sentences/1",
    "/adjudicate/1",
    "/decisions",
    "/history",
    "/api/progress",
    "/people",
)


class Stuck(AssertionError):
    """Clients wait longer than anybody would; what follows must not rely on them, but can be checked."""


class Board:
    """Where clients find the server and write down what it told them."""

    def __init__(self):
        self.sent = set()
        self.acknowledged = {}  # request: subject and changes
        self.refused = set()
        self.lost = set()
        self.given_up = set()  # after the server said that nothing was saved
        self.away = 0  # answers that the database cannot be used
        self.faults = []
        self._port = None
        self._ended = False
        self._changed = threading.Condition()
        self._answers = 0
        self._under_way = 0
        self._away_now = 0

    def open(self, port):
        """Let clients go to the server at *port*."""
        with self._changed:
            self._port, self._answers, self._away_now = port, 0, 0
            self._changed.notify_all()

    def close(self):
        """Let clients wait for the next server."""
        with self._changed:
            self._port = None

    def end(self):
        """Let clients stop."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def port(self):
        """Return where the server is, once there is one; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._port)
            return None if self._ended else self._port

    def acknowledge(self, wish):
        """Write down that the server said it has saved *wish*."""
        with self._changed:
            if wish.request in self.acknowledged:
                self.faults.append(f"{wish.request} was acknowledged to two clients")
            self.acknowledged[wish.request] = (wish.subject, wish.changes)
            self._answers += 1
            self._changed.notify_all()

    def sending(self, wish):
        """Write down that *wish* is on its way to the server."""
        with self._changed:
            self.sent.add(wish.request)
            self._under_way += 1
            self._changed.notify_all()

    def ended(self, wish, *, lost):
        """Write down that there is an answer to *wish*, or that there will be none from this server."""
        with self._changed:
            self._under_way -= 1
            if lost:
                self.lost.add(wish.request)

    def excused(self, about, status, what, hint):
        """Write down that the server could not do what was asked because of its database, and said so."""
        with self._changed:
            self.away += 1
            self._away_now += 1
            if status != 503 or not ("database" in what and hint):
                self.faults.append(f"{about} was answered with {status}: {what} {hint}")
            self._changed.notify_all()

    def expect(self):
        """Count answers from now on."""
        with self._changed:
            self._answers = self._away_now = 0

    def wait_for_excuse(self, seconds):
        """Wait until the server has said that its database cannot be used; return whether it has."""
        with self._changed:
            return self._changed.wait_for(lambda: self._away_now, seconds)

    def wait_for_request(self):
        """Wait until a decision is on its way to the server."""
        with self._changed:
            self._changed.wait_for(lambda: self._under_way, PATIENCE)

    def wait_for(self, answers):
        """Wait until this server has acknowledged that many decisions."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._answers >= answers, PATIENCE):
                raise Stuck("the server acknowledges nothing")

    def drain(self, clients, patience=PATIENCE):
        """Wait until every client has an answer to what it has sent by now, be it for the second time."""
        owed = [(client, client.owed) for client in clients]
        deadline = time.monotonic() + patience
        # They go on: there may never be a moment at which none of them waits for anything.
        while any(request and client.owed == request for client, request in owed):
            if time.monotonic() > deadline:
                raise Stuck("lost answers are not made up for")
            time.sleep(0.01)


class Wish:
    """A decision under way."""

    def __init__(self, number, sheet, request, chance):
        place = chance.choice(sheet["places"])
        self.number = number
        self.subject = f"item/{sheet['item']}"
        self.seen = sheet["seen"]
        self.request = request
        self.changes = {place["key"]: chance.choice(place["choices"])["value"]}
        self.perhaps_saved = False  # the server did not know, or could not say


class Client(threading.Thread):
    """Somebody who decides this and that on contested items, one after the other."""

    def __init__(self, board, cookie, token, seed):
        super().__init__(daemon=True)
        self.owed = None  # the request without an answer
        self._asked = None  # the address, and when it was asked
        self._told = ""  # the last excuse
        self._board = board
        self._headers = {"Cookie": cookie, "X-CSRF-Token": token, "Content-Type": "application/json"}
        self._seed = seed
        self._chance = random.Random(seed)
        self._count = 0
        self._wish = None
        self._connection = None
        self._items = None

    def run(self):
        """Decide until the end."""
        while (port := self._board.port()) is not None:
            try:
                self._go_on(port)
            except (OSError, http.client.HTTPException):
                self._forget_server()
        self._forget_server()

    def _go_on(self, port):
        if self._connection is None or self._connection.port != port:
            self._forget_server()
            self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            self._connection.connect()
            self._connection.auto_open = 0  # what is lost shall be seen
        if self._wish is None:
            self._wish = self._next()
        if self._wish is not None:
            self._send(self._wish)

    def _forget_server(self):
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _next(self):
        if self._items is None:
            status, progress = self._ask("GET", "/api/progress")
            if self._is_excuse("/api/progress", status, progress):
                return None
            self._items = list(range(1, progress["items"] + 1))
        number = self._chance.choice(self._items)
        address = f"/api/sentences/{number}/desk"
        status, sheet = self._ask("GET", address)
        if self._is_excuse(address, status, sheet):
            return None
        if not sheet["places"]:
            self._items.remove(number)
            return None
        self._count += 1
        return Wish(number, sheet, f"request-{self._seed}-{self._count}", self._chance)

    def _send(self, wish):
        body = {"seen": wish.seen, "request": wish.request, "changes": wish.changes}
        self._board.sending(wish)
        self.owed = wish.request
        try:
            status, told = self._ask("POST", f"/api/sentences/{wish.number}/decisions", body)
        except (OSError, http.client.HTTPException):
            self._board.ended(wish, lost=True)
            wish.perhaps_saved = True
            raise
        self._board.ended(wish, lost=False)
        if status == 200 and told["saved"]:
            self._board.acknowledge(wish)
        elif status in (200, 409):  # it would break the tree, or another client was first
            self._board.refused.add(wish.request)
        elif self._is_excuse(wish.request, status, told):
            wish.perhaps_saved |= UNSAVED not in told.get("detail", "")
            if wish.perhaps_saved or self._chance.random() < 0.7:
                return  # and send it again
            self._board.given_up.add(wish.request)
        self._wish = self.owed = None

    def _is_excuse(self, about, status, told):
        """Return whether the answer is that something cannot be done, and write it down."""
        if status == 200:
            return False
        self._told = f"{status} {told.get('detail')}"
        self._board.excused(about, status, str(told.get("detail")), told.get("hint"))
        time.sleep(PAUSE)
        return True

    def _ask(self, method, address, body=None):
        self._asked = (f"{method} {address}", time.monotonic())
        self._connection.request(method, address, json.dumps(body) if body else None, self._headers)
        answer = self._connection.getresponse()
        told = json.loads(answer.read())
        self._asked = None
        return answer.status, told

    def __str__(self):
        waits, asked = f"client {self._seed}", self._asked
        if asked is not None:
            waits += f" has waited {time.monotonic() - asked[1]:.1f} s for {asked[0]}"
        if self.owed:
            waits += f", has no answer to {self.owed}"
        return f"{waits}, was last told: {self._told or 'nothing'}"


class Looker(threading.Thread):
    """Somebody who looks at one page after the other: each is a page, or says why there is none."""

    def __init__(self, board, cookie, token, seed):
        super().__init__(daemon=True)
        self.longest = 0.0  # seconds for an answer
        self._board = board
        self._session = (cookie, token)
        self._chance = random.Random(seed)

    def run(self):
        """Look until the end."""
        while (port := self._board.port()) is not None:
            with (
                suppress(OSError, http.client.HTTPException),  # the server was killed
                closing(Browser(port, *self._session, patience=PATIENCE)) as browser,
            ):
                while port == self._board.port():
                    self._look(browser, self._chance.choice(PAGES))
                    time.sleep(5 * PAUSE)
            time.sleep(PAUSE)

    def _look(self, browser, address):
        begin = time.monotonic()
        answer = browser.get(address)
        self.longest = max(self.longest, time.monotonic() - begin)
        if answer.status != 200:
            words = re.sub("<[^>]*>", " ", answer.text)
            self._board.excused(address, answer.status, " ".join(words.split())[:300], "on the page")
