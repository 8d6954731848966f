"""A report of many problems in a large file splits the file into its lines once."""

from __future__ import annotations

from graphden.cli import reporting
from graphden.errors import Problem, Span


def test_a_file_is_split_once_however_many_problems_it_has(tmp_path, monkeypatch, capsys):
    split: list[str] = []
    plain = reporting.lines_of

    def counted(text: str) -> list[str]:
        split.append(text)
        return plain(text)

    monkeypatch.setattr(reporting, "lines_of", counted)
    monkeypatch.setattr("graphden.edn.frame.lines_of", counted)
    path = tmp_path / "rows.edn"
    path.write_text("".join(f"{{:name :r{k}}}\n" for k in range(300)), "utf-8")
    problems = tuple(
        Problem("bad-row", "wrong", "", f"r{k}", Span(str(path), k + 1, 2, k + 1, 7))
        for k in range(300)
    )
    reporting.report_problems(problems)
    shown = capsys.readouterr().err
    assert " 300 | {:name :r299}\n     |  ^^^^^" in shown
    assert shown.count("^^^^^") == 300
    assert len(split) == 1

    path.write_text("\n\n{:name :changed}", "utf-8")
    reporting.report_problems((problems[2],))
    assert " 3 | {:name :changed}" in capsys.readouterr().err
