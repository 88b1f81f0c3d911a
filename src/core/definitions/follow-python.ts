import { guardPythonCoverage } from './coverage-settings.ts'
import { linesThat, section } from './excerpts.ts'
import { followModule } from './follow-module.ts'
import { followScript } from './follow-script.ts'
import { LOCK_FILES } from './lock-entry.ts'
import { folderOf, foldersUp, joined } from './paths.ts'
import type { PlaceUse } from './place.ts'
import { PYTHON_TOOLS, type PythonTool } from './python-tools.ts'
import { filesNamed, isWithoutTests, optionValues, plainArguments } from './step-arguments.ts'
import { isTestFile } from './test-files.ts'
import type { Follower, Step, Trail } from './trail.ts'

/** Follows python: a module by its runner, a script by its file. */
export const followPython: Follower = (step, trail) => {
  const at = step.args.indexOf('-m')
  if (at >= 0) return followPythonModule(step.args[at + 1] ?? '', { ...step, args: step.args.slice(at + 2) }, trail)
  const isInline = step.args.includes('-c')
  const script = plainArguments(step.args, ['-W', '-X'])[0]
  if (!isInline && script !== undefined) {
    guardStartup(step.folder, { reader: 'python', ifNew: 'finding' }, trail)
    followScript(script, step, trail)
  }
}

/** Follows "coverage run" to what it runs. */
export const followCoverage: Follower = (step, trail) => {
  if (step.args[0] !== 'run') return
  trail.file(joined(step.folder, 'sitecustomize.py'), { reader: 'coverage', ifNew: 'finding' })
  guardPythonCoverage(step.folder, trail)
  followPython({ ...step, args: step.args.slice(1) }, trail)
}

/** Follows a Python tool to its settings, and to modules that would run in its place. */
export function followPythonTool(tool: PythonTool): Follower {
  return (step, trail) => {
    const { kind, name } = tool
    if (kind !== null) trail.runner({ kind, folder: step.folder, files: filesNamed(step, trail) })
    const isNew = tool.isTestRunner && isWithoutTests(step, trail)
    const use: PlaceUse = { reader: name, ifNew: isNew ? 'free' : 'finding' }
    for (const value of optionValues(step.args, tool.options))
      trail.file(joined(step.folder, value), { ...use, ifNew: 'free' })
    for (const folder of foldersUp(step.folder)) {
      for (const file of tool.files) trail.file(joined(folder, file), use)
      for (const [file, heading] of tool.sections) {
        trail.excerpt(joined(folder, file), headingText(heading), section(heading), use)
      }
      guardVersion(name, folder, trail)
    }
    if (kind === 'pytest') followPytest(step, use, trail)
    for (const path of tool.every) followFound(trail.every('', path, use), step, trail)
    guardStartup(step.folder, use, trail)
    for (const module of tool.modules) guardModule(module, step.folder, use, trail)
  }
}

/** Follows pytest to the plugins that its command names, to packages it would load first, and to what coverage measures. */
function followPytest(step: Step, use: PlaceUse, trail: Trail): void {
  for (const module of optionValues(step.args, ['-p'])) {
    guardModule(module.replaceAll('.', '/'), step.folder, { ...use, ifNew: 'free' }, trail)
  }
  // A test in a package is imported after the package itself.
  const tests = trail.snapshot.matching(step.folder, /\.py$/).filter(isTestFile)
  for (const folder of new Set(tests.map(folderOf))) {
    const file = joined(folder, '__init__.py')
    if (!trail.snapshot.has(file) && !isTestFile(file)) trail.excerpt(file, 'code', linesThat(Boolean), use)
  }
  const settings = foldersUp(step.folder).flatMap((at) => PYTEST_SETTINGS.map((name) => joined(at, name)))
  const measures = (text: string | null) => text?.includes('--cov') === true
  if (step.args.some(measures) || settings.some((file) => measures(trail.snapshot.text(file))))
    guardPythonCoverage(step.folder, trail)
}

function followPythonModule(module: string, step: Step, trail: Trail): void {
  const name = module.split('.')[0] ?? ''
  const tool = Object.hasOwn(PYTHON_TOOLS, name) ? PYTHON_TOOLS[name] : undefined
  if (module === 'coverage') followCoverage(step, trail)
  else if (tool !== undefined) followPythonTool(tool)(step, trail)
  else {
    const path = module.replaceAll('.', '/')
    const file = [`${path}.py`, `${path}/__main__.py`]
      .map((at) => joined(step.folder, at))
      .find((at) => trail.snapshot.has(at))
    if (file !== undefined) followScript(file, { ...step, folder: '' }, trail)
  }
}

/** Guards modules that Python imports by itself when it starts. */
function guardStartup(folder: string, use: PlaceUse, trail: Trail): void {
  for (const at of new Set([folder, '', 'src'])) {
    for (const name of ['sitecustomize', 'usercustomize']) guardModule(name, at, use, trail)
  }
}

function guardModule(module: string, folder: string, use: PlaceUse, trail: Trail): void {
  for (const path of [`${module}.py`, `${module}/__init__.py`, `${module}/__main__.py`])
    trail.file(joined(folder, path), use)
}

function guardVersion(name: string, folder: string, trail: Trail): void {
  const use: PlaceUse = { reader: name, ifNew: 'free' }
  for (const lock of ['poetry.lock', 'uv.lock', 'pdm.lock']) {
    const entry = LOCK_FILES[lock]?.(name)
    if (entry !== undefined) trail.excerpt(joined(folder, lock), name, entry, use)
  }
  const line = new RegExp(`^\\s*${name}(?![\\w-])`, 'i')
  for (const list of [
    'requirements.txt',
    'requirements-dev.txt',
    'dev-requirements.txt',
    'requirements/dev.txt',
    'requirements/test.txt',
  ]) {
    trail.excerpt(
      joined(folder, list),
      name,
      linesThat((at) => line.test(at)),
      use,
    )
  }
}

function followFound(files: readonly string[], step: Step, trail: Trail): void {
  for (const file of files) if (trail.visit(`module ${file}`)) followModule(file, step, trail)
}

function headingText(heading: RegExp): string {
  return heading.source.replace(/\\b|\^|\$|\(\?:.*?\)\??|\\/g, '').replace(/([^\]])$/, '$1]')
}

const PYTEST_SETTINGS = ['pytest.ini', 'pyproject.toml', 'setup.cfg', 'tox.ini']
