import { ProblemError } from '../../../core/model/problem.ts'
import { EXIT } from '../exit-codes.ts'
import { findRepository, loadedSettings } from '../repository/open-repository.ts'
import { offerOverrides, type Verb } from '../verb.ts'

/** `longhaul config show`: prints the settings that a run would start with. */
export const showVerb: Verb = {
  about:
    'Prints the settings that a run would start with now, with all keys, as an equivalent longhaul.yaml. Takes the flags of "run" that override settings.',
  examples: [
    'longhaul config show',
    'longhaul config show --source --parallel 8',
    'LONGHAUL_BUDGET=5 longhaul config show --json',
  ],
  shape: (command) =>
    void offerOverrides(command)
      .option('--source', 'show where each value comes from')
      .option('--json', 'print keys, values and sources as JSON'),
  async run(context, { options }) {
    const { output, world } = context
    const loaded = await loadedSettings(world, await findRepository(context), options)
    if (loaded.kind === 'wrong') throw new ProblemError(...loaded.problems)
    const { settingEntries, settingsYaml } = await import('../../../config/show-settings.ts')
    const entries = settingEntries(loaded)
    output.json({ settings: entries.map(({ key, value, source }) => ({ key, value, source })) })
    for (const line of settingsYaml(entries, options.source === true ? 'with sources' : 'plain')) output.line(line)
    return EXIT.done
  },
}
