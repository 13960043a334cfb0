"""The operators' own pages in the admin: what is stuck, what was put away, and how it comes back."""
