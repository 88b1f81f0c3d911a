import { EXIT } from '../exit-codes.ts'
import { findRepository } from '../repository/open-repository.ts'
import type { Verb } from '../verb.ts'
import { writeSchema } from '../verbs/editor-schema.ts'

/** `longhaul config schema`: the schema of longhaul.yaml. */
export const schemaVerb: Verb = {
  about:
    'Prints the JSON Schema of longhaul.yaml. With --write, puts it where the first line of a longhaul.yaml from "longhaul init" points editors to; needs no network.',
  examples: ['longhaul config schema', 'longhaul config schema --write'],
  shape: (command) =>
    void command
      .option('--write', "put it into the repository's state folder, for editors")
      .option('--json', 'the same: what is printed is JSON anyway'),
  async run(context, { options }) {
    const { jsonSchema } = await import('../../../config/schema.ts')
    const { output } = context
    if (options.write !== true) {
      output.json(jsonSchema())
      output.line(JSON.stringify(jsonSchema(), null, 2))
      return EXIT.done
    }
    const { file, modeline } = await writeSchema(await findRepository(context))
    output.json({ file, modeline })
    output.line(`Wrote ${file}.`)
    output.line(`Editors read it when longhaul.yaml begins with: ${modeline}`)
    return EXIT.done
  },
}
