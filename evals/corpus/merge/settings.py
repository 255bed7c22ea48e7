import copy

DEFAULTS = {
    "name": "app",
    "log": {"level": "info", "file": None},
    "limits": {"rows": 100, "seconds": 5},
}


def merge(base, over):
    """`over` laid on `base`, tables inside each other too."""
    made = dict(base)
    for key, value in over.items():
        if isinstance(value, dict) and isinstance(made.get(key), dict):
            inner = made[key]
            for name, one in value.items():
                inner[name] = one
        else:
            made[key] = copy.copy(value)
    return made


def check(settings):
    problems = []
    if settings["log"]["level"] not in ("debug", "info", "warning"):
        problems.append("log.level")
    if settings["limits"]["rows"] <= 0:
        problems.append("limits.rows")
    return problems


def load(*layers):
    settings = DEFAULTS
    for layer in layers:
        settings = merge(settings, layer)
    if problems := check(settings):
        raise ValueError(", ".join(problems))
    return settings


def budget(settings):
    limits = settings["limits"]
    return limits["rows"] * limits["seconds"]
