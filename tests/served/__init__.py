"""What programs of others find at a real server: curl, OpenAI's client, a checker of the API's description."""
