"""Adaptations trained on a machine with a GPU, PyTorch, NumPy and SentencePiece and nothing else."""
