"""Speech: voices that read sentences aloud, recordings and what is known of them, recognisers that write them down."""
