"""The lab: trains, speeds up and measures small translation models (extra ``lab``)."""
