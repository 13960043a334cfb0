"""The durable state: models, the guards that hold them in the database, and the services that change them."""
