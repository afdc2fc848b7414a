"""What processes leave behind: ended at random moments, on a full disk, without a home, on closed streams."""
