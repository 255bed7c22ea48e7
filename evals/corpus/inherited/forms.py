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
        self.require("user", "phrase")
        if len(self.data.get("phrase", "")) < 4:
            self.errors.setdefault("phrase", "short")
        return self.valid()


def attempt(user, phrase):
    form = Login({"user": user, "phrase": phrase})
    passed = form.check()
    problems = form.errors
    return "welcome" if passed else "no"


def day(people):
    return [attempt(user, phrase) for user, phrase in people]
