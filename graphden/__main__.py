"""`python -m graphden` is the command line."""

from graphden.cli import main

raise SystemExit(main())
