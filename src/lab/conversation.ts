import type { Ask, Asker, Entry } from './dialect.ts'

/** Where a conversation stands, as its own messages tell. */
export interface LabConversation {
  /** From the heading of Longhaul's brief, or from the folder's name. */
  readonly task: string | null
  readonly attempt: number | null
  /** The phase that its prompts named last. */
  readonly phase: string | null
  /** How many prompts it has had. */
  readonly round: number
  readonly prompt: string
  readonly from: Asker
  /** What came after the last prompt. */
  readonly since: readonly Entry[]
  /** What a person said after the last prompt, in the middle of the round. */
  readonly remark: { readonly text: string; readonly since: readonly Entry[] } | null
}

/** Reads a conversation from its whole history. */
export function conversationOf({ folder, from }: Ask, history: readonly Entry[]): LabConversation {
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

function remarkIn(since: readonly Entry[]): LabConversation['remark'] {
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
