"""A real HTTP server that speaks OpenAI's and Anthropic's streaming protocols, with every fault on request."""
