import type { TurnSettings } from '../model/settings.ts'
import type { Task, Weight } from '../model/task.ts'
import type { Sample } from '../model/usage.ts'
import { ninetiethPercentile, SAMPLES_MIN, taskKind } from './samples.ts'

/** Turn limit of a round, with its reason. */
export interface TurnLimit {
  readonly turns: number
  readonly why: string
}

type Estimated = Pick<Task, 'title' | 'brief' | 'type' | 'weight' | 'files'>

/** Returns the turn limit for rounds of a task, from similar landed tasks or from its type and size. */
export function turnLimit(task: Estimated, settings: TurnSettings, samples: readonly Sample[]): TurnLimit {
  const { turns, why } = samples.length >= SAMPLES_MIN ? learned(task, samples) : estimated(task, settings.preset)
  const bounded = Math.max(settings.min, Math.min(settings.max, turns))
  const note = bounded === turns ? '' : `, kept within ${settings.min} to ${settings.max}`
  return { turns: bounded, why: `${why}${note}` }
}

function learned(task: Estimated, samples: readonly Sample[]): TurnLimit {
  const used = ninetiethPercentile(samples.map((sample) => sample.turns))
  const turns = Math.ceil(used * LEARNED_FACTOR)
  const why = `${samples.length} landed tasks of the kind ${taskKind(task)} needed up to ${used} turns (90th percentile), times ${LEARNED_FACTOR}`
  return { turns, why }
}

const LEARNED_FACTOR = 1.5

function estimated(task: Estimated, preset: TurnSettings['preset']): TurnLimit {
  const size = sizeOf(task)
  const ofType = (task.type === null ? undefined : TYPE_TURNS[task.type]) ?? TURNS_OF_OTHER_TYPES
  const base = Math.max(ofType, SIZE_TURNS[size])
  return { turns: base * PRESET_FACTOR[preset], why: `limit for ${signsText(task)}` }
}

/** The tables count steps; a step takes a few turns, since a turn is a single model call. */
const PRESET_FACTOR = { lean: 1, default: 5 } as const

const TYPE_TURNS: Readonly<Record<string, number>> = {
  validation: 5,
  code_generation: 12,
  refactoring: 15,
  debugging: 20,
  error_analysis: 8,
  planning: 5,
  documentation: 3,
  testing: 8,
}
const TURNS_OF_OTHER_TYPES = 10

const SIZES = ['simple', 'medium', 'complex', 'very complex'] as const
type Size = (typeof SIZES)[number]
const SIZE_TURNS: Readonly<Record<Size, number>> = { simple: 3, medium: 6, complex: 12, 'very complex': 20 }
const WEIGHT_SIZES: Readonly<Record<Weight, Size>> = {
  trivial: 'simple',
  small: 'simple',
  medium: 'medium',
  large: 'complex',
  greenfield: 'very complex',
}

/** Returns the larger of the sizes by weight and by signs: words, files, lines. */
function sizeOf(task: Estimated): Size {
  const [bySigns, byWeight] = [sizeBySigns(signsOf(task)), WEIGHT_SIZES[task.weight]]
  return SIZES.indexOf(bySigns) > SIZES.indexOf(byWeight) ? bySigns : byWeight
}

function sizeBySigns({ hard, wide, files, lines }: Signs): Size {
  if (lines > 500 || wide.length >= 2 || (hard.length > 2 && files > 8)) return 'very complex'
  if (hard.length > 1 || wide.length > 0 || files > 3) return 'complex'
  return hard.length > 0 || files > 1 ? 'medium' : 'simple'
}

interface Signs {
  readonly hard: readonly string[]
  readonly wide: readonly string[]
  readonly files: number
  readonly lines: number
}

function signsOf({ title, brief, files }: Estimated): Signs {
  const text = `${title}\n${brief}`.toLowerCase()
  const words = new Set(text.match(/[a-z0-9]+(?:-[a-z0-9]+)*/g))
  const lines = [...text.matchAll(/(\d{1,6}) (?:lines|loc)\b/g)].map(([, count]) => Number(count))
  return {
    hard: HARD_WORDS.filter((word) => words.has(word)),
    wide: WIDE_WORDS.filter((word) => words.has(word)),
    files: files.length,
    lines: Math.max(0, ...lines),
  }
}

// Single whole words, so that inserting a word into a phrase never lowers the size.
const HARD_WORDS =
  'migrate refactor implement debug comprehensive entire all complete full across multiple system architecture framework'.split(
    ' ',
  )
const WIDE_WORDS = 'codebase multiple across throughout repository project-wide every everywhere'.split(' ')

function signsText(task: Estimated): string {
  const { hard, wide, files, lines } = signsOf(task)
  const words = [...new Set([...hard, ...wide])]
  const parts = [
    `weight ${task.weight}`,
    task.type === null ? '' : `type ${task.type}`,
    files < 2 ? '' : `${files} files`,
    lines === 0 ? '' : `${lines} lines`,
    words.length === 0 ? '' : `the words ${words.join(', ')}`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}

/** Time limit of a round, with its reason. */
export interface TimeLimit {
  readonly ms: number
  readonly why: string
}

const LEARNED_TIME_FACTOR = 3
const LEARNED_MS_MIN = 15 * 60_000

/** Returns the time limit of a round: the setting, or less where tasks of its kind take much less. */
export function roundTimeLimit(responseMs: number, samples: readonly Sample[]): TimeLimit {
  const learned = Math.max(LEARNED_MS_MIN, LEARNED_TIME_FACTOR * ninetiethPercentile(samples.map(({ ms }) => ms)))
  if (samples.length < SAMPLES_MIN || learned >= responseMs) return { ms: responseMs, why: 'time.response' }
  const why = `${LEARNED_TIME_FACTOR} times what ${samples.length} landed tasks of its kind took (90th percentile), 15 min at least`
  return { ms: learned, why }
}
