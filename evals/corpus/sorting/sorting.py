def newest(versions):
    ordered = sorted(versions)
    return ordered[-1]
