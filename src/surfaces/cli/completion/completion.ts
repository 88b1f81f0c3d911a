import { Argument } from 'commander'
import { findPlace } from '../desk.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { need, refuse } from '../refusal.ts'
import { currentRun, foldRun, readRuns } from '../runs.ts'
import type { Context, Verb } from '../verb.ts'
import { bashScript } from './bash.ts'
import { fishScript } from './fish.ts'
import { type Offer, offersOf } from './offers.ts'
import { zshScript } from './zsh.ts'

const SCRIPTS: Readonly<Record<string, (offers: readonly Offer[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** `longhaul completion`: teaches a shell to complete command lines of ours. */
export const completionVerb: Verb = {
  about:
    'Prints a script that lets a shell complete verbs, options and ids of tasks. For bash: put eval "$(longhaul completion bash)" into ~/.bashrc; for zsh the same with zsh into ~/.zshrc, after compinit; for fish: longhaul completion fish > ~/.config/fish/completions/longhaul.fish.',
  examples: ['longhaul completion bash', 'longhaul completion fish | source'],
  shape: (command) =>
    void command
      .addArgument(new Argument('[shell]', 'the shell').choices(Object.keys(SCRIPTS)))
      .option('--tasks', "print the ids of the run's tasks, as the scripts ask for them"),
  async run(context, { args, options }) {
    if (options.tasks === true) return printTasks(context)
    const script = SCRIPTS[args[0] ?? '']
    if (script === undefined) {
      refuse('wrong-use', 'The shell is missing.', `Name one: longhaul completion ${Object.keys(SCRIPTS).join('|')}`)
    }
    context.output.line(script(offersOf(await context.program())).trimEnd())
    return EXIT.done
  },
}

async function printTasks(context: Context): Promise<ExitCode> {
  const place = await findPlace(context)
  if (!place.hasState()) return EXIT.done
  const { store } = need(await place.openState())
  try {
    const run = currentRun(await readRuns(store))
    const tasks = run === null ? [] : [...(await foldRun(store, run.run)).tasks.keys()]
    for (const task of tasks) context.output.line(task)
    return EXIT.done
  } finally {
    await store.close()
  }
}
