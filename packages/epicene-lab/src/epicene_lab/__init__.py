"""The lab: trains, speeds up and measures small translation models, and measures word vectors beyond WEAT."""
