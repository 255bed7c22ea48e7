import jmespath


def test_the_greatest_of_none_is_null():
    assert jmespath.search("max_by(people, &age)", {"people": []}) is None
