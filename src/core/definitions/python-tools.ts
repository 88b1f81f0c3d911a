import type { RunnerKind } from './check-definition.ts'

/** Python program that decides a check, and the places of its settings. */
export interface PythonTool {
  readonly kind: RunnerKind | null
  readonly name: string
  readonly isTestRunner: boolean
  readonly files: readonly string[]
  readonly sections: readonly (readonly [file: string, heading: RegExp])[]
  /** Files that it reads wherever they are. */
  readonly every: readonly RegExp[]
  /** Modules that would be imported instead of its own if the repository had them. */
  readonly modules: readonly string[]
  readonly options: readonly string[]
}

const PLAIN_TOOL = { isTestRunner: false, files: [], sections: [], every: [], modules: [], options: [] } as const

// The current folder comes first on the path, so these would be imported instead of the standard library's.
const STANDARD =
  'argparse ast atexit bdb collections contextlib copy dataclasses enum fnmatch functools importlib inspect json locale logging pathlib platform pprint re shlex shutil signal string tempfile textwrap threading traceback types typing warnings'.split(
    ' ',
  )

/** Tools by the name of their program or module. */
export const PYTHON_TOOLS: Readonly<Record<string, PythonTool>> = {
  pytest: {
    ...PLAIN_TOOL,
    kind: 'pytest',
    name: 'pytest',
    isTestRunner: true,
    files: ['pytest.ini', '.pytest.ini', 'pytest.toml', '.pytest.toml'],
    sections: [
      ['pyproject.toml', /^\[tool\.pytest\b/],
      ['pyproject.toml', /^\[.*pytest11/],
      ['setup.cfg', /^\[tool:pytest\]/],
      ['tox.ini', /^\[pytest\]/],
    ],
    every: [/(?:^|\/)conftest\.py$/],
    modules: ['pytest', '_pytest', 'pluggy', 'iniconfig', 'packaging', 'py', 'unittest', ...STANDARD],
    options: ['-c', '--config-file'],
  },
  unittest: {
    ...PLAIN_TOOL,
    kind: 'unittest',
    name: 'unittest',
    isTestRunner: true,
    modules: ['unittest', ...STANDARD],
  },
  ruff: {
    ...PLAIN_TOOL,
    kind: 'ruff',
    name: 'ruff',
    sections: [['pyproject.toml', /^\[tool\.ruff\b/]],
    every: [/(?:^|\/)\.?ruff\.toml$/],
    modules: ['ruff'],
    options: ['--config'],
  },
  flake8: {
    ...PLAIN_TOOL,
    kind: 'flake8',
    name: 'flake8',
    files: ['.flake8'],
    sections: [
      ['setup.cfg', /^\[flake8\]/],
      ['tox.ini', /^\[flake8\]/],
    ],
    modules: ['flake8'],
    options: ['--config', '--append-config'],
  },
  mypy: {
    ...PLAIN_TOOL,
    kind: 'mypy',
    name: 'mypy',
    files: ['mypy.ini', '.mypy.ini'],
    sections: [
      ['pyproject.toml', /^\[+tool\.mypy\b/],
      ['setup.cfg', /^\[mypy\b/],
    ],
    modules: ['mypy'],
    options: ['--config-file'],
  },
  pyright: {
    ...PLAIN_TOOL,
    kind: 'pyright',
    name: 'pyright',
    files: ['pyrightconfig.json'],
    sections: [['pyproject.toml', /^\[tool\.pyright\b/]],
    options: ['-p', '--project'],
  },
  black: {
    ...PLAIN_TOOL,
    kind: null,
    name: 'black',
    sections: [['pyproject.toml', /^\[tool\.black\b/]],
    options: ['--config'],
  },
  isort: {
    ...PLAIN_TOOL,
    kind: null,
    name: 'isort',
    files: ['.isort.cfg'],
    sections: [['pyproject.toml', /^\[tool\.isort\b/]],
  },
  pylint: {
    ...PLAIN_TOOL,
    kind: null,
    name: 'pylint',
    files: ['.pylintrc', 'pylintrc'],
    sections: [['pyproject.toml', /^\[tool\.pylint\b/]],
    options: ['--rcfile'],
  },
}
