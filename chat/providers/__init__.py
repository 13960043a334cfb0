"""The vendors of answers, one file each, behind one small protocol."""
