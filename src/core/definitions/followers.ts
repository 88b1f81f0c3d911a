import { jsonEntry } from './excerpts.ts'
import { followCargo, followGo, followGradle, followMaven } from './follow-compiled.ts'
import { followJust, followMake } from './follow-make.ts'
import { followLerna, followNx, followTurbo } from './follow-monorepo.ts'
import { followNode } from './follow-node.ts'
import { followNodeTool } from './follow-node-tool.ts'
import { followPackageTool } from './follow-package-tool.ts'
import { followCoverage, followPython, followPythonTool } from './follow-python.ts'
import { followScript } from './follow-script.ts'
import { followNox, followPythonScripts, followScriptRunner, followTox, followWholeFiles } from './follow-task-tools.ts'
import { NODE_TOOLS } from './node-tools.ts'
import { joined } from './paths.ts'
import { PYTHON_TOOLS } from './python-tools.ts'
import { filesNamed, plainArguments } from './step-arguments.ts'
import type { Follower, Step, Trail } from './trail.ts'

/** Follows a shell to the script that it runs, or to the text that it reads. */
const followShell: Follower = (step, trail) => {
  if (step.input !== null) trail.follow(step.input, step)
  const [script] = plainArguments(step.args, ['-o', '+o', '-O'])
  if (script !== undefined) followScript(script, step, trail)
}

/** Follows an interpreter to its script. */
const followInterpreter: Follower = (step, trail) => {
  const script = plainArguments(step.args).find((word) => word !== 'run')
  if (script !== undefined && !step.args.includes('-e')) followScript(script, step, trail)
}

const followBun: Follower = (step, trail) => {
  const [first, ...rest] = step.args
  if (first !== 'test') {
    followPackageTool(step, trail)
    const script = plainArguments(step.args).find((word) => word !== 'run')
    if (script !== undefined && trail.snapshot.has(joined(step.folder, script))) followScript(script, step, trail)
    return
  }
  trail.runner({ kind: 'bun-test', folder: step.folder, files: filesNamed({ ...step, args: rest }, trail) })
  trail.file(joined(step.folder, 'bunfig.toml'), { reader: 'bun', ifNew: 'finding' })
}

const followDeno: Follower = (step, trail) => {
  const [verb, name] = plainArguments(step.args)
  if (verb === 'task' && name !== undefined) return followTask(name, ['deno.json', 'deno.jsonc'], 'tasks', step, trail)
  if (step.args[0] !== 'test') return followInterpreter(step, trail)
  trail.runner({
    kind: 'deno-test',
    folder: step.folder,
    files: filesNamed({ ...step, args: step.args.slice(1) }, trail),
  })
  for (const name of ['deno.json', 'deno.jsonc'])
    trail.file(joined(step.folder, name), { reader: 'deno', ifNew: 'finding' })
}

const followComposer: Follower = (step, trail) => {
  const name = plainArguments(step.args).find((word) => word !== 'run' && word !== 'run-script')
  if (name !== undefined) followTask(name, ['composer.json'], 'scripts', step, trail)
}

/** Follows a task that a settings file names. */
function followTask(name: string, files: readonly string[], key: string, step: Step, trail: Trail): void {
  for (const file of files) {
    const use = { reader: step.program, ifNew: 'free' } as const
    const text = trail.excerpt(joined(step.folder, file), `${key}.${name}`, jsonEntry(key, name), use)
    const list = text === null ? null : trail.snapshot.json(text)
    for (const command of Array.isArray(list) ? list : [text])
      if (typeof command === 'string') trail.follow(command, step)
  }
}

const GOLANGCI = ['.golangci.yml', '.golangci.yaml', '.golangci.toml', '.golangci.json']

/** Followers by the name of a program. */
export const FOLLOWERS: Readonly<Record<string, Follower>> = {
  ...all('sh bash dash zsh ksh ash source .', followShell),
  ...all('node tsx ts-node ts-node-esm', followNode),
  ...all('ruby perl php', followInterpreter),
  ...all('python python3 python2 pypy pypy3', followPython),
  ...all('npm pnpm yarn', followPackageTool),
  bun: followBun,
  deno: followDeno,
  ...all('make gmake', followMake),
  just: followJust,
  turbo: followTurbo,
  nx: followNx,
  lerna: followLerna,
  tox: followTox,
  nox: followNox,
  ...all('pdm hatch poe', followPythonScripts),
  coverage: followCoverage,
  ...all('npm-run-all npm-run-all2 run-s run-p concurrently', followScriptRunner),
  cargo: followCargo,
  go: followGo,
  ...all('gradle gradlew', followGradle),
  ...all('mvn mvnw mvnd', followMaven),
  'golangci-lint': (step, trail) => {
    trail.runner({ kind: 'golangci-lint', folder: step.folder, files: [] })
    followWholeFiles('golangci-lint', GOLANGCI)(step, trail)
  },
  task: followWholeFiles('task', ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml']),
  ...all('rake rspec', followWholeFiles('ruby', ['Rakefile', '.rspec', 'spec/spec_helper.rb', 'spec/rails_helper.rb'])),
  ...all(
    'phpunit pest',
    followWholeFiles('php', ['phpunit.xml', 'phpunit.xml.dist', 'tests/bootstrap.php', 'tests/Pest.php']),
  ),
  composer: followComposer,
  mix: followWholeFiles('mix', ['test/test_helper.exs']),
  dotnet: followWholeFiles('dotnet', [
    'Directory.Build.props',
    'Directory.Build.targets',
    '.runsettings',
    'global.json',
  ]),
  'pre-commit': followWholeFiles('pre-commit', ['.pre-commit-config.yaml']),
  ...Object.fromEntries(Object.entries(PYTHON_TOOLS).map(([name, tool]) => [name, followPythonTool(tool)])),
  ...Object.fromEntries(Object.entries(NODE_TOOLS).map(([name, tool]) => [name, followNodeTool(tool)])),
}

function all(names: string, follower: Follower): Readonly<Record<string, Follower>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, follower]))
}
