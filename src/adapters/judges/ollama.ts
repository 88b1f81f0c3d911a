import { z } from 'zod'
import { isProblem } from '../../core/model/problem.ts'
import type { Judge } from '../../ports/judge.ts'
import { type HttpJudgeOptions, postQuestion, TEMPERATURE, wholeText } from './http.ts'

/** Asks a local model through Ollama; calls are free, so no usage is reported. */
export function ollamaJudge(options: HttpJudgeOptions): Judge {
  return {
    async ask({ judge, system, prompt, tokensMax }, signal) {
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
      const answer = await postQuestion({ judge, path: '/api/chat', body }, options, signal)
      return isProblem(answer) ? answer : wholeText(judge, ANSWER.safeParse(answer).data)
    },
  }
}

const ANSWER = z
  .object({ message: z.object({ content: z.string() }), done_reason: z.string().optional() })
  .transform(({ message, done_reason }) => ({ text: message.content, isCut: done_reason === 'length' }))
