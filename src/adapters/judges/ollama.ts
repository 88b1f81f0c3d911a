import { z } from 'zod'
import { isProblem } from '../../core/model/problem.ts'
import type { Judge } from '../../ports/judge.ts'
import { headersFor } from './headers-for.ts'
import { type JudgeOptions, TEMPERATURE } from './judge-options.ts'
import { postJson } from './post-json.ts'
import { saidOf } from './said-of.ts'

/** Asks a model that Ollama serves; it is the user's own and costs nothing. */
export function ollamaJudge({ resolveEnv }: JudgeOptions): Judge {
  return {
    async ask({ judge, system, prompt, tokensMax }, signal) {
      const headers = headersFor(judge, resolveEnv)
      if (isProblem(headers)) return headers
      const body = {
        model: judge.model,
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: prompt },
        ],
        stream: false,
        format: 'json',
        options: { temperature: TEMPERATURE, num_predict: tokensMax },
      }
      const answer = await postJson({ judge, path: '/api/chat', headers, body }, signal)
      return isProblem(answer) ? answer : saidOf(judge, ANSWER.safeParse(answer).data)
    },
  }
}

const ANSWER = z
  .object({ message: z.object({ content: z.string() }), done_reason: z.string().optional() })
  .transform(({ message, done_reason }) => ({ text: message.content, isCut: done_reason === 'length' }))
