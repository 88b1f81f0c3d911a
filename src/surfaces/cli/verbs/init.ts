import { existsSync, readFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setupFolders } from '../../../config/stacks/setup-folders.ts'
import { unwrap } from '../../../core/model/problem.ts'
import { unwritableReason } from '../../../core/reading/file-problems.ts'
import type { Repository } from '../../../ports/repository.ts'
import { editorSchema, writeSchema } from '../config/schema.ts'
import { unignoredText } from '../doctor/settings.ts'
import { EXIT } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { refuse } from '../refusal.ts'
import { hasCommit } from '../repository/first-commit.ts'
import { findRepository, SETTINGS_FILE } from '../repository/open-repository.ts'
import { type TypedArguments, textOption, type Verb, type VerbContext } from '../verb.ts'
import { type ChosenPresets, choosePresets } from './choose-presets.ts'

/** `longhaul init`: writes a first longhaul.yaml. */
export const initVerb: Verb = {
  about:
    'Detects what the repository is built with and writes a short, commented longhaul.yaml. On a terminal, asks at most two questions. Never overwrites a file.',
  examples: ['longhaul init', 'longhaul init --preset safe', 'longhaul init --preset python strict --dry-run'],
  shape: (command) =>
    void command
      .option(
        '--preset <preset...>',
        'a preset (fast, safe, strict), and stacks instead of the detected ones (node, …)',
      )
      .option('--driver <driver>', 'kind of agent')
      .option('--dry-run', 'print the file instead of writing it')
      .option('--json', 'print what was detected as JSON'),
  async run(context, typed) {
    const repository = await findRepository(context)
    const path = join(repository.root, SETTINGS_FILE)
    const isDry = typed.options.dryRun === true
    if (!isDry && existsSync(path)) refuseExisting(path)
    const plan = await planFor(context, typed, repository, isDry)
    const { exampleSettings } = await import('../../../config/example-settings.ts')
    const text = exampleSettings({ ...plan, modeline: editorSchema(repository).modeline })
    const script = join(repository.root, SCRIPT_FILE)
    const wroteScript = !isDry && plan.driver === 'scripted' && !existsSync(script)
    if (!isDry) {
      await writeNew(path, text)
      await writeSchema(repository)
      if (wroteScript) await writeNew(script, SCRIPT)
    }
    report(context, { ...plan, path, text, isDry, wroteScript, hasCommit: await hasCommit(repository) })
    return EXIT.done
  },
}

const SCRIPT_FILE = 'script.yaml'
const SCRIPT = `# Script of the scripted agent: it plays the first rule that matches a task.
- task: "*"
  steps:
    - write: { path: "{task}.txt", text: "{task} was here\\n" }
    - report: done
`

interface Plan extends ChosenPresets {
  readonly setup: readonly string[]
  /** Folders that setup creates and git does not ignore. */
  readonly unignored: readonly string[]
  readonly driver: string
}

async function planFor(
  context: VerbContext,
  typed: TypedArguments,
  { root, unignored }: Repository,
  isDry: boolean,
): Promise<Plan> {
  const { findStacks } = await import('../../../config/stacks/find-stacks.ts')
  const files = await filesForStacks(root)
  const text = (file: string) => (files.includes(file) ? textOf(join(root, file)) : null)
  const detected = findStacks({ files, text })
  const ask = isDry || context.output.isJson ? null : context.world.ask
  const chosen = await choosePresets((typed.options.preset as readonly string[] | undefined) ?? null, detected, ask)
  const setup = chosen.stacks.flatMap((stack) => stack.setup)
  const driver = await driverFor(context, textOption(typed, 'driver'))
  return { ...chosen, setup, unignored: unwrap(await unignored(setupFolders(setup))), driver }
}

const DEPTH_MAX = 2
const FILES_MAX = 5_000
// Dependencies, build output, and folders that only look like a project.
const IGNORED = new Set(
  'node_modules vendor target dist build out venv env __pycache__ fixtures testdata examples third_party'.split(' '),
)

