import type { Receipt } from '../model/verdict.ts'
import { testedText } from '../test-output/tests-text.ts'
import { textPlaceholder } from './text-placeholder.ts'

/** Prompt that asks a nearly full session for its note. */
export const NOTE_REQUEST = `Your context window is nearly full. A fresh session will continue this task in this folder, from exactly this state. It gets the task's brief, the folder and your note, and nothing else of what you know. Do not use any tools. Answer with the note alone, in this form:

<hand-off>
## Goal
The goal of the task, in one or two sentences.
## Completed
- path/to/file: what is finished there
## Remaining
1. Next steps, in order.
## Do not redo
- Dead ends, and steps that must not be repeated.
## Decisions
- Decisions, with reasons.
</hand-off>`

/** Instructions for an agent that compacts its own context. */
export const COMPACT_GUIDANCE = `Keep: the task's id, title and state; which files were changed and why; the results of the last checks; the phase; what the task depends on; git operations performed; tool results that the remaining work needs.
Discard: screenshots; long listings; older copies of files that were read more than once; installation output; clean lint and format output.`

/** Digests of the note and the work history that a full session left. */
export interface HandOffTexts {
  readonly note: string | null
  readonly history: string | null
}

/** Describes the last session to a fresh one; placeholders stand for long texts until the prompt is sent. */
export function handOffText({ note, history }: HandOffTexts, receipts: readonly Receipt[]): string {
  const parts = [
    note === null ? '' : `The last session left this note:\n\n${textPlaceholder(note)}`,
    history === null ? '' : `Recorded history of the work so far:\n\n${textPlaceholder(history)}`,
    receiptsText(receipts),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** Returns the digests of the texts that a first prompt refers to. */
export function handOffDigests(left: HandOffTexts | null): readonly string[] {
  return [left?.note, left?.history].flatMap((digest) => digest ?? [])
}

/** Formats the results of the last checks for a prompt. */
export function receiptsText(receipts: readonly Receipt[]): string {
  return receipts.length === 0 ? '' : `The last checks:\n${receipts.map(receiptText).join('\n')}`
}

/** Formats a receipt as one line. */
export function receiptText(receipt: Receipt): string {
  const { gate, command, passed, exitCode, timedOut } = receipt
  const failure = timedOut ? 'timed out' : `exit code ${exitCode}`
  const tested = testedText(receipt)
  return `- ${gate} ("${command}"): ${passed ? 'passed' : failure}${tested === '' ? '' : `, ${tested}`}`
}
