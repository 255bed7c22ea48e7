class Shape:
    def area(self):
        return 0

    def describe(self):
        size = self.area()
        return f"area {size}"


class Square(Shape):
    side = 2

    def Area(self):
        return self.side * self.side
