"""What runs inside the namespace: plain Python with nothing installed, started by path."""
