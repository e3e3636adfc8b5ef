"""Programs that decide without a pause, and know what they were told."""

import http.client
import json
import random
import threading
import time

PATIENCE = 20  # seconds for an answer


class Board:
    """Where clients find the server and write down what it told them."""

    def __init__(self):
        self.sent = set()
        self.acknowledged = {}  # request: subject and changes
        self.refused = set()
        self.lost = set()
        self.faults = []
        self._port = None
        self._ended = False
        self._changed = threading.Condition()
        self._answers = 0
        self._under_way = 0

    def open(self, port):
        """Let clients go to the server at *port*."""
        with self._changed:
            self._port, self._answers = port, 0
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

    def wait_for_request(self):
        """Wait until a decision is on its way to the server."""
        with self._changed:
            self._changed.wait_for(lambda: self._under_way, PATIENCE)

    def wait_for(self, answers):
        """Wait until this server has acknowledged that many decisions."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._answers >= answers, PATIENCE):
                raise AssertionError(f"the server acknowledges nothing; {self.faults[:3]}")

    def drain(self, clients):
        """Wait until every client that lost an answer has got it from this server."""
        deadline = time.monotonic() + PATIENCE
        while any(client.owes for client in clients):
            if time.monotonic() > deadline:
                raise AssertionError("lost answers are not made up for")
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


class Client(threading.Thread):
    """Somebody who decides this and that on contested items, one after the other."""

    def __init__(self, board, cookie, token, seed):
        super().__init__(daemon=True)
        self.owes = False
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
            count = self._ask("GET", "/api/progress")[1]["items"]
            self._items = list(range(1, count + 1))
        number = self._chance.choice(self._items)
        status, sheet = self._ask("GET", f"/api/sentences/{number}/desk")
        if status != 200 or not sheet["places"]:
            self._items.remove(number)
            return None
        self._count += 1
        return Wish(number, sheet, f"request-{self._seed}-{self._count}", self._chance)

    def _send(self, wish):
        body = {"seen": wish.seen, "request": wish.request, "changes": wish.changes}
        self._board.sending(wish)
        self.owes = True
        try:
            status, told = self._ask("POST", f"/api/sentences/{wish.number}/decisions", body)
        except (OSError, http.client.HTTPException):
            self._board.ended(wish, lost=True)
            raise
        self._board.ended(wish, lost=False)
        if status == 200 and told["saved"]:
            self._board.acknowledge(wish)
        elif status in (200, 409):  # it would break the tree, or another client was first
            self._board.refused.add(wish.request)
        elif status == 503:
            return
        else:
            self._board.faults.append(f"{wish.request} was answered with {status}: {told}")
        self._wish, self.owes = None, False

    def _ask(self, method, address, body=None):
        self._connection.request(method, address, json.dumps(body) if body else None, self._headers)
        answer = self._connection.getresponse()
        return answer.status, json.loads(answer.read())
