"""Tries an installed epicene as its first user would, outside the checkout: ``core`` scores, ``translate`` audits."""

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
    task = ["-t", f"custom:{table}", "-l", "en-de"]
    if sys.argv[1] == "core":
        assert importlib.util.find_spec("ctranslate2") is None, "the base install brought CTranslate2"
        packages = Path(epicene.__file__).parents[1]
        installed = sum(path.stat().st_size for path in packages.rglob("*") if path.is_file())
        (wheel,) = Path.cwd().glob("epicene-[0-9]*.whl")
        print(f"the wheel has {wheel.stat().st_size / 1e6:.0f} MB (at most 16), a plain install {installed / 1e6:.0f} MB")
        assert wheel.stat().st_size <= 16e6
        hypothesis = place / "hyp.de"
        hypothesis.write_text("Die Ärztin sagte, sie sei spät dran.\n", encoding="utf-8")
        print(subprocess.check_output([program, "score", *task, "-i", str(hypothesis), "--anyway"], text=True))
        failed = subprocess.run([program, "study", "weat"], text=True, capture_output=True)
        assert (failed.returncode, "pip install epicene-lab" in failed.stderr) == (2, True), failed.stderr
        failed = subprocess.run([program, "audit", *task, "-s", "bundled"], text=True, capture_output=True)
        assert (failed.returncode, "epicene[translate]" in failed.stderr) == (2, True), failed.stderr
    else:
        print(subprocess.check_output([program, "audit", *task, "-s", "bundled", "-o", str(place / "run")], text=True))
        assert (place / "run" / "report.html").stat().st_size > 10_000
        assert "train" in subprocess.check_output([program, "lab", "--help"], text=True)
        assert "our p" in subprocess.check_output([program, "study", "weat"], text=True)
print(f"epicene {epicene.__version__}: the wheels work ({sys.argv[1]})")
