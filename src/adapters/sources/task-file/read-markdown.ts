import type { PlacedFault } from '../../../core/reading/file-problems.ts'
import type { Reading } from './raw-backlog.ts'

/** Reads a checklist: "- [ ] id: title (after: a, b)" with an indented brief below; "[x]" is done. */
export function readMarkdown(text: string): Reading {
  const tasks: Item['task'][] = []
  const lines: number[] = []
  const done = new Set<number>()
  const faults: PlacedFault[] = []
  for (const block of blocksOf(text.split('\n'))) {
    const item = itemOf(block)
    if (item === null) {
      faults.push(malformed(block))
      continue
    }
    if (item.isDone) done.add(tasks.length)
    tasks.push(item.task)
    lines.push(block.line)
  }
  return { raw: { milestones: [], tasks, done, lineOf: (_, index) => lines[index] ?? 1 }, faults }
}

/** Line with a checkbox, and the indented lines below it. */
interface Block {
  readonly line: number
  readonly head: string
  readonly body: readonly string[]
}

interface Item {
  readonly isDone: boolean
  readonly task: {
    readonly id: string
    readonly title: string
    readonly brief: string
    readonly after: readonly string[]
  }
}

// Also matches misspelled checkboxes, so that no task is silently skipped; but not links.
const BOX = /^[-*+] ?\[.?\](?!\()/
const ITEM = /^[-*+] +\[([ xX])\] +([^:]+?) *: *(.*)$/
const AFTER = /\s*\(after:([^()]*)\)\s*$/i
const FENCE = /^(```|~~~)/

function* blocksOf(lines: readonly string[]): Generator<Block> {
  let isCode = false
  for (let at = 0; at < lines.length; at++) {
    const head = lines[at] ?? ''
    if (FENCE.test(head)) isCode = !isCode
    if (isCode || !BOX.test(head)) continue
    let end = at + 1
    while (end < lines.length && !/^\S/.test(lines[end] ?? '')) end++
    yield { line: at + 1, head: head.trimEnd(), body: lines.slice(at + 1, end) }
  }
}

function itemOf({ head, body }: Block): Item | null {
  const [, box, id, rest] = ITEM.exec(head) ?? []
  if (box === undefined || id === undefined || rest === undefined) return null
  const isDone = box !== ' '
  const after = (AFTER.exec(rest)?.[1] ?? '').split(',').map((name) => name.trim())
  const title = rest.replace(AFTER, '').trim()
  // The dependencies of a done task no longer matter.
  return {
    isDone,
    task: { id, title, brief: dedented(body), after: isDone ? [] : after.filter((name) => name !== '') },
  }
}

function dedented(body: readonly string[]): string {
  const lines = body.map((line) => line.replaceAll('\t', '    ').trimEnd())
  const margins = lines.filter((line) => line !== '').map((line) => line.search(/\S/))
  const margin = Math.min(...margins)
  return lines
    .map((line) => line.slice(margin))
    .join('\n')
    .replaceAll(/^\n+|\n+$/g, '')
}

function malformed({ line, head }: Block): PlacedFault {
  return {
    code: 'task-file-syntax',
    line,
    message: `expected "- [ ] id: title", got ${JSON.stringify(head.slice(0, 60))}.`,
    hint: 'Write "- [ ] ", an id without spaces, a colon and a title; "- [x] " for a finished task.',
  }
}
