"""What changes the durable state: each service is one transaction."""
