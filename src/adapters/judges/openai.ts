import { z } from 'zod'
import { isProblem } from '../../core/model/problem.ts'
import type { Judge } from '../../ports/judge.ts'
import { type HttpJudgeOptions, postQuestion, TEMPERATURE, wholeText } from './http.ts'

/** Asks a model behind an endpoint with OpenAI's Chat Completions API. */
export function openaiJudge(options: HttpJudgeOptions): Judge {
  return {
    async ask({ judge, system, prompt, tokensMax }, signal, onUsage) {
      // Without response_format, which many endpoints refuse: the prompt asks for the format.
      const body = {
        model: judge.model,
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: prompt },
        ],
        stream: false,
        temperature: TEMPERATURE,
        max_tokens: tokensMax,
      }
      const answer = await postQuestion({ judge, path: pathFor(judge.url ?? ''), body }, options, signal)
      if (isProblem(answer)) return answer
      const tokens = USAGE.safeParse(answer).data
      if (tokens !== undefined) onUsage({ message: null, model: judge.model ?? '', tokens, hourCacheWrite: 0 })
      return wholeText(judge, ANSWER.safeParse(answer).data)
    },
  }
}

/** Accepts base URLs with and without the API version. */
function pathFor(url: string): string {
  return /\/v\d+\/?$/.test(url) ? '/chat/completions' : '/v1/chat/completions'
}

const ANSWER = z
  .object({
    choices: z.tuple(
      [z.object({ message: z.object({ content: z.string() }), finish_reason: z.string().nullish() })],
      z.unknown(),
    ),
  })
  .transform(({ choices: [{ message, finish_reason }] }) => ({
    text: message.content,
    isCut: finish_reason === 'length',
  }))

// Cached tokens are counted apart. The answer's id is not used: it is not unique at every endpoint.
const USAGE = z
  .object({
    usage: z.object({
      prompt_tokens: z.number(),
      completion_tokens: z.number(),
      prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
    }),
  })
  .transform(({ usage: { prompt_tokens, completion_tokens, prompt_tokens_details } }) => {
    const cacheRead = Math.min(prompt_tokens, prompt_tokens_details?.cached_tokens ?? 0)
    return { input: prompt_tokens - cacheRead, cacheRead, cacheWrite: 0, output: completion_tokens }
  })
