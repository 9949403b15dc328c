"""What may compute a number: outcomes of verdicts, the rates that sets declare, quality and speech."""
