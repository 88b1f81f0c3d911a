import { isProblem, type Problem } from '../../core/model/problem.ts'
import type { JudgeSettings } from '../../core/model/settings.ts'
import { cancelled, refusedBy, unreachable, unreadable } from './judge-problems.ts'

export interface HttpJudgeOptions {
  /** Replaces `$NAME` in values with environment variables. */
  readonly resolveEnv: (env: Readonly<Record<string, string>>) => Readonly<Record<string, string>> | Problem
}

/** Sampling temperature of all judges behind an HTTP API. */
export const TEMPERATURE = 0.3

/** Answer of a model, as both APIs give it. */
export interface ModelAnswer {
  readonly text: string
  /** True when the model stopped at its token limit. */
  readonly isCut: boolean
}

export interface JudgeRequest {
  readonly judge: JudgeSettings
  readonly path: string
  readonly body: unknown
}

/** Posts a question to a judge and returns its JSON answer, up to a size limit. */
export async function postQuestion(
  { judge, path, body }: JudgeRequest,
  { resolveEnv }: HttpJudgeOptions,
  signal: AbortSignal,
): Promise<unknown> {
  const headers = headersFor(judge, resolveEnv)
  if (isProblem(headers)) return headers
  try {
    const address = `${judge.url?.replace(/\/+$/, '')}${path}`
    const options = { method: 'POST', headers, body: JSON.stringify(body), redirect: 'error', signal } as const
    const response = await fetch(address, options)
    const text = await readBounded(response)
    if (!response.ok) return refusedBy(judge, response.status, excerptOf(text ?? ''))
    return text === null ? unreadable(judge, 'its answer does not end') : parseJson(judge, text)
  } catch (cause) {
    return signal.aborted ? cancelled() : unreachable(judge, reasonOf(cause), cause)
  }
}

/** Returns the text of an answer; a problem when it is undefined (another format), cut or empty. */
export function wholeText(judge: JudgeSettings, answer: ModelAnswer | undefined): string | Problem {
  if (answer === undefined) return unreadable(judge, 'its answer does not have the format of this API')
  if (answer.isCut) return unreadable(judge, 'its answer was too long and was cut off')
  return answer.text.trim() === '' ? unreadable(judge, 'its answer is empty') : answer.text
}

const ANSWER_BYTES_MAX = 256 * 1024
const EXCERPT_LENGTH_MAX = 300

// The key is read from the environment for each question, and never stored.
function headersFor(
  { key }: JudgeSettings,
  resolveEnv: HttpJudgeOptions['resolveEnv'],
): Readonly<Record<string, string>> | Problem {
  const plain = { 'content-type': 'application/json' }
  if (key === null) return plain
  const resolved = resolveEnv({ key })
  return isProblem(resolved) ? resolved : { ...plain, authorization: `Bearer ${resolved.key}` }
}

function parseJson(judge: JudgeSettings, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The start of the text says more than the parser's message.
    return unreadable(judge, `its answer is not JSON; it starts with "${excerptOf(text)}"`)
  }
}

/** Reads the text of an answer, or null when it is longer than the limit. */
async function readBounded(response: Response): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > ANSWER_BYTES_MAX) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function excerptOf(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, EXCERPT_LENGTH_MAX)
}

// `fetch` hides the reason behind "fetch failed".
function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  const { code, message } = inner as { readonly code?: unknown; readonly message?: unknown }
  return [code, message].find((text) => typeof text === 'string' && text !== '')?.toString() ?? String(cause)
}
