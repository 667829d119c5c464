"""The library with the ops of tideline.tmci, which finds it here."""
TENSORFLOW = "2.15"
