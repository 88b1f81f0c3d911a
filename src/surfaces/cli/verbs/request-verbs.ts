import type { Answer } from '../../../core/model/attempt-event.ts'
import type { TaskId } from '../../../core/model/ids.ts'
import type { Request } from '../../../core/model/input.ts'
import { dependentsOf } from '../../../core/schedule/graph-queries.ts'
import { EXIT } from '../exit-codes.ts'
import { refuse } from '../refusal.ts'
import { type AllTasks, readAllTasks } from '../repository/all-tasks.ts'
import { type AnsweredByRun, askCurrentRun } from '../repository/ask-run.ts'
import type { OpenRepository } from '../repository/open-repository.ts'
import { attemptsBefore, currentRun, foldRun, readRuns } from '../repository/runs.ts'
import type { Verb } from '../verb.ts'

/** A verb that sends one request to the current run and prints the outcome. */
interface RequestVerb extends Pick<Verb, 'about' | 'examples'> {
  readonly arguments: readonly (readonly [name: string, description: string])[]
  request(typed: TypedRequest, open: OpenRepository): Request | Promise<Request>
  json(outcome: Outcome): object
  lines(outcome: Outcome): readonly string[]
  /** Side effect that the user may not expect, or null. */
  warning?(outcome: Outcome): string | null
}

interface TypedRequest {
  readonly task: TaskId
  readonly text: string
}

interface Outcome extends TypedRequest, AnsweredByRun {
  readonly request: Request
}

/** Names of the verbs that send one request to the current run. */
export type RequestVerbName = 'pause' | 'resume' | 'stop' | 'steer' | 'approve' | 'reject' | 'answer' | 'skip' | 'retry'

/** Turns a row of the table below into a verb. */
export function requestVerb(name: RequestVerbName): Verb {
  const row = REQUEST_VERBS[name]
  return {
    about: row.about,
    examples: row.examples,
    shape(command) {
      for (const [argument, description] of row.arguments) command.argument(argument, description)
      command.option('--json', 'print the outcome as JSON')
    },
    async run(context, { args }) {
      const typed = { task: (args[0] ?? '') as TaskId, text: args[1] ?? '' }
      const answered = await askCurrentRun(context, name, async (open) => row.request(typed, open))
      const outcome = { ...typed, ...answered }
      const { output } = context
      output.json(row.json(outcome))
      for (const line of row.lines(outcome)) output.line(line)
      const warning = row.warning?.(outcome) ?? null
      if (warning !== null) output.remark(output.colors.yellow(warning))
      return EXIT.done
    },
  }
}

const TASK = ['<task>', 'the task'] as const

