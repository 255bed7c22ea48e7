import sqlparse


def test_a_comment_leaves_a_space():
    bare = sqlparse.format("select * from a--first\ninner join b", strip_comments=True)
    assert bare.split() == ["select", "*", "from", "a", "inner", "join", "b"]
