import type { VerbGroup } from '../verb.ts'
import { explainVerb } from './explain.ts'
import { promptsVerb } from './prompts.ts'
import { schemaVerb } from './schema.ts'
import { showVerb } from './show.ts'
import { validateVerb } from './validate.ts'
import { workflowsVerb } from './workflows.ts'

/** `longhaul config`: everything about longhaul.yaml. */
export const configGroup: VerbGroup = {
  about: 'Shows the settings and where each comes from, finds everything wrong with them, and explains every key.',
  examples: ['longhaul config show --source', 'longhaul config validate', 'longhaul config explain limits.parallel'],
  parts: [
    { name: 'show', summary: 'every setting, and where it comes from', verb: showVerb },
    { name: 'validate', summary: 'everything wrong with the settings, at once', verb: validateVerb },
    { name: 'explain', summary: 'what a key is for, and what it may be', verb: explainVerb },
    { name: 'workflows', summary: 'what a task of each weight goes through', verb: workflowsVerb },
    { name: 'prompts', summary: 'what agents are told, and where it comes from', verb: promptsVerb },
    { name: 'schema', summary: 'the JSON Schema, for editors', verb: schemaVerb },
  ],
}
