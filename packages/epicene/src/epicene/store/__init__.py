"""What is kept on disk: the translation cache, run folders, files of translations."""
