from shifts import on_duty, plan


def test_zones():
    assert on_duty(plan(), "2024-05-06 15:00", "tokyo") == ["ada", "ken"]
