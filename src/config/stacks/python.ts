import { REPORT } from './report-flags.ts'
import type { Folder, StackKind } from './stack.ts'

/** Python projects, tested with pytest or Django's runner, in a virtual environment of the clone. */
export const python: StackKind = {
  name: 'python',
  marks: ['uv.lock', 'poetry.lock', 'pdm.lock', 'Pipfile.lock', 'pyproject.toml', 'requirements.txt', 'setup.py'],
  needs(folder) {
    const { setup, run } = toolOf(folder)
    const protect = ['test/**', 'tests/**', '**/test_*.py', '**/*_test.py', '**/conftest.py']
    return {
      setup,
      gates: [{ name: 'tests', run: run(isDjango(folder) ? 'manage.py test' : pytest(folder)), protect }],
    }
  },
  usual: { files: ['pyproject.toml'], text: () => null },
}

// Only the first family of the report names files.
function pytest({ text }: Folder): string {
  const settings = ['pytest.ini', '.pytest.ini', 'pyproject.toml', 'tox.ini', 'setup.cfg'].map(
    (file) => text(file) ?? '',
  )
  const isWithout = settings.some((setting) => /no:junitxml|--junit-?xml/.test(setting))
  return isWithout ? '-m pytest' : `-m pytest --junitxml=${REPORT} -o junit_family=xunit1`
}

interface Tool {
  readonly setup: readonly string[]
  /** Runs Python with these arguments. */
  run(args: string): string
}

function toolOf({ files }: Folder): Tool {
  const has = (name: string) => files.includes(name)
  if (has('uv.lock')) return { setup: ['uv sync --locked'], run: (args) => `uv run python ${args}` }
  if (has('poetry.lock')) return { setup: ['poetry install'], run: (args) => `poetry run python ${args}` }
  if (has('pdm.lock')) return { setup: ['pdm sync'], run: (args) => `pdm run python ${args}` }
  if (has('Pipfile.lock')) return { setup: ['pipenv sync --dev'], run: (args) => `pipenv run python ${args}` }
  const lists = ['requirements.txt', 'requirements-dev.txt', 'dev-requirements.txt'].filter(has)
  const wanted = lists.length > 0 ? lists.map((list) => `-r ${list}`).join(' ') : '-e .'
  return {
    setup: ['python3 -m venv .venv', `.venv/bin/pip install ${wanted} pytest`],
    run: (args) => `.venv/bin/python ${args}`,
  }
}

function isDjango({ files, text }: Folder): boolean {
  const usesPytest = files.includes('pytest.ini') || /\[tool\.pytest/.test(text('pyproject.toml') ?? '')
  return files.includes('manage.py') && !usesPytest
}
