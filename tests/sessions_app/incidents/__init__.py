"""Three incidents of neighbouring products, each once a silent loss of history, none possible here."""
