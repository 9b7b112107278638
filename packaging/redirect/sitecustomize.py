"""Sends what a Python bot sends to Betfair to a sandbox on this machine. `oddsmith sandbox --betfair --exec` puts this file first on
PYTHONPATH; Python runs it before the bot. ODDSMITH_BETFAIR_API and ODDSMITH_BETFAIR_STREAM are host:port."""

import importlib.machinery
import importlib.util
import os
import re
import socket
import sys

_BETFAIR = re.compile(r"(^|\.)betfair\.(com|es|it|ro|se|com\.au)$")


def _address(name):
    host, _, port = os.environ[name].rpartition(":")
    return host.strip("[]"), int(port)


_API = _address("ODDSMITH_BETFAIR_API")
_STREAM = _address("ODDSMITH_BETFAIR_STREAM")


def _redirected(host):
    """The sandbox's address in the place of one of Betfair's hosts; None for any other."""
    name = host.decode() if isinstance(host, bytes) else host
    if not isinstance(name, str) or not _BETFAIR.search(name.lower()):
        return None
    return _STREAM if name.lower().startswith("stream-api") else _API


_getaddrinfo = socket.getaddrinfo


def getaddrinfo(host, port, *args, **kwargs):
    host, port = _redirected(host) or (host, port)
    return _getaddrinfo(host, port, *args, **kwargs)


class Socket(socket.socket):
    """Some clients connect a socket to a host's name."""

    def connect(self, address):
        found = _redirected(address[0]) if isinstance(address, tuple) else None
        return super().connect(found or address)

    def connect_ex(self, address):
        found = _redirected(address[0]) if isinstance(address, tuple) else None
        return super().connect_ex(found or address)


socket.getaddrinfo = getaddrinfo
socket.socket = Socket

# The machine may have a sitecustomize of its own, which this file stands before.
_here = os.path.dirname(os.path.abspath(__file__))
_others = [path for path in sys.path if os.path.abspath(path or ".") != _here]
_spec = importlib.machinery.PathFinder.find_spec("sitecustomize", _others)
if _spec is not None and _spec.loader is not None:
    _spec.loader.exec_module(importlib.util.module_from_spec(_spec))
