"""What counts as a secret: names, shapes, pairs of both, and the marks that stand in their place."""
