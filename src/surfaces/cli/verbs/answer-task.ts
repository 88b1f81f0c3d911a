import type { Answer } from '../../../core/model/attempt-event.ts'
import type { TaskId } from '../../../core/model/ids.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { askOpenRun } from '../repository/ask-open-run.ts'
import type { VerbContext } from '../verb.ts'

/** Gives a person's answer to a task that waits for it, and says what comes of it. */
export async function tellAnswer(context: VerbContext, task: TaskId, answer: Answer): Promise<ExitCode> {
  const { byEngine } = await askOpenRun(context, 'answer', { kind: 'answer', task, answer })
  const { output } = context
  output.json({ task, answer: answer.kind, text: answer.text, byEngine })
  output.line(
    `${task} is ${answer.kind}: it goes on ${byEngine ? 'as soon as a slot is free' : 'with the next "longhaul run"'}.`,
  )
  return EXIT.done
}
