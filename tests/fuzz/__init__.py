"""Hostile inputs for every reader: mutated until something falls over, and built to take time and memory."""
