import { z } from 'zod'
import { isProblem } from '../../core/model/problem.ts'
import type { Judge } from '../../ports/judge.ts'
import { headersFor } from './headers-for.ts'
import { type JudgeOptions, TEMPERATURE } from './judge-options.ts'
import { postJson } from './post-json.ts'
import { saidOf } from './said-of.ts'

/** Asks a model behind any endpoint that speaks OpenAI's Chat Completions. */
export function openaiJudge({ resolveEnv }: JudgeOptions): Judge {
  return {
    async ask({ judge, system, prompt, tokensMax }, signal, used) {
      const headers = headersFor(judge, resolveEnv)
      if (isProblem(headers)) return headers
      // No response_format: many endpoints refuse it, and the form of the answer is asked for in words.
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
      const answer = await postJson({ judge, path: pathFor(judge.url ?? ''), headers, body }, signal)
      if (isProblem(answer)) return answer
      const tokens = USAGE.safeParse(answer).data
      if (tokens !== undefined) used({ message: null, model: judge.model ?? '', tokens, hourCacheWrite: 0 })
      return saidOf(judge, ANSWER.safeParse(answer).data)
    },
  }
}

/** Addresses are given with and without their version. */
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

/** What the call used up, where the endpoint tells it; what came from its cache is apart. Ids of answers are not unique everywhere. */
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