const REQUEST_VERBS: Readonly<Record<RequestVerbName, RequestVerb>> = {
  pause: {
    about:
      'Pauses the run. Rounds that are already running finish, finished work still lands, and nothing new starts until "longhaul resume". A running engine stays up and waits; engines started later respect the pause too.',
    examples: ['longhaul pause', 'longhaul pause && longhaul status'],
    arguments: [],
    request: () => ({ kind: 'pause' }),
    json: ({ state, counts, byEngine }) => ({
      run: state.id,
      isPaused: true,
      isChanged: counts['run-paused'] === 1,
      byEngine,
    }),
    lines: ({ state, counts, byEngine }) => [
      counts['run-paused'] === 1 ? `Run ${state.id} is paused.` : `Run ${state.id} was already paused.`,
      ...(state.working.size > 0 && byEngine ? ['Rounds that are already running will finish.'] : []),
      'To continue: longhaul resume',
    ],
  },
  resume: {
    about: 'Ends a pause. A running engine continues immediately; without one, start it with "longhaul run".',
    examples: ['longhaul resume', 'longhaul resume && longhaul run'],
    arguments: [],
    request: () => ({ kind: 'resume' }),
    json: ({ state, counts, byEngine }) => ({
      run: state.id,
      isPaused: false,
      isChanged: counts['run-resumed'] === 1,
      byEngine,
    }),
    lines: ({ state, counts, byEngine }) => [
      counts['run-resumed'] === 1 ? `Run ${state.id} is no longer paused.` : `Run ${state.id} is not paused.`,
      state.endedAt === null ? nextStep(byEngine, 'The running engine continues.') : 'The run has ended.',
    ],
  },
  stop: {
    about:
      'Without a task: the engine stops its rounds, saves their work and exits; "longhaul run" continues later. With a task: its attempt is stopped, and the task counts as failed until "longhaul retry".',
    examples: ['longhaul stop', 'longhaul stop fix-login'],
    arguments: [['[task]', 'the task to stop']],
    request: ({ task }) => ({ kind: 'stop-task', task }),
    json: ({ task }) => ({ stopped: task }),
    lines: ({ task }) => [`${task} is stopped, and its work is kept. To reopen it: longhaul retry ${task}`],
  },
  steer: {
    about:
      'Sends a message to the agent of a task: immediately if its driver can add to a running session, otherwise with its next prompt. Later attempts at the task receive it too.',
    examples: ['longhaul steer fix-login "Leave the old form in place; add the new one beside it."'],
    arguments: [TASK, ['<text>', 'what its agent should know']],
    request: ({ task, text }) => ({ kind: 'steer', task, text }),
    json: ({ task, state, byEngine }) => ({
      steered: task,
      number: state.tasks.get(task)?.steering.length ?? 0,
      isLive: isLive({ task, state }),
      byEngine,
    }),
    lines: ({ task, state, byEngine }) => [
      isLive({ task, state }) && byEngine
        ? `Message sent to the agent of ${task}.`
        : `The agent of ${task} receives the message when it next works.`,
    ],
  },
  approve: {
    about:
      'Approves work that is waiting for you: at a breakpoint before a phase or landing, in a phase that a person does, or after an undecided review. The task continues from there. If an agent proposed the task, it is added to the run. "longhaul approve longhaul.yaml" approves settings that an agent has changed.',
    examples: [
      'longhaul approve fix-login',
      'longhaul approve fix-login "The skipped test is intended."',
      'longhaul approve longhaul.yaml',
    ],
    arguments: [
      ['<task>', 'the task, or longhaul.yaml'],
      ['[text]', 'why, for the record'],
    ],
    ...answering('approved'),
  },
  reject: {
    about:
      'Rejects work that is waiting for you. It goes back to be fixed, and its agent receives your text. If an agent proposed the task, it is not added.',
    examples: ['longhaul reject fix-login "The old form has to stay."'],
    arguments: [TASK, ['<text>', 'what has to change']],
    ...answering('rejected'),
  },
  answer: {
    about:
      'Answers a question that an agent is waiting on. The agent continues in the same workspace, and in the same session if its context has room.',
    examples: ['longhaul answer fix-login "Use port 8080."'],
    arguments: [TASK, ['<text>', 'the answer']],
    ...answering('answered'),
  },
  skip: {
    about:
      'Skips a task: stops its attempt, keeps its work, and lets dependent tasks proceed as if it had landed. To reopen it: longhaul retry.',
    examples: ['longhaul skip fix-login'],
    arguments: [TASK],
    request: ({ task }) => ({ kind: 'skip', task }),
    json: ({ task, state, byEngine }) => ({ skipped: task, dependents: dependentsOf(state.graph, task), byEngine }),
    lines: ({ task }) => [`${task} is skipped. To reopen it: longhaul retry ${task}`],
    warning({ task, state }) {
      const dependents = dependentsOf(state.graph, task)
      return dependents.length === 0 ? null : `These tasks proceed without its work: ${dependents.join(', ')}`
    },
  },
  retry: {
    about:
      'Reopens a task of the last run that failed, was stopped, skipped or reverted, or needs a person, with a fresh count of attempts. Reopens the run if it has ended.',
    examples: ['longhaul retry fix-login && longhaul run'],
    arguments: [TASK],
    async request({ task }, open) {
      refuseEarlierRun(await readAllTasks(open.state.store), task)
      return { kind: 'retry', task }
    },
    json: ({ task, byEngine }) => ({ retried: task, byEngine }),
    lines: ({ task, byEngine }) => [`${task} is open again. ${nextStep(byEngine, 'The running engine retries it.')}`],
  },
}

/** Refuses a task that only an earlier run has: that run stays ended, because a later one has begun. */
function refuseEarlierRun({ current, tasks }: AllTasks, task: TaskId): void {
  const known = tasks.get(task)
  if (known === undefined || known.run === current) return
  const message = `${task} belongs to run ${known.id}; only tasks of the latest run, ${current.id}, can be retried.`
  const hint =
    known.record.landed === null
      ? `Add it again: longhaul add ${task} --title TEXT, or longhaul import FILE.`
      : `It has landed. To redo it: longhaul revert ${task}, then longhaul retry ${task}.`
  refuse('task-of-earlier-run', message, hint)
}

function nextStep(byEngine: boolean, whatTheEngineDoes: string): string {
  return byEngine ? whatTheEngineDoes : 'Next: longhaul run'
}

function isLive({ task, state }: Pick<Outcome, 'task' | 'state'>): boolean {
  const live = state.tasks.get(task)?.live ?? null
  return live !== null
}

/** Answers a task that waits for a person, or decides on a task that an agent proposed. */
function answering(kind: Answer['kind']): Pick<RequestVerb, 'request' | 'json' | 'lines'> {
  return {
    async request({ task, text }, open) {
      const isProposal = kind !== 'answered' && (await isProposed(open, task))
      if (!isProposal) return { kind: 'answer', task, answer: { kind, text } }
      if (kind === 'rejected') return { kind: 'decline-proposal', task, text }
      const tried = await attemptsBefore(open, [task])
      return { kind: 'accept-proposal', task, attemptsBefore: tried[task] ?? 0, text }
    },
    json: ({ task, text, byEngine }) => ({ task, answer: kind, text, byEngine }),
    lines: (outcome) => [answerLine(kind, outcome)],
  }
}

function answerLine(kind: Answer['kind'], { request, task, byEngine }: Outcome): string {
  switch (request.kind) {
    case 'decline-proposal':
      return `${task} is declined; none of its commands was run.`
    case 'accept-proposal': {
      const next = nextStep(byEngine, 'The running engine picks it up.')
      return `${task} is now a task, and its commands are among its checks. ${next}`
    }
    default:
      return `${task} is ${kind}: it continues ${byEngine ? 'as soon as a slot is free' : 'with the next "longhaul run"'}.`
  }
}

async function isProposed({ state }: OpenRepository, task: TaskId): Promise<boolean> {
  const current = currentRun(await readRuns(state.store))
  return current !== null && (await foldRun(state.store, current.run)).proposals.has(task)
}
