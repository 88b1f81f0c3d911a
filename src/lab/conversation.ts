import type { HistoryEntry, ModelRequest, RequestOrigin } from './dialect.ts'

/** State of a conversation, read from its messages. */
export interface LabConversation {
  /** Task in the heading of Longhaul's brief or in the folder's name, or null. */
  readonly task: string | null
  readonly attempt: number | null
  /** Phase that the prompts named last. */
  readonly phase: string | null
  /** Number of prompts. */
  readonly round: number
  readonly prompt: string
  readonly from: RequestOrigin
  /** Entries after the last prompt. */
  readonly since: readonly HistoryEntry[]
  /** Remark of a person after the last prompt, and the entries after it. */
  readonly remark: { readonly text: string; readonly since: readonly HistoryEntry[] } | null
}

/** Reads a conversation from its whole history. */
export function conversationOf({ folder, from }: ModelRequest, history: readonly HistoryEntry[]): LabConversation {
  const prompts = history.filter((entry) => entry.kind === 'prompt').map(({ text }) => text)
  const last = history.findLastIndex(({ kind }) => kind === 'prompt')
  const since = history.slice(last + 1)
  const place = attemptFolder(folder ?? '')
  return {
    task: taskIn(prompts) ?? place?.task ?? null,
    attempt: place?.attempt ?? null,
    phase: prompts.flatMap((text) => [...text.matchAll(PHASE)]).at(-1)?.[1] ?? null,
    round: prompts.length,
    prompt: prompts.at(-1) ?? '',
    from,
    since,
    remark: remarkIn(since),
  }
}

function remarkIn(since: readonly HistoryEntry[]): LabConversation['remark'] {
  const at = since.findLastIndex(({ kind }) => kind === 'remark')
  const entry = since[at]
  return entry?.kind === 'remark' ? { text: entry.text, since: since.slice(at + 1) } : null
}

const PHASE = /^## Phase: ([a-z][a-z0-9-]*)$/gm
const HEADING = /^# ([A-Za-z0-9._-]{1,64}): /m

function taskIn(prompts: readonly string[]): string | null {
  return prompts.flatMap((text) => HEADING.exec(text)?.[1] ?? [])[0] ?? null
}

function attemptFolder(folder: string): { readonly task: string; readonly attempt: number } | null {
  const [, task, attempt] = /\/([^/]+)-a(\d+)(?:\/tree)?\/?$/.exec(folder) ?? []
  return task === undefined ? null : { task, attempt: Number(attempt) }
}
