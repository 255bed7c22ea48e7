import copy


def template(base, name):
    made = copy.copy(base)
    made["tags"].append(name)
    return made
