"""Coming in, on top of allauth: who may make an account, who is kept out, what is proved how, and what the audit
log is told."""
