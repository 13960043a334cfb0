"""What the API costs beside a bare view of the same server that does the same."""
