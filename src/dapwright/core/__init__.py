"""The pure core: no await, no open, no clock, no process."""
