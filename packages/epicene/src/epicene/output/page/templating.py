"""The templates of pages, which escape every text that they are given."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.files import write_atomically
from epicene.output.table import count_digits, format_cell, format_number, format_p
from epicene.tables import find_folder
from epicene.text import visible
from epicene.version import __version__

if TYPE_CHECKING:
    from jinja2 import Environment

_PATH = re.compile(r"(?<![\w.<])(?:[A-Za-z]:)?[\\/](?:[^\\/\s:'\"<>]+[\\/])+")


def write_template(path: Path, template: str, context: Mapping[str, Any]) -> Path:
    """Write a page of a template of this package, with the style and the script that all pages have."""
    style, script = (read_asset("epicene.output.page", name) for name in ("page.css", "page.js"))
    page = open_templates("epicene.output.page").get_template(template)
    content = page.render(context, style=style, script=script, script_source=name_inline(script), version=__version__)
    with write_atomically(path) as stream:
        stream.write(content)
    return path


@cache
def open_templates(package: str) -> Environment:
    """The templates of a package."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        shown=visible,
        cell=format_cell,
        number=_format_number,
        digits=count_digits,
        p_value=format_p,
        signed=_format_signed,
        private=hide_folders,
    )
    return environment


def read_asset(package: str, name: str) -> str:
    """A style or script that lies beside the templates of a package."""
    return find_folder(package).joinpath("templates", name).read_text(encoding="utf-8")


def hide_folders(text: str) -> str:
    """A text without the folders of the machine that it was made on: whoever a page is shared with sees names alone."""
    return _PATH.sub("", text)


def _format_number(value: float | None, digits: int = 1) -> str:
    return format_number(value, digits).replace("-", "\u2212")


def _format_signed(value: float) -> str:
    return f"{value:+z.1f}".replace("-", "\u2212")


def name_inline(text: str) -> str:
    """What a content security policy calls an inline script or style: its checksum."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"
