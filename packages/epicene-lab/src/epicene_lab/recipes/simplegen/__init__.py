"""The models of the SimpleGEN study and the bundled translator: many trained side by side on one GPU."""
