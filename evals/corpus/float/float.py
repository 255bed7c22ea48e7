def split(amount, people):
    share = round(amount / people, 2)
    rest = amount - share * people
    return share, rest
