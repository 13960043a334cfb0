"""Where this server may connect to: public addresses, and those private ones that its operator has named."""
