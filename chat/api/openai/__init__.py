"""A door for clients that speak OpenAI's protocol: they get a durable conversation without knowing of it."""
