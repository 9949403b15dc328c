"""Tries an installed epicene as its first user would, outside the checkout: the version, the API, an audit, a page."""

import importlib.util
import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

import epicene

assert "site-packages" in epicene.__file__, f"not the installed package: {epicene.__file__}"
assert files("epicene").joinpath("py.typed").is_file()
assert importlib.util.find_spec("torch") is None, "the base install brought torch"
program = str(Path(sys.executable).with_name("epicene"))
assert subprocess.check_output([program, "--version"], text=True).split()[-1] == epicene.__version__
with tempfile.TemporaryDirectory() as folder:
    place = Path(folder)
    table = place / "two.tsv"
    table.write_text("id\tsource\tfocus\texpected\n1\tThe doctor said she was late.\tdoctor\tfeminine\n")
    command = [program, "audit", "-t", f"custom:{table}", "-l", "en-de", "-s", "bundled", "-o", str(place / "run")]
    print(subprocess.check_output(command, text=True))
    assert (place / "run" / "report.html").stat().st_size > 10_000
print(f"epicene {epicene.__version__}: the wheel works")
