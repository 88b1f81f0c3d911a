import type { RecordedCall, ToolAnswer, ToolCall } from '../core/model/tool-call.ts'
import { readNote } from '../core/reading/read-note.ts'
import { answerReadCall } from '../core/tools/answer-read.ts'
import { recordedText, whyNotProposed } from '../core/tools/recorded-text.ts'
import { type Blob, blobOf, NO_BLOB } from './effect-result.ts'
import type { OpenAttempt } from './open-attempt.ts'

/** Answers an agent's tool call: queries from state, reports after they have been recorded. */
export async function answerToolCall(attempt: OpenAttempt, round: number, call: ToolCall): Promise<ToolAnswer> {
  switch (call.kind) {
    case 'task':
    case 'backlog':
    case 'checks':
    case 'findings':
    case 'limits':
    case 'recall':
      return answerReadCall(call, { attempt: attempt.state(), run: attempt.run() })
    case 'note': {
      const { text, quality } = readNote(call.text)
      const { digest, blobs } = blobOf(text)
      if (digest === null) return refusal('the note is empty')
      return record(attempt, round, { kind: 'note', digest, quality }, blobs)
    }
    case 'propose': {
      const reason = whyNotProposed(call.proposal, attempt.run(), attempt.state())
      return reason === null ? record(attempt, round, call) : refusal(reason)
    }
    default:
      return record(attempt, round, call)
  }
}

async function record(
  attempt: OpenAttempt,
  round: number,
  call: RecordedCall,
  blobs: Blob['blobs'] = NO_BLOB.blobs,
): Promise<ToolAnswer> {
  const decision = await attempt.post({ kind: 'tool-called', round, call }, blobs)
  if (decision === null) return refusal('the engine is stopping')
  if (decision.kind === 'refused') return refusal(decision.problem.message)
  return { isRefused: false, text: recordedText(call) }
}

function refusal(reason: string): ToolAnswer {
  return { isRefused: true, text: `This was not recorded: ${reason}.` }
}
