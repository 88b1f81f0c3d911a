import { Command, CommanderError } from 'commander'
import { type Problem, ProblemError, problem } from '../../core/model/problem.ts'
import { isOpenToAgents, onlyForPeople } from '../../core/sandbox/attempt-signs.ts'
import { EXIT } from './exit-codes.ts'
import { openOutput } from './output.ts'
import type { TypedArguments, Verb, VerbGroup } from './verb.ts'
import type { RequestVerbName } from './verbs/request-verbs.ts'
import type { World } from './world.ts'

interface VerbEntry {
  readonly name: string
  /** Heading in the list of verbs. */
  readonly heading: string
  /** Line in the list of verbs. */
  readonly summary: string
  /** Loads the verb; called only for the verb that was typed. */
  load(): Promise<Verb | VerbGroup>
}

const VERBS: readonly VerbEntry[] = [
  ...group(
    'Start:',
    entry(
      'demo',
      'watch a whole run on a sample project, without a model',
      async () => (await import('./verbs/demo.ts')).demoVerb,
    ),
    entry('init', 'write a longhaul.yaml for this repository', async () => (await import('./verbs/init.ts')).initVerb),
    entry('import', 'import tasks from files', async () => (await import('./verbs/import.ts')).importVerb),
    entry('add', 'add one task', async () => (await import('./verbs/add.ts')).addVerb),
    entry('run', 'work through the open run, or continue it', async () => (await import('./verbs/run.ts')).runVerb),
  ),
  ...group(
    'Inspect:',
    entry(
      'status',
      'show the state of the run and its tasks',
      async () => (await import('./verbs/status.ts')).statusVerb,
    ),
    entry(
      'watch',
      'follow a run live, from another terminal',
      async () => (await import('./verbs/watch.ts')).watchVerb,
    ),
    entry('show', "show a task's full history", async () => (await import('./verbs/show.ts')).showVerb),
    entry('diff', 'show what a task changed', async () => (await import('./verbs/diff.ts')).diffVerb),
    entry('log', 'show every event, one line each', async () => (await import('./verbs/log.ts')).logVerb),
    entry(
      'verify',
      'run the checks of a landed task again',
      async () => (await import('./verbs/verify.ts')).verifyVerb,
    ),
  ),
  ...group(
    'Steer:',
    entry('pause', 'stop starting new work', request('pause')),
    entry('resume', 'end a pause', request('resume')),
    entry('stop', 'stop the engine, or one task', async () => (await import('./verbs/stop.ts')).stopVerb),
    entry('steer', 'send a message to the agent of a task', request('steer')),
    entry(
      'approve',
      'approve work that is waiting for you',
      async () => (await import('./verbs/approve.ts')).approveVerb,
    ),
    entry('reject', 'send back work that is waiting for you', request('reject')),
    entry('answer', "answer an agent's question", request('answer')),
    entry('skip', 'leave out a task', request('skip')),
    entry('retry', 'reopen a failed or held task', request('retry')),
    entry(
      'revert',
      "undo a landed task's work with a new commit",
      async () => (await import('./verbs/revert.ts')).revertVerb,
    ),
  ),
  ...group(
    'Maintain:',
    entry(
      'config',
      'show, validate and explain the settings',
      async () => (await import('./config/config.ts')).configGroup,
    ),
    entry(
      'doctor',
      'check the machine, the repository and the state',
      async () => (await import('./doctor/doctor.ts')).doctorVerb,
    ),
    entry('gc', 'remove what is no longer needed', async () => (await import('./gc/gc.ts')).gcVerb),
    entry(
      'recover',
      'rebuild from git what a lost state knew',
      async () => (await import('./verbs/recover.ts')).recoverVerb,
    ),
    entry('backup', 'copy the state into one file', async () => (await import('./verbs/backup.ts')).backupVerb),
    entry('export', 'write runs as plain files', async () => (await import('./verbs/export.ts')).exportVerb),
    entry(
      'lab',
      'start a scripted model server, for rehearsing offline',
      async () => (await import('./verbs/lab.ts')).labVerb,
    ),
    entry(
      'completion',
      'set up completion for your shell',
      async () => (await import('./completion/completion.ts')).completionVerb,
    ),
  ),
]

