class Store:
    def __init__(self):
        self.open = False

    def __enter__(self):
        self.open = True
        return self

    def __exit__(self, *error):
        self.open = False


def use():
    with Store() as store:
        pass
    state = store.open
    return state
