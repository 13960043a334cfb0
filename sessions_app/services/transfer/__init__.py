"""Takes a conversation out of one installation and into another, whole: the same words, ids and digests.

An export is a list of records, one canonical line each (docs/export.md). Going out, the records are read page by
page behind a head that was noted under lock; coming in, the file is checked from its first line to its last
before a row is written, and then written in one transaction.
"""
