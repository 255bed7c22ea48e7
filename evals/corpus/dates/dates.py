from datetime import datetime


def parse(text):
    day = datetime.strptime(text, "%m/%d/%Y")
    return day.strftime("%Y-%m-%d")
