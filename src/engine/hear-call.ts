import type { AttemptState } from '../core/attempt/state.ts'
import { readNote } from '../core/context/read-note.ts'
import type { AttemptEvent } from '../core/model/attempt-event.ts'
import type { AttemptInput, Decision } from '../core/model/input.ts'
import type { RecordedCall, ToolAnswer, ToolCall } from '../core/model/tool-call.ts'
import type { RunState } from '../core/run/state.ts'
import { answerRead } from '../core/tools/answer-read.ts'
import { recordedText, whyNotProposed } from '../core/tools/recorded-text.ts'
import { blobOf, NO_BLOB } from './blob.ts'

/** Where an agent's calls find what they need. */
export interface Hearing {
  attempt(): AttemptState
  run(): RunState
  /** Answers when it is durable; null: the engine is dying. */
  record(
    input: Extract<AttemptInput, { kind: 'tool-called' }>,
    blobs: ReadonlyMap<string, string>,
  ): Promise<Decision<AttemptEvent> | null>
}

/** Answers an agent's call of our tools: at once what it wants to know, and what it says when that is recorded. */
export async function hearCall(round: number, call: ToolCall, hearing: Hearing): Promise<ToolAnswer> {
  switch (call.kind) {
    case 'task':
    case 'backlog':
    case 'checks':
    case 'findings':
    case 'limits':
    case 'recall':
      return answerRead(call, { attempt: hearing.attempt(), run: hearing.run() })
    case 'note': {
      const { text, quality } = readNote(call.text)
      const { digest, blobs } = blobOf(text)
      if (digest === null) return refusal('the note is empty')
      return record(round, { kind: 'note', digest, quality }, blobs, hearing)
    }
    case 'propose': {
      const why = whyNotProposed(call.proposal, hearing.run(), hearing.attempt())
      return why === null ? record(round, call, NO_BLOB.blobs, hearing) : refusal(why)
    }
    default:
      return record(round, call, NO_BLOB.blobs, hearing)
  }
}

async function record(
  round: number,
  call: RecordedCall,
  blobs: ReadonlyMap<string, string>,
  hearing: Hearing,
): Promise<ToolAnswer> {
  const decision = await hearing.record({ kind: 'tool-called', round, call }, blobs)
  if (decision === null) return refusal('the engine is stopping')
  if (decision.kind === 'refused') return refusal(decision.problem.message)
  return { isRefused: false, text: recordedText(call) }
}

function refusal(why: string): ToolAnswer {
  return { isRefused: true, text: `This was not recorded: ${why}.` }
}
