import { unwrap } from '../../../core/model/problem.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { unapprovedChanges } from '../repository/approved-settings.ts'
import { findRepository, SETTINGS_FILE } from '../repository/open-repository.ts'
import type { Verb, VerbContext } from '../verb.ts'
import { requestVerb } from './request-verbs.ts'

const ofTask = requestVerb('approve')

/** `longhaul approve`: approves a task's work, or settings that an agent changed. */
export const approveVerb: Verb = {
  ...ofTask,
  run: (context, typed) =>
    typed.args[0] === SETTINGS_FILE ? approveSettings(context, typed.args[1] ?? '') : ofTask.run(context, typed),
}

async function approveSettings(context: VerbContext, text: string): Promise<ExitCode> {
  const { world, output } = context
  const repository = await findRepository(context)
  const changes = await unapprovedChanges(world, repository)
  unwrap(await repository.approveChanges(changes.map(({ commit }) => commit)))
  output.json({ task: SETTINGS_FILE, answer: 'approved', text, byEngine: false })
  for (const { file, commit, task } of changes) {
    output.line(`${file}: approved what ${task} landed (${commit.slice(0, 10)}).`)
  }
  output.line(changes.length === 0 ? 'Nothing to approve: the settings are yours.' : 'Next: longhaul run')
  return EXIT.done
}
