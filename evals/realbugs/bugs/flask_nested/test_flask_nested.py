import flask


def test_prefixes_of_nested_blueprints_are_joined():
    app = flask.Flask(__name__)
    parent = flask.Blueprint("parent", __name__, url_prefix="/parent")
    child = flask.Blueprint("child", __name__, url_prefix="/child")
    child.add_url_rule("/", view_func=lambda: "here", endpoint="index")
    parent.register_blueprint(child)
    app.register_blueprint(parent)
    rules = [rule.rule for rule in app.url_map.iter_rules() if rule.endpoint.endswith("child.index")]
    assert rules == ["/parent/child/"]