/** Lists a project's files by their path from its root, down to where its parts usually are. */
async function filesForStacks(root: string): Promise<readonly string[]> {
  const files: string[] = []
  const folders = [{ path: '', depth: 0 }]
  for (let at = folders.shift(); at !== undefined && files.length < FILES_MAX; at = folders.shift()) {
    const entries = await readdir(join(root, at.path), { withFileTypes: true }).catch(() => []) // unreadable
    for (const entry of entries) {
      const path = at.path === '' ? entry.name : `${at.path}/${entry.name}`
      const isSearched = at.depth < DEPTH_MAX && !entry.name.startsWith('.') && !IGNORED.has(entry.name)
      if (entry.isFile()) files.push(path)
      else if (entry.isDirectory() && isSearched) folders.push({ path, depth: at.depth + 1 })
    }
  }
  return files
}

/** Chooses a real agent where this version has one. */
async function driverFor({ world }: VerbContext, wanted: string | null): Promise<string> {
  const { drivers, driverProblem } = await world.adapters()
  const problem = wanted === null ? null : driverProblem(wanted)
  if (problem !== null) refuse(problem.code, problem.message, `Choose one of: ${drivers.join(', ')}.`)
  return wanted ?? drivers.find((name) => name !== 'scripted') ?? 'scripted'
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null // unreadable, so nothing can be detected from it
  }
}

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') refuseExisting(path)
    refuse(
      'settings-unwritable',
      `${path} could not be written: ${unwritableReason(cause)}.`,
      'Make sure that you may write there.',
    )
  }
}

function refuseExisting(path: string): never {
  refuse(
    'settings-exist',
    `${path} already exists; it was not changed.`,
    'Edit it, or print what init would write: longhaul init --dry-run',
  )
}

interface WrittenPlan extends Plan {
  readonly path: string
  readonly text: string
  readonly isDry: boolean
  readonly wroteScript: boolean
  readonly hasCommit: boolean
}

function report({ output }: VerbContext, written: WrittenPlan): void {
  const { stacks, preset, driver, setup, unignored, path, text, isDry } = written
  const gates = written.gates.map(({ name, run }) => ({ name, run }))
  const detected = stacks.map(({ name, folder }) => ({ name, folder }))
  output.json({ file: path, written: !isDry, preset, driver, stacks: detected, gates, setup, unignored, text })
  if (isDry) output.line(text.trimEnd())
  else printSteps(output, written)
}

function printSteps({ line }: Output, plan: WrittenPlan): void {
  const { stacks, gates, setup, unignored, preset, path } = plan
  const names = stacks.map(({ name, folder }) => (folder === '' ? name : `${name} in ${folder}/`))
  line(names.length === 0 ? 'No known stack was detected.' : `Detected: ${names.join(', ')}.`)
  for (const { name, run } of gates) line(`  check "${name}": ${run}`)
  for (const command of setup) line(`  setup: ${command}`)
  for (const folder of unignored) line(`Warning: ${unignoredText(folder).join(' ')}`)
  line(
    `Wrote ${path}${plan.wroteScript ? ` and ${SCRIPT_FILE}` : ''}${preset === null ? '' : ` with preset ${preset}`}.`,
  )
  if (plan.driver === 'scripted') line(`The agent plays ${SCRIPT_FILE}: no model is called, no money is spent.`)
  for (const step of nextSteps(plan)) line(step)
}

function nextSteps({ gates, driver, ...plan }: WrittenPlan): readonly string[] {
  const files = driver === 'scripted' ? `${SETTINGS_FILE} ${SCRIPT_FILE}` : SETTINGS_FILE
  const missing = gates.length === 0 ? `add at least one check under "gates" in ${SETTINGS_FILE}, then ` : ''
  return [
    ...(plan.hasCommit
      ? []
      : ['There is no commit yet: commit your own files, too. Work starts from the last commit.']),
    `Next: ${missing}commit the settings, add a task and run it:`,
    `  git add ${files} && git commit -m "Add Longhaul settings"`,
    '  longhaul add hello --title "Say hello" --weight trivial && longhaul run',
  ]
}
