import { join } from 'node:path'
import { KNOWLEDGE_FILE, knowledgePage } from '../../../core/knowledge/keep-knowledge.ts'
import type { TaskId } from '../../../core/model/ids.ts'
import { type Problem, ProblemError } from '../../../core/model/problem.ts'
import type { ProposalRecord } from '../../../core/model/proposal.ts'
import { newRun, type RunState } from '../../../core/run/state.ts'
import type { Repository } from '../../../ports/repository.ts'
import type { Store } from '../../../ports/store.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { indented, wrap } from '../render/columns.ts'
import { dateAndTime } from '../render/times.ts'
import { currentRun, foldRun, readRuns } from '../repository/runs.ts'
import type { VerbContext } from '../verb.ts'

/** Shows everything that agents have learned in a repository. */
export async function showKnowledge({ output }: VerbContext, repository: Repository, store: Store): Promise<ExitCode> {
  const { knowledge } = await lastRun(store)
  output.json({ knowledge, file: join(repository.stateFolder, KNOWLEDGE_FILE) })
  if (knowledge.length === 0) output.remark('No agent has recorded anything here yet.')
  else for (const line of wrap(knowledgePage(knowledge).trimEnd(), output.width)) output.line(line)
  return EXIT.done
}

/** Shows a task that an agent proposed, or refuses with the problem passed in. */
export async function showProposal(
  { output }: VerbContext,
  store: Store,
  task: TaskId,
  unknown: Problem,
): Promise<ExitCode> {
  const { id: run, proposals } = await lastRun(store)
  const record = proposals.get(task)
  if (record === undefined) throw new ProblemError(unknown)
  const { proposal, attempt, at } = record
  const by = { task: record.task, attempt }
  output.json({ run, ...proposal, state: 'proposed', by, at: new Date(at).toISOString() })
  for (const line of renderProposal(record, output)) output.line(line)
  return EXIT.done
}

function renderProposal({ proposal, attempt, at }: ProposalRecord, { colors, width }: Output): readonly string[] {
  const { id, title, brief, acceptance, verify, after } = proposal
  const section = (head: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', colors.bold(head), ...lines.flatMap((line) => indented(line, 2, width))]
  return [
    ...wrap(`${id}: ${title}`, width).map(colors.bold),
    ...wrap(`proposed by the agent of ${attempt}, ${dateAndTime(at)}; waiting for your decision`, width).map(
      colors.yellow,
    ),
    ...section('Brief', [brief]),
    ...section('Accepted when', acceptance.map(bullet)),
    ...section('Commands that would run as its checks', verify.map(bullet)),
    ...section('Comes after', after.map(bullet)),
    '',
    // Not wrapped: commands are there to be copied.
    `To add it: longhaul approve ${id}`,
    `To decline it: longhaul reject ${id} "WHY"`,
  ]
}

function bullet(text: string): string {
  return `- ${text}`
}

async function lastRun(store: Store): Promise<RunState> {
  const current = currentRun(await readRuns(store))
  return current === null ? newRun() : foldRun(store, current.run)
}
