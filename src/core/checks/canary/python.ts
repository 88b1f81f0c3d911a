import { appended, prepended } from './beside.ts'
import type { Idiom, NearbyFile, Plant } from './idiom.ts'

const TEST_FILE = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/
const SOURCE_FILE = /\.py$/

/** Failures for Python: a failing test, a type error, a syntax error. */
export const pythonPlants: Readonly<Record<string, Idiom>> = {
  pytest: testIdiom((marker) => `def test_${marker}():\n    assert '${marker}' == ''`),
  unittest: testIdiom(
    (marker) =>
      `import unittest\n\n\nclass Test${marker}(unittest.TestCase):\n    def test_${marker}(self):\n        self.fail('${marker}')`,
  ),
  'python-script': {
    takes: () => false,
    takesNamed: null,
    fresh: null,
    extended: ({ path, text }, marker) => ({ path, text: prepended(text, `raise Exception('${marker}')`), marker }),
  },
  mypy: sourceIdiom((marker) => `${marker}: int = '${marker}'\n`),
  ruff: sourceIdiom(syntaxError),
  flake8: sourceIdiom(syntaxError),
}

function testIdiom(test: (marker: string) => string): Idiom {
  return {
    takes: (path) => TEST_FILE.test(path),
    takesNamed: null,
    fresh: ({ path }, marker) => ({ path: besideTest(path, marker), text: `${test(marker)}\n`, marker }),
    extended: ({ path, text }: NearbyFile, marker): Plant => ({ path, text: extendedText(text, test(marker)), marker }),
  }
}

// A file that runs itself at its end has to know the new test before that.
function extendedText(text: string, test: string): string {
  const main = text.search(/^if __name__ ==/m)
  return main < 0 ? appended(text, `\n${test}`) : `${text.slice(0, main)}${test}\n\n\n${text.slice(main)}`
}

function sourceIdiom(text: (marker: string) => string): Idiom {
  return {
    takes: (path) => SOURCE_FILE.test(path) && !TEST_FILE.test(path),
    takesNamed: null,
    fresh: ({ path }, marker) => ({ path: `${folderOf(path)}${marker}.py`, text: text(marker), marker }),
    extended: null,
  }
}

function besideTest(path: string, marker: string): string {
  const isPrefixed = /(?:^|\/)test_[^/]*$/.test(path)
  return `${folderOf(path)}${isPrefixed ? `test_${marker}` : `${marker}_test`}.py`
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

function syntaxError(marker: string): string {
  return `def ${marker}(:\n`
}
