"""Who gets what at every address of the API, as a table, and the walk that holds the API to it."""
