"""``python -m epicene``: the command line."""

from epicene.cli.main import main

main()
