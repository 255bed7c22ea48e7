def limit(asked=None):
    chosen = asked or 10
    return chosen
