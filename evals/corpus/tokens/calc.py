from lexer import tokens

POWER = {"+": 1, "-": 1, "*": 2, "/": 2, "neg": 3}


def postfix(words):
    out, held = [], []
    for word in words:
        if word.isdigit():
            out.append(word)
        elif word == "(":
            held.append(word)
        elif word == ")":
            while held[-1] != "(":
                out.append(held.pop())
            held.pop()
        else:
            while held and held[-1] != "(" and word != "neg" and POWER[held[-1]] >= POWER[word]:
                out.append(held.pop())
            held.append(word)
    return out + held[::-1]


def value(text):
    words = tokens(text)
    stack = []
    for word in postfix(words):
        if word.isdigit():
            stack.append(int(word))
        elif word == "neg":
            stack.append(-stack.pop())
        else:
            right, left = stack.pop(), stack.pop()
            stack.append({"+": left + right, "-": left - right, "*": left * right}[word])
    return stack[-1]
