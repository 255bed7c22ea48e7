from alerts import alarms


def test_threshold():
    text = "boiler = 90\npump=8\ndefault = 50\n"
    assert alarms(text, [("boiler", 70), ("pump", 5), ("boiler", 112), ("fan", 31)]) == ["boiler"]
