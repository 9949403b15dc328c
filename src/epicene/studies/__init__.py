"""Studies: one file per paper, its plan and its published numbers beside ours."""
