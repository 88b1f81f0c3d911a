import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { LoadedSettings, WrongSettings } from '../../../config/load.ts'
import { isProblem, ProblemError } from '../../../core/model/problem.ts'
import { unusedRoles, unusedRoleText } from '../../../core/phases/roles.ts'
import { unreadableReason } from '../../../core/reading/file-problems.ts'
import { EXIT } from '../exit-codes.ts'
import { refuse } from '../refusal.ts'
import { findRepository, loadedSettings, SETTINGS_FILE, settingsText } from '../repository/open-repository.ts'
import type { Verb, VerbContext } from '../verb.ts'

/** `longhaul config validate`: reports everything wrong with the settings. */
export const validateVerb: Verb = {
  about:
    'Reads the settings as a run would and reports everything wrong with them: where, what was expected, what was found, and the nearest valid key. With a file, reads that file without overrides from variables. Exits with 2 if something is wrong.',
  examples: ['longhaul config validate', 'longhaul config validate other.yaml --json'],
  shape: (command) =>
    void command
      .argument('[file]', `the file to validate; by default ${SETTINGS_FILE} of the repository`)
      .option('--json', 'print the result as JSON'),
  async run(context, { args }) {
    const file = args[0] ?? SETTINGS_FILE
    const repository = args[0] === undefined ? await findRepository(context) : null
    const isMissing = repository !== null && (await settingsText(repository)) === null
    const loaded =
      repository === null ? await settingsIn(context, file) : await loadedSettings(context.world, repository, {})
    if (loaded.kind === 'wrong') throw new ProblemError(...loaded.problems)
    const { driverProblem } = await context.world.adapters()
    const problem = driverProblem(loaded.settings.agent.driver)
    if (isProblem(problem)) throw new ProblemError(problem)
    const remarks = await remarksOn(loaded)
    context.output.json({ file, valid: true, remarks })
    context.output.line(isMissing ? `There is no ${file}; the defaults apply.` : `${file} is valid.`)
    for (const remark of remarks) context.output.line(`  ${remark}`)
    return EXIT.done
  },
}

async function settingsIn({ world }: VerbContext, file: string): Promise<LoadedSettings | WrongSettings> {
  const path = resolve(world.folder, file)
  const text = await readFile(path, 'utf8').catch((cause: unknown) =>
    refuse('file-unreadable', `${file} cannot be read: ${unreadableReason(cause)}.`, `The full path is ${path}.`),
  )
  const { loadSettings } = await import('../../../config/load.ts')
  return loadSettings({ file, text })
}

/** Remarks on valid settings. */
async function remarksOn(loaded: LoadedSettings): Promise<readonly string[]> {
  const { keyNotes } = await import('../../../config/key-notes.ts')
  const unread = keyNotes().filter(({ key, usedBy }) => usedBy === null && isWritten(loaded, key))
  return [
    ...(loaded.settings.gates === null
      ? ['No gates are configured: "longhaul run" refuses to start without them.']
      : []),
    ...(loaded.settings.gates?.length === 0 ? ['gates: [] means that nothing proves what lands.'] : []),
    ...unusedRoles(loaded.settings)
      .map(unusedRoleText)
      .map(({ message, hint }) => `${message} ${hint}`),
    ...unread.map(({ key }) => `${key} is accepted, but has no effect yet.`),
  ]
}

function isWritten({ sourceOf }: LoadedSettings, key: string): boolean {
  return sourceOf(key.split('.')).kind !== 'default'
}
