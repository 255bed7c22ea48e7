def same(left, right):
    equal = left is right
    return equal
