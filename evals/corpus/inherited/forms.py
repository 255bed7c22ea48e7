class Form:
    errors = {}

    def __init__(self, data):
        self.data = data
        self.errors = {}

    def require(self, *names):
        for name in names:
            if not self.data.get(name):
                self.errors[name] = "missing"

    def valid(self):
        return not self.errors


class Login(Form):
    def __init__(self, data):
        self.data = {key: value.strip() for key, value in data.items()}

    def check(self):
        self.require("user", "password")
        if len(self.data.get("password", "")) < 4:
            self.errors.setdefault("password", "short")
        return self.valid()


def attempt(user, password):
    form = Login({"user": user, "password": password})
    passed = form.check()
    problems = form.errors
    return "welcome" if passed else "no"


def day(people):
    return [attempt(user, password) for user, password in people]
