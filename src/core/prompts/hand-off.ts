import type { Receipt } from '../model/verdict.ts'
import { testedText } from '../test-output/tests-text.ts'
import { textPlaceholder } from './text-placeholder.ts'

/** How a session that is nearly full is asked for its note. */
export const NOTE_REQUEST = `Your context window is nearly full. A fresh session goes on with this task in this folder, at this very state; it has the task's brief, the folder, and what you write now, and nothing else of what you know. Use no tools. Answer with the note alone, in this form:

<hand-off>
## Goal
What the task comes to, in a sentence or two.
## Completed
- path/of/a/file: what is finished there
## Remaining
1. What comes next, in order.
## Do not redo
- What was tried and led nowhere, and what must not be done again.
## Decisions
- What was decided, and why.
</hand-off>`

/** What the agent keeps and drops when it compacts its own context. */
export const COMPACT_GUIDANCE = `Keep: the task's id, title and state; which files were changed and why; the results of the last checks; the phase; what the task depends on; git operations that were made; results of tools that the remaining work needs.
Discard: screenshots; long listings; files that were read more than once (keep the latest); output of installations; clean lint and format output.`

/** What a session that was full left: digests of its note and of what had been done. */
export interface HandOffTexts {
  readonly note: string | null
  readonly history: string | null
}

/** What a fresh session is told of the one before it; long texts have their place, and come in when it is sent. */
export function handOffText({ note, history }: HandOffTexts, receipts: readonly Receipt[]): string {
  const parts = [
    note === null ? '' : `The session before you left this note:\n\n${textPlaceholder(note)}`,
    history === null ? '' : `What we know of the work so far:\n\n${textPlaceholder(history)}`,
    receiptsText(receipts),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** The digests of the texts that have a place in an opening. */
export function handOffDigests(left: HandOffTexts | null): readonly string[] {
  return [left?.note, left?.history].flatMap((digest) => digest ?? [])
}

/** The last checks, in a prompt. */
export function receiptsText(receipts: readonly Receipt[]): string {
  return receipts.length === 0 ? '' : `The last checks:\n${receipts.map(receiptText).join('\n')}`
}

/** A receipt on one line. */
export function receiptText(receipt: Receipt): string {
  const { gate, command, passed, exitCode, timedOut } = receipt
  const how = timedOut ? 'took too long' : `exit code ${exitCode}`
  const tested = testedText(receipt)
  return `- ${gate} ("${command}"): ${passed ? 'passed' : how}${tested === '' ? '' : `, ${tested}`}`
}
