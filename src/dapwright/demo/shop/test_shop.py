from shop import Item, basket_total


def test_one_of_each_costs_the_sum():
    assert basket_total([Item("tea", 400, 1), Item("cup", 600, 1)]) == 1000


def test_three_cakes_cost_a_tenth_less():
    total = basket_total([Item("tea", 400, 1), Item("cake", 1000, 3), Item("cup", 600, 1)])
    assert total == 400 + 2700 + 600
