"""Builds the sdist and, from it, the wheel; installs each into an empty environment and runs a
graph and the demo there, away from the checkout.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

GRAPH = (
    "{:name :double-each :parent :map :args {:func :double :coll [1 2 3]}}\n"
    "{:name :double :parent :mul :args {:nums [{:as :item} 2]}}\n"
)


def run(*command: str | Path, cwd: Path) -> str:
    """The output of a command that must succeed."""
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, check=False, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def main() -> None:
    checkout = Path(__file__).resolve().parent.parent
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        run(sys.executable, "-m", "build", "--outdir", work / "dist", checkout, cwd=work)
        (work / "graph.edn").write_text(GRAPH)
        for built in sorted((work / "dist").iterdir()):
            home = work / built.suffix.strip(".")
            venv.create(home, with_pip=True)
            run(home / "bin/pip", "install", "-q", f"{built}[embedded]", cwd=work)
            value = run(home / "bin/graphden", "run", "double-each", "graph.edn", cwd=work)
            if value != "[2 4 6]\n":
                sys.exit(f"{built.name}: unexpected output {value!r}")
            run(home / "bin/graphden", "show", "pg-queue-consumer", "graph.edn", cwd=work)
            told = run(home / "bin/graphden", "demo", cwd=work)
            if "the queue is empty" not in told:
                sys.exit(f"{built.name}: the demo told\n{told}")
            print(f"{built.name}: runs")  # noqa: T201


if __name__ == "__main__":
    main()
