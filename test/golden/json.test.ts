import { expect, test } from 'vitest'
import { refusalSchema, SHAPES } from '../../src/index.ts'
import { shapeText } from './json-page.ts'
import { helpPages } from './terminal.ts'

test('every verb that knows --json has a shape', async () => {
  const verbs = [...(await helpPages())].filter(([verb, page]) => verb !== '' && page.includes('--json'))
  expect(Object.keys(SHAPES).toSorted()).toEqual(verbs.map(([verb]) => verb).toSorted())
})

test('docs/guides/json.md shows the shapes', async () => {
  await expect(jsonPage()).toMatchFileSnapshot('../../docs/guides/json.md')
})

function jsonPage(): string {
  const sections = [...byShape()].map(([text, verbs]) => {
    return `## ${verbs.map((verb) => `longhaul ${verb}`).join(', ')}\n\n${fenced(text)}`
  })
  return `${[INTRODUCTION, ...sections, REFUSAL].join('\n\n')}\n`
}

/** Groups verbs with the same shape into one section. */
function byShape(): ReadonlyMap<string, readonly string[]> {
  const verbs = new Map<string, string[]>()
  for (const [verb, shape] of Object.entries(SHAPES)) {
    const text = shapeText(shape)
    verbs.set(text, [...(verbs.get(text) ?? []), verb])
  }
  return verbs
}

/** Separates the documents of a union by a line that is not JSON. */
function fenced(text: string): string {
  return text
    .split('\n\nor\n\n')
    .map((document) => `\`\`\`text\n${document}\n\`\`\``)
    .join('\n\nor\n\n')
}

const INTRODUCTION = `# What --json prints

Every verb that prints anything knows \`--json\`: one document on stdout, or one per line where a verb goes on for longer
(\`log\`, \`run\`, \`watch\`, \`demo\`, \`lab\`). Nothing else goes to stdout then; remarks are on stderr. What is unknown is
\`null\`, never absent. Fields may be added in later versions; those here stay. Times are ISO 8601 in UTC.

\`run\` and \`demo\` print facts as they happen and the status last, \`watch\` the status first. \`log\` prints facts: besides
the fields below, those of the kind ([all kinds](../facts.md)). A shape is a zod schema in \`src/surfaces/protocol\`, and exported: \`import { SHAPES }
from 'longhaul'\`. This page is made from them by \`npm run golden\`.`

const REFUSAL = `## Refusals

A verb that is refused prints this instead, and ends with exit code 2. [The codes](../problems.md).

${fenced(shapeText(refusalSchema))}`
