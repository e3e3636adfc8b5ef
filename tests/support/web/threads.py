"""Where the web app runs a function: in its event loop, or in a thread."""

import asyncio
import threading

from arbitree.web.event_loop import at_once


def threads_of(function):
    """Return how often *function* was called, and whether the last time in the thread of the event loop."""
    called = []

    def noted():
        called.append(threading.get_ident())
        return function()

    async def ask():
        await at_once(noted)()
        return threading.get_ident()

    loop = asyncio.run(ask())
    return len(called), called[-1] == loop
