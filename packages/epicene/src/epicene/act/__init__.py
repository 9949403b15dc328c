"""Choose, offer and control translations: rerank, alternatives, control."""
