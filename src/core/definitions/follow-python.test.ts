import { describe } from 'vitest'
import { PY, PYPROJECT, testWeakened } from '../../../test/given/definition-changes.ts'

describe('a check of Python is weakened by', () => {
  testWeakened([
    [
      'a new conftest',
      'python -m pytest',
      PY,
      { 'conftest.py': 'import os; os._exit(0)' },
      'pytest now reads conftest.py, which is new',
    ],
    [
      'a changed conftest',
      'uv run --with x pytest -q',
      { ...PY, 'tests/conftest.py': 'a' },
      { 'tests/conftest.py': 'b' },
      'tests/conftest.py',
    ],
    [
      'a module of a conftest',
      'pytest',
      { ...PY, 'tests/conftest.py': 'from tests.plugin import x', 'tests/plugin.py': 'a' },
      { 'tests/plugin.py': 'b' },
      'tests/plugin.py',
    ],
    [
      'a new pytest.ini',
      'poetry run pytest',
      PY,
      { 'pytest.ini': '[pytest]\naddopts = --co\n' },
      'pytest now reads pytest.ini, which is new',
    ],
    [
      'settings in pyproject.toml',
      'python3 -m pytest',
      { ...PY, 'pyproject.toml': PYPROJECT },
      { 'pyproject.toml': PYPROJECT.replace('-q', '-k none') },
      '[tool.pytest] in pyproject.toml',
    ],
    [
      'a new section',
      'pytest',
      { ...PY, 'pyproject.toml': '[project]\n' },
      { 'pyproject.toml': PYPROJECT },
      'pytest now reads [tool.pytest] in pyproject.toml, which is new',
    ],
    [
      'a plugin that a conftest names',
      'pytest',
      { ...PY, 'conftest.py': 'pytest_plugins = ["tests.fixtures"]', 'tests/fixtures.py': 'a' },
      { 'tests/fixtures.py': 'b' },
      'tests/fixtures.py',
    ],
    [
      'a module in place of the standard library',
      'python -m pytest',
      PY,
      { 'argparse.py': 'x' },
      'pytest now reads argparse.py, which is new',
    ],
    [
      'a new sitecustomize',
      'coverage run -m pytest',
      PY,
      { 'sitecustomize.py': 'x' },
      'coverage now reads sitecustomize.py, which is new',
    ],
    [
      'a module in place of pytest',
      'python -m pytest',
      PY,
      { 'pytest.py': 'x' },
      'pytest now reads pytest.py, which is new',
    ],
    [
      'a command of tox',
      'tox -e py',
      { ...PY, 'tox.ini': '[testenv]\ncommands = pytest {posargs}\n' },
      { 'conftest.py': 'x' },
      'pytest now reads conftest.py, which is new',
    ],
    [
      'the settings of tox',
      'tox',
      { 'tox.ini': '[testenv]\ncommands = a\n' },
      { 'tox.ini': '[testenv]\ncommands = true\n' },
      'the settings of tox in tox.ini',
    ],
    [
      'a session of nox',
      'nox',
      { ...PY, 'noxfile.py': 'session.run("pytest", "-q")' },
      { 'conftest.py': 'x' },
      'pytest now reads conftest.py, which is new',
    ],
    [
      'a script of pdm',
      'pdm run check',
      { ...PY, 'pyproject.toml': '[tool.pdm.scripts]\ncheck = "pytest"\n' },
      { 'conftest.py': 'x' },
      'pytest now reads conftest.py, which is new',
    ],
  ])
})
