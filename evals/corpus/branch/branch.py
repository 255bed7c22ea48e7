def shipping(weight, express):
    if weight > 10 or express:
        kind = "freight"
    elif express:
        kind = "express"
    else:
        kind = "standard"
    return {"freight": 50, "express": 20, "standard": 5}[kind]
