import { describe } from 'vitest'
import { PY, PYPROJECT, testWeakened } from '../../../test/given/definition-changes.ts'

describe('a check of Python is weakened by', () => {
  testWeakened([
    [
      'a new conftest',
      'python -m pytest',
      PY,
      { 'conftest.py': 'import os; os._exit(0)' },
      'conftest.py is new, and pytest reads it',
    ],
    [
      'a changed conftest',
      'uv run --with x pytest -q',
      { ...PY, 'tests/conftest.py': 'a' },
      { 'tests/conftest.py': 'b' },
      'tests/conftest.py is not what it was',
    ],
    [
      'a module of a conftest',
      'pytest',
      { ...PY, 'tests/conftest.py': 'from tests.plugin import x', 'tests/plugin.py': 'a' },
      { 'tests/plugin.py': 'b' },
      'tests/plugin.py is not what it was',
    ],
    [
      'a new pytest.ini',
      'poetry run pytest',
      PY,
      { 'pytest.ini': '[pytest]\naddopts = --co\n' },
      'pytest.ini is new, and pytest reads it',
    ],
    [
      'settings in pyproject.toml',
      'python3 -m pytest',
      { ...PY, 'pyproject.toml': PYPROJECT },
      { 'pyproject.toml': PYPROJECT.replace('-q', '-k none') },
      '[tool.pytest] in pyproject.toml is not what it was',
    ],
    [
      'a new section',
      'pytest',
      { ...PY, 'pyproject.toml': '[project]\n' },
      { 'pyproject.toml': PYPROJECT },
      '[tool.pytest] in pyproject.toml is new, and pytest reads it',
    ],
    [
      'a plugin that a conftest names',
      'pytest',
      { ...PY, 'conftest.py': 'pytest_plugins = ["tests.fixtures"]', 'tests/fixtures.py': 'a' },
      { 'tests/fixtures.py': 'b' },
      'tests/fixtures.py is not what it was',
    ],
    [
      'a module in place of the standard library',
      'python -m pytest',
      PY,
      { 'argparse.py': 'x' },
      'argparse.py is new, and pytest reads it',
    ],
    [
      'a new sitecustomize',
      'coverage run -m pytest',
      PY,
      { 'sitecustomize.py': 'x' },
      'sitecustomize.py is new, and coverage reads it',
    ],
    [
      'a module in place of pytest',
      'python -m pytest',
      PY,
      { 'pytest.py': 'x' },
      'pytest.py is new, and pytest reads it',
    ],
    [
      'a command of tox',
      'tox -e py',
      { ...PY, 'tox.ini': '[testenv]\ncommands = pytest {posargs}\n' },
      { 'conftest.py': 'x' },
      'conftest.py is new, and pytest reads it',
    ],
    [
      'the settings of tox',
      'tox',
      { 'tox.ini': '[testenv]\ncommands = a\n' },
      { 'tox.ini': '[testenv]\ncommands = true\n' },
      'the settings of tox in tox.ini is not what it was',
    ],
    [
      'a session of nox',
      'nox',
      { ...PY, 'noxfile.py': 'session.run("pytest", "-q")' },
      { 'conftest.py': 'x' },
      'conftest.py is new, and pytest reads it',
    ],
    [
      'a script of pdm',
      'pdm run check',
      { ...PY, 'pyproject.toml': '[tool.pdm.scripts]\ncheck = "pytest"\n' },
      { 'conftest.py': 'x' },
      'conftest.py is new, and pytest reads it',
    ],
  ])
})
