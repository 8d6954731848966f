"""The command line meets hostile files: an exit code and a message, no crash, no waiting."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.hostile.programs import PROGRAMS

PATIENCE = 60


def graphden(*arguments: str, cwd) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "graphden", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, cwd=cwd, check=False
    )


@pytest.mark.parametrize(
    ("name", "n", "code"),
    [
        ("chain of references", 1_000, None),
        ("nested types", 2_000, "bad-row"),
        ("nested brackets", 20_000, "syntax"),
        ("inline rows", 500, "bad-row"),
    ],
)
def test_run_answers_in_json(tmp_path, name, n, code):
    (tmp_path / "rows.edn").write_text(PROGRAMS[name](n), "utf-8")
    done = graphden("run", "main", "rows.edn", "--json", cwd=tmp_path)
    assert "Traceback" not in done.stderr
    answer = json.loads(done.stdout)
    assert done.returncode == (0 if code is None else 1)
    if code is None:
        assert answer == {"value": n + 1}
    else:
        assert answer["error"]["code"] == code


@pytest.mark.parametrize(("name", "n"), [("nested vectors", 2_000), ("nested maps", 2_000)])
def test_a_deep_result_is_printed_as_edn_and_refused_as_json(tmp_path, name, n):
    (tmp_path / "rows.edn").write_text(PROGRAMS[name](n), "utf-8")
    done = graphden("run", "main", "rows.edn", cwd=tmp_path)
    assert done.returncode == 0
    assert max(done.stdout.count("["), done.stdout.count("{")) == n
    refused = graphden("run", "main", "rows.edn", "--json", cwd=tmp_path)
    assert refused.returncode == 1
    assert "500 levels" in json.loads(refused.stdout)["error"]["message"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="NOT TESTED: no named pipes here")
@pytest.mark.parametrize("path", ["rows.edn", "."])
def test_a_pipe_is_no_file_of_rows(tmp_path, path):
    os.mkfifo(tmp_path / "rows.edn")
    done = graphden("check", path, cwd=tmp_path)
    assert done.returncode == 2
    assert "is no regular file" in done.stderr
    assert "Traceback" not in done.stderr