/** Runs a command line and returns the exit code. */
export async function runCli(args: readonly string[], world: World, version: string): Promise<number> {
  if (args[0] === 'help') return runCli([...args.slice(1), '--help'], world, version)
  if (isMistyped(args[0]) && args.some(isHelp))
    return runCli(
      args.filter((word) => !isHelp(word)),
      world,
      version,
    )
  // A closed pipe must not end the program.
  for (const stream of [world.stdout, world.stderr]) stream.on('error', () => {})
  const isJson = args.includes('--json')
  let exitCode: number = EXIT.done
  const program = newProgram(world, version)
  for (const { name, heading, summary, load } of VERBS) {
    const command = program.command(name).summary(summary).helpGroup(heading).copyInheritedSettings(program)
    if (name !== args[0]) continue
    offer(command, await load(), async (verb, typed) => {
      const output = openOutput(world, isJson)
      await refuseInsideAttempt(world, name, typed)
      exitCode = await verb.run({ world, output, program: (name) => shapedProgram(world, version, name) }, typed)
    })
  }
  try {
    await program.parseAsync([...args], { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done
    const problems = problemsOf(error, args, program)
    if (problems === null) throw error
    if (problems.length > 0) openOutput(world, isJson).problems(problems)
    return problems.some(({ code }) => code === 'settings-unapproved') ? EXIT.waiting : EXIT.wrong
  }
}

/** Refuses verbs for people to programs of attempts, before anything is looked for. */
async function refuseInsideAttempt(world: World, verb: string, { options }: TypedArguments): Promise<void> {
  if (isOpenToAgents(verb, options)) return
  const sign = await (await world.adapters()).attemptAround(world)
  if (sign !== null) throw new ProblemError(onlyForPeople(verb, sign))
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h'
}

/** True for a word in the place of a verb that names none, so there is no help for it. */
function isMistyped(word: string | undefined): boolean {
  return word !== undefined && !word.startsWith('-') && !VERBS.some(({ name }) => name === word)
}

/** Returns all commands for completion; only the named one has its arguments and options. */
async function shapedProgram(world: World, version: string, shaped: string): Promise<Command> {
  const program = newProgram(world, version)
  for (const { name, summary, load } of VERBS) {
    const command = program.command(name).summary(summary)
    if (name === shaped) offer(command, await load(), async () => {})
  }
  return program
}

function newProgram({ stdout, stderr }: World, version: string): Command {
  return new Command('longhaul')
    .description('Runs coding agents unattended: from a backlog to verified, merged commits.')
    .version(version)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      outputError: () => {},
    })
    .addHelpText('after', '\nFirst time here: longhaul demo. In your own repository: longhaul init.')
}

type Start = (verb: Verb, typed: TypedArguments) => Promise<void>

/** Gives a command the behaviour of a verb, or of each part of a group. */
function offer(command: Command, offered: Verb | VerbGroup, start: Start): void {
  describe(command, offered)
  if ('parts' in offered) {
    command.helpCommand(false)
    for (const { name, summary, verb } of offered.parts) {
      offer(command.command(name).summary(summary).copyInheritedSettings(command), verb, start)
    }
  } else {
    offered.shape(command)
    command.action(() => start(offered, { args: command.args, options: command.opts() }))
  }
}

function describe(command: Command, { about, examples }: Verb | VerbGroup): void {
  command.description(about)
  command.addHelpText('after', `\nExample:\n${examples.map((example) => `  ${example}`).join('\n')}`)
}

type UngroupedVerb = Omit<VerbEntry, 'heading'>

function group(heading: string, ...verbs: readonly UngroupedVerb[]): readonly VerbEntry[] {
  return verbs.map((verb) => ({ ...verb, heading }))
}

function request(name: RequestVerbName): VerbEntry['load'] {
  return async () => (await import('./verbs/request-verbs.ts')).requestVerb(name)
}

function entry(name: string, summary: string, load: VerbEntry['load']): UngroupedVerb {
  return { name, summary, load }
}

/** Returns the problems behind an exception: none when help was shown, null when it is a bug. */
function problemsOf(error: unknown, args: readonly string[], program: Command): readonly Problem[] | null {
  if (error instanceof ProblemError) return error.problems
  if (!(error instanceof CommanderError)) return null
  return error.code === 'commander.help' ? [] : [wrongUse(error, args, program)]
}

function wrongUse({ message }: CommanderError, args: readonly string[], program: Command): Problem {
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n')
  const meant = MEANT[args.slice(0, 2).join(' ')]
  const suggestion = meant ?? /Did you mean (?:one of )?(.+?)\?\)?$/.exec(rest.join(' '))?.[1]
  const help = `See "${[...namesTyped(args, program), '--help'].join(' ')}".`
  return problem({
    code: 'wrong-use',
    message: `${first.slice(0, 1).toUpperCase()}${first.slice(1).replace(/(?<![.!?])$/, '.')}`,
    hint: suggestion === undefined ? help : `Did you mean ${suggestion}? ${help}`,
    retry: 'person',
  })
}

// Words that other programs use, which are not spelled like ours.
const MEANT: Readonly<Record<string, string>> = {
  'config check': 'validate',
  'config lint': 'validate',
  'config list': 'show',
  'config get': 'explain',
}

/** Returns the valid command names at the start of a command line. */
function namesTyped([name, ...rest]: readonly string[], command: Command): readonly string[] {
  const part = command.commands.find((one) => one.name() === name)
  return part === undefined ? [command.name()] : [command.name(), ...namesTyped(rest, part)]
}
