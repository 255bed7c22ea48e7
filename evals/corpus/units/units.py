import math


def height(distance, angle):
    slope = math.sin(angle)
    return round(distance * slope, 2)
