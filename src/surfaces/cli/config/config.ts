import type { VerbGroup } from '../verb.ts'
import { explainVerb } from './explain.ts'
import { promptsVerb } from './prompts.ts'
import { schemaVerb } from './schema.ts'
import { showVerb } from './show.ts'
import { validateVerb } from './validate.ts'
import { workflowsVerb } from './workflows.ts'

/** `longhaul config`: shows, validates and explains the settings. */
export const configGroup: VerbGroup = {
  about: 'Shows the settings and where each comes from, validates them, and explains every key.',
  examples: ['longhaul config show --source', 'longhaul config validate', 'longhaul config explain limits.parallel'],
  parts: [
    { name: 'show', summary: 'show every setting and where it comes from', verb: showVerb },
    { name: 'validate', summary: 'report everything wrong with the settings', verb: validateVerb },
    { name: 'explain', summary: 'explain a key: purpose, values, default', verb: explainVerb },
    { name: 'workflows', summary: 'show the phases of tasks of each weight', verb: workflowsVerb },
    { name: 'prompts', summary: 'show the prompts of agents and where they come from', verb: promptsVerb },
    { name: 'schema', summary: 'print the JSON Schema for editors', verb: schemaVerb },
  ],
}
