import { counted } from '../../../core/views/line-parts.ts'
import type { Neighbour, TaskStory } from '../../../core/views/story/task-story.ts'
import type { Output } from '../output.ts'
import { cut, indented, left, wrap } from './columns.ts'
import { renderAttempt, type StoryLook } from './render-attempt.ts'
import { stateName } from './render-status.ts'
import { spentText } from './spending.ts'
import { dateAndTime } from './times.ts'

/** Renders a task's story for people, on one page. */
export function renderStory(story: TaskStory, look: StoryLook): readonly string[] {
  const { colors, width } = look
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', colors.bold(title), ...lines.flatMap((line) => indented(line, 2, width))]
  return [
    ...headOf(story, look),
    ...section('Brief', story.brief === '' ? [] : [story.brief]),
    ...section('Accepted when', story.acceptance.map(bullet)),
    ...section(
      'Must pass',
      story.verify.map((command) => bullet(verifyText(story, command))),
    ),
    ...section('Files it expects to change', story.files.map(bullet)),
    ...section('Waits for', neighbours(story.after, width)),
    ...section('Waited for by', neighbours(story.before, width)),
    ...story.attempts.flatMap((attempt) => ['', ...renderAttempt(attempt, look)]),
    ...section('Landed', landedLines(story)),
    ...section('Last problem', story.problem === null ? [] : [story.problem.message, story.problem.hint]),
    // A single attempt has already shown its cost.
    ...(story.attempts.length === 1 ? [] : ['', ...wrap(spentText(story.spent), width)]),
  ]
}

function headOf(story: TaskStory, { colors, width }: StoryLook): readonly string[] {
  const { id, title, state, reason, run, weight, type, milestone, priority, attempts } = story
  const stateText = reason === null ? stateName(state) : `${stateName(state)}: ${reason}`
  const facts = [
    `run ${run}`,
    `weight ${weight}`,
    ...(type === null ? [] : [`type ${type}`]),
    ...(milestone === null ? [] : [`milestone ${milestone.id} (${milestone.title})`]),
    ...(priority === 0 ? [] : [`priority ${priority}`]),
    counted(attempts.length, 'attempt'),
  ]
  return [
    ...wrap(`${id}: ${title}`, width).map(colors.bold),
    ...wrap(stateText, width).map(stateColor(state, colors)),
    ...wrap(facts.join(', '), width).map(colors.dim),
  ]
}

function stateColor(state: TaskStory['state'], colors: Output['colors']): (text: string) => string {
  if (state === 'done') return colors.green
  if (state === 'failed' || state === 'blocked') return colors.red
  return state === 'needs-person' || state === 'parked' ? colors.yellow : (text) => text
}

function verifyText({ alreadyGreen }: TaskStory, command: string): string {
  return alreadyGreen.includes(command) ? `${command} (already passed before the work)` : command
}

function bullet(text: string): string {
  return `- ${text}`
}

const NEIGHBOURS_MAX = 12

function neighbours(tasks: readonly Neighbour[], width: number | null): readonly string[] {
  const shown = tasks.slice(0, NEIGHBOURS_MAX).map(({ id, title, state }) => {
    return cut(`${left(stateName(state), STATE_WIDTH)}  ${id}: ${title}`, width === null ? null : width - 2)
  })
  const more = tasks.length - shown.length
  return more === 0 ? shown : [...shown, `… and ${more} more`]
}

const STATE_WIDTH = 'needs-person'.length

function landedLines({ landed }: TaskStory): readonly string[] {
  if (landed === null) return []
  const { at, attempt, commit, proof, revertedBy } = landed
  return [
    `${commit} of ${attempt}, ${dateAndTime(Date.parse(at))}`,
    `proof: ${proof}`,
    ...(revertedBy === null ? [] : [`reverted by ${revertedBy}`]),
  ]
}
