def merge(left, right):
    merged = dict(left)
    for key in right:
        merged[key] = left.get(key, 0) + right[key]
        left = merged
    return {str(key): value for key, value in merged.items()}
