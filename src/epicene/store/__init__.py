"""What is kept on disk: the translation cache, run folders, and files written whole or not at all."""
