"""The bundled translator: text chosen and packed here, tokenised and trained where a GPU is."""
