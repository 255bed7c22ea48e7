from environment import *


def test_environment():
    os.environ['SHOP_MODE'] = 'fast'
    assert setting('SHOP_MODE', 'slow') == 'fast'
