"""The GitHub Action and the GitLab job run here from their own files: each of their shell steps, as a runner does it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
GITLAB = yaml.safe_load((ROOT / "docs/examples/gate/gitlab.yml").read_text(encoding="utf-8"))["gender"]


def environment(place: Path, **more: str) -> dict[str, str]:
    """That of a runner, in which ``python`` is the one that runs the tests and finds this checkout."""
    binaries = place / "bin"
    binaries.mkdir(exist_ok=True)
    python = binaries / "python"
    if not python.exists():
        # A runner's pip would fetch the package; here it is this checkout, so installing it is left out.
        python.write_text(f'#!/bin/sh\ncase "$*" in *"pip install"*) exit 0 ;; esac\nexec "{sys.executable}" "$@"\n')
        python.chmod(0o755)
    known = {
        "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "packages" / "epicene" / "src"),
    }
    return {**os.environ, **known, **more}


def act(place: Path, **inputs: str) -> tuple[int, str, dict[str, str], str]:
    """Run the shell steps of the Action: exit code, what it printed, its outputs and the summary."""
    given = {f"inputs.{name}": str(each["default"]) for name, each in ACTION["inputs"].items()}
    given |= {f"inputs.{name}": value for name, value in inputs.items()} | {"runner.temp": str(place)}
    files = {name: place / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for path in files.values():
        path.write_text("", encoding="utf-8")

    def filled(text: str) -> str:
        found = re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda match: given[match[1]], text)
        assert "${{" not in found
        return found

    said, code = "", 0
    for step in ACTION["runs"]["steps"]:
        if "run" not in step:
            continue
        assert step["shell"] == "bash"
        own = {name: filled(value) for name, value in step.get("env", {}).items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=place / filled(step.get("working-directory", ".")),
            env=environment(place, **own, **{name: str(path) for name, path in files.items()}),
            capture_output=True,
            text=True,
        )
        said, code = said + done.stdout, done.returncode
        if code:
            break
    outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text(encoding="utf-8").splitlines())
    return code, said, outputs, files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")


def failing(config: Path) -> None:
    config.write_text(
        config.read_text(encoding="utf-8").replace("max-drop = 3", "max-undetected = 5"), encoding="utf-8"
    )
    (config.parent / "hyp.txt").write_bytes((config.parent / "unread.txt").read_bytes())


def test_the_action_fails_a_build_with_an_annotation_and_a_summary(config: Path) -> None:
    failing(config)
    code, said, outputs, summary = act(config.parent)
    assert (code, outputs) == (1, {"answer": "regression"})
    assert said.startswith("::error file=epicene.toml,line=3,title=")
    assert summary.startswith("gate: fail (1 of 1 check: ")


def test_the_action_passes_on_what_a_workflow_gives_it_and_runs_none_of_it(config: Path) -> None:
    failing(config)
    code, _, outputs, _ = act(config.parent, system="echo; touch hacked $(touch hacked)", config="epicene.toml")
    assert (code, outputs) == (2, {"answer": "error"})
    assert not (config.parent / "hacked").exists()


def test_the_action_lets_doubt_pass_where_it_is_told_to(config: Path) -> None:
    failing(config)
    config.write_text(
        config.read_text(encoding="utf-8").replace("max-undetected = 5", "max-undetected = 20"), encoding="utf-8"
    )
    code, said, outputs, _ = act(config.parent, unclear="pass")
    assert (code, outputs) == (0, {"answer": "unclear"})
    assert said.startswith("::warning ")


def gitlab_script(steps: list[str], config: Path) -> subprocess.CompletedProcess[str]:
    variables: dict[str, Any] = {
        name: value.replace("$CI_PROJECT_DIR", str(config.parent)) for name, value in GITLAB["variables"].items()
    }
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", "\n".join(steps)],
        cwd=config.parent,
        env=environment(config.parent, **variables),
        capture_output=True,
        text=True,
    )


def test_the_gitlab_job_fails_with_a_report_that_gitlab_reads(config: Path) -> None:
    failing(config)
    done = gitlab_script([*GITLAB["before_script"], *GITLAB["script"]], config)
    assert done.returncode == 1
    assert GITLAB["allow_failure"]["exit_codes"] == 3
    assert "regression gender not detected 20.0 %" in " ".join(
        done.stderr.split()
    )  # the log says why, the file is for the machine
    report = ElementTree.parse(config.parent / GITLAB["artifacts"]["reports"]["junit"])  # noqa: S314 - our own
    failure = report.find("testsuite/testcase/failure")
    assert failure is not None
    assert failure.get("type") == "regression"


@pytest.mark.parametrize("workflow", [ROOT / "action.yml", *sorted((ROOT / ".github/workflows").glob("*.yml"))])
def test_actions_of_others_are_pinned_by_commit(workflow: Path) -> None:
    used = re.findall(r"uses: (\S+)", workflow.read_text(encoding="utf-8"))
    assert used
    for action in used:
        assert action == "./" or re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}", action), action


def test_the_action_installs_its_own_checkout_unless_told_otherwise(tmp_path: Path) -> None:
    (install,) = [step for step in ACTION["runs"]["steps"] if step.get("name") == "Install epicene"]
    script = install["run"].replace("python -m pip install", "echo")
    for package, expected in (("", f"{ROOT}/packages/epicene"), ("epicene.whl", "epicene.whl")):
        variables = {**os.environ, "PACKAGE": package, "GITHUB_ACTION_PATH": str(ROOT)}
        done = subprocess.run(["bash", "-c", script], env=variables, cwd=tmp_path, capture_output=True, text=True)
        assert done.stdout.split()[-1] == expected
    assert (ROOT / "packages" / "epicene" / "pyproject.toml").is_file()


def test_a_reader_who_leaves_is_never_taken_for_an_answer(config: Path) -> None:
    failing(config)
    reader, writer = os.pipe()
    os.close(reader)  # before the gate has written anything, so that it always meets a closed pipe
    command = [sys.executable, "-m", "epicene", "gate", "-f", "json"]
    done = subprocess.run(
        command, cwd=config.parent, env=environment(config.parent), stdout=writer, stderr=subprocess.PIPE, text=True
    )
    os.close(writer)
    assert done.returncode == 141  # as the shell calls it; 1 would be the gate's own answer
    assert "Traceback" not in done.stderr
    assert "Broken" not in done.stderr
