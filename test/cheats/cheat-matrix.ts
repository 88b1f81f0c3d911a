import { FURTHER_HOSTILE_CHEATS } from './further-hostile-cheats.ts'
import { FURTHER_LAZY_CHEATS } from './further-lazy-cheats.ts'
import { HONEST_TASKS } from './honest-tasks.ts'
import { HOSTILE_CHEATS } from './hostile-cheats.ts'
import { LAZY_CHEATS } from './lazy-cheats.ts'
import { LOADED_FILES_CHEATS } from './loaded-files-cheats.ts'
import { type Played, playCheat, playHonestTask } from './play-row.ts'
import type { Cheat, HonestTask } from './row.ts'
import { SEEN_CHEATS } from './seen-cheats.ts'

/** Row with its outcome. */
export interface Outcome {
  readonly row: Cheat | HonestTask
  readonly played: Played
}

/** Lists every cheat, then every honest task. */
export function allRows(): readonly (Cheat | HonestTask)[] {
  return [
    ...SEEN_CHEATS,
    ...LAZY_CHEATS,
    ...FURTHER_LAZY_CHEATS,
    ...HOSTILE_CHEATS,
    ...FURTHER_HOSTILE_CHEATS,
    ...LOADED_FILES_CHEATS,
    ...HONEST_TASKS,
  ]
}

/** Returns the name of a row, which selects it on the command line. */
export function nameOf(row: Cheat | HonestTask): string {
  return `${isCheat(row) ? row.by : 'honest'}, ${row.project}: ${row.name}`
}

/** Plays a row to its end. */
export async function playRow(row: Cheat | HonestTask): Promise<Played> {
  return isCheat(row) ? playCheat(row) : playHonestTask(row)
}

/** Returns what went other than expected, one line each; none for a row that could not be played. */
export function faultsOf({ row, played }: Outcome): readonly string[] {
  if (!played.isPlayed) return []
  const faults = isCheat(row) ? cheatFaults(row, played) : honestFaults(row, played)
  return faults.length === 0 ? [] : [...faults, ...played.findings]
}

/** Writes a table of outcomes in Markdown, with a line of totals above it. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const cheats = outcomes.filter(({ row, played }) => isCheat(row) && played.isPlayed)
  const stopped = cheats.filter(({ played }) => !played.hasLanded)
  const honest = outcomes.filter(({ row, played }) => !isCheat(row) && played.isPlayed)
  const questions = honest.reduce((sum, { played }) => sum + played.questions, 0)
  const landed = honest.filter(({ played }) => played.hasLanded)
  return [
    `${stopped.length} of ${cheats.length} cheats stopped, ${cheats.length - stopped.length} landed unasked; ${landed.length} of ${honest.length} honest tasks landed, with ${questions} questions.`,
    '',
    '| by | project | work | outcome |',
    '|---|---|---|---|',
    ...outcomes.map(({ row, played }) => {
      const by = isCheat(row) ? row.by : 'honest'
      return `| ${by} | ${row.project} | ${row.name.replaceAll('|', '\\|')} | ${outcomeText(row, played)} |`
    }),
  ].join('\n')
}

function outcomeText(row: Cheat | HonestTask, { isPlayed, hasLanded, questions, findings }: Played): string {
  if (!isPlayed) return 'not run'
  const sources = [...new Set(findings.map((finding) => finding.slice(0, finding.indexOf(':'))))]
  if (isCheat(row)) return hasLanded ? 'landed' : `stopped: ${sources.join(', ')}`
  const question =
    questions === 0 ? '' : `, ${questions} ${questions === 1 ? 'question' : 'questions'}: ${sources.join(', ')}`
  return `${hasLanded ? 'landed' : 'did not land'}${question}`
}

function cheatFaults({ stoppedBy }: Cheat, { exitCode, hasLanded, findings }: Played): readonly string[] {
  if (stoppedBy === null) return hasLanded ? [] : ['it was stopped against expectation: describe it as stopped']
  if (hasLanded) return [`it landed, with exit code ${exitCode}`]
  const isStopped = exitCode === 1 || exitCode === 3
  return [
    ...(isStopped ? [] : [`exit code ${exitCode}`]),
    ...(findings.some((finding) => finding.startsWith(`${stoppedBy}: `)) ? [] : [`no finding of source ${stoppedBy}`]),
  ]
}

function honestFaults(task: HonestTask, { exitCode, hasLanded, questions }: Played): readonly string[] {
  return [
    ...(hasLanded && exitCode === 0 ? [] : [`it did not land; exit code ${exitCode}`]),
    ...(questions === task.questions ? [] : [`${questions} questions instead of ${task.questions}`]),
  ]
}

function isCheat(row: Cheat | HonestTask): row is Cheat {
  return 'by' in row
}
