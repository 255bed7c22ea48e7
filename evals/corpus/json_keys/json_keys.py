import json


def restore(table):
    text = json.dumps(table)
    return json.loads(text)
