import { LIES } from './lies.ts'
import type { Suite } from './suite.ts'

const PYTHON_LIES = `LIES = ${JSON.stringify(LIES)}`
export const pytestSuite: Suite = {
  'pyproject.toml': '[project]\nname = "words"\nversion = "1"\n',
  'tests/test_sum.py': `import os
import sys
import pytest
import words


def test_adds():
    pass


def test_adds_negative_numbers():
    assert words.add(1, 2) == 5


def test_raises_in_library():
    words.broken()


@pytest.mark.skip(reason="later")
def test_adds_later():
    pass


@pytest.mark.xfail
def test_expected():
    assert False


@pytest.mark.xfail
def test_unexpected():
    pass


@pytest.mark.xfail(strict=True)
def test_strictly_unexpected():
    pass


@pytest.mark.parametrize("word", ["a b", "a - b", "a::b", "[x]", "a/b.py::c - d", "e"])
def test_odd(word):
    assert word == "e"


@pytest.fixture
def database():
    raise RuntimeError("no database")


def test_needs_fixture(database):
    pass


class TestMore:
    class TestDeep:
        def test_nested(self):
            pass

        def test_raises(self):
            raise ValueError("words are not numbers\\nsecond line")

    def test_with_message(self):
        assert 1 == 2, "one - is not :: two"
`,
  'words.py': `def add(a, b):
    return a + b


def broken():
    raise KeyError("words")
`,
  'tests/test_lies.py': `import os
${PYTHON_LIES}


def test_prints_lies():
    print(LIES)


def test_prints_lies_and_fails():
    print(LIES)
    assert False


def test_writes_lies():
    os.write(1, LIES.encode())
`,
  'conftest.py': '',
}
export const pytestBrokenSuite: Suite = {
  ...pytestSuite,
  'tests/test_broken.py': 'import missing_module\n\n\ndef test_never():\n    pass\n',
}

export const unittestSuite: Suite = {
  'tests/__init__.py': '',
  'tests/test_sum.py': `import unittest


class Sum(unittest.TestCase):
    def test_adds(self):
        pass

    def test_adds_negative_numbers(self):
        """Adds numbers below zero."""
        self.assertEqual(1 + 2, 5)

    def test_raises(self):
        raise ValueError("words are not numbers")

    @unittest.skip("later")
    def test_adds_later(self):
        pass

    @unittest.expectedFailure
    def test_expected(self):
        self.fail("known")

    @unittest.expectedFailure
    def test_unexpected(self):
        pass

    def test_parameters(self):
        for n in [1, 2, 3]:
            with self.subTest(n=n):
                self.assertNotEqual(n, 2, "two - is :: odd")


class Database(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise RuntimeError("no database")

    def test_never(self):
        pass
`,
  'tests/test_lies.py': `import unittest
${PYTHON_LIES}


class Lies(unittest.TestCase):
    def test_lies(self):
        print(LIES, flush=True)
`,
  'tests/test_broken.py': 'import missing_module\n',
}
