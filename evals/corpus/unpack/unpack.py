def bounds(points):
    low, high = max(points), min(points)
    return low, high
