"""Optional packages: the extras of the installation that contain them, and the error if one is missing.

Code that uses an optional package imports it inside a function and calls ``need`` first. The error names the
extra to install.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import NamedTuple

from arbitree.errors import MissingExtra, Source
from arbitree.wording import listed

NAME = "arbitree"


class Package(NamedTuple):
    """An optional package."""

    name: str  # as pip knows it
    extra: str


# By the name under which the package is imported.
PACKAGES = {
    "cupy": Package("CuPy", "gpu"),
    "delphin": Package("PyDelphin", "formats"),
    "distributed": Package("distributed", "cluster"),
    "fastapi": Package("fastapi", "web"),
    "lxml": Package("lxml", "formats"),
    "matplotlib": Package("matplotlib", "report"),
    "openpyxl": Package("openpyxl", "report"),
    "pandas": Package("pandas", "pandas"),
    "penman": Package("Penman", "formats"),
    "psycopg": Package("psycopg", "postgres"),
    "python_multipart": Package("python-multipart", "web"),
    "sqlalchemy": Package("sqlalchemy", "web"),
    "uvicorn": Package("uvicorn", "web"),
    "wn": Package("wn", "wordnet"),
    "xlsxwriter": Package("XlsxWriter", "report"),
}
WEB = ("fastapi", "python_multipart", "sqlalchemy", "uvicorn")


def need(what: str, *modules: str, source: Source | None = None, hint: str = "") -> None:
    """Raise MissingExtra if one of *modules* is not installed.

    Args:
        what: The command, option or format that needs them, in the singular.
        modules: Names under which the packages are imported; all belong to one extra.
        source: The file concerned.
        hint: What to do instead of installing the extra.
    Example:
        >>> need("arbitree serve", "fastapi", "uvicorn")
    """
    missing = [module for module in modules if not installed(module)]
    if not missing:
        return
    names = listed([PACKAGES[module].name for module in missing])
    several = len(missing) > 1
    found = f"{what} needs {names}, which {'are' if several else 'is'} not installed"
    way = f"Install {'them' if several else 'it'} with: {install_command(extra_of(*missing))}"
    raise MissingExtra(found, source, hint=f"{way}, or {hint}" if hint else way)


def install_command(extra: str) -> str:
    """Return the command that installs an extra from where this Arbitree was installed.

    Example:
        >>> install_command("web").endswith("[web]'")
        True
    """
    return f"pip install '{_installed_from()}[{extra}]'"


def _installed_from() -> str:
    """Return the clone or the wheel from which pip installed it, as pip recorded; else the name."""
    import json  # only for an error: importing these takes time
    from importlib.metadata import PackageNotFoundError, distribution
    from pathlib import Path
    from urllib.parse import unquote, urlsplit

    try:
        record = json.loads(distribution(NAME).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return NAME
    address = urlsplit(record.get("url", ""))
    path = unquote(address.path)
    if address.scheme != "file" or "'" in path or not Path(path).exists():
        return NAME
    return "." if Path(path) == Path.cwd() else path


def installed(*modules: str) -> bool:
    """Return whether all *modules* can be imported."""
    return all(find_spec(module) is not None for module in modules)


def extra_of(*modules: str) -> str:
    """Return the extra that contains *modules*; empty for no modules.

    Example:
        >>> extra_of("lxml"), extra_of()
        ('formats', '')
    """
    return "".join(sorted({PACKAGES[module].extra for module in modules}))
