/** The sample project as it is before any work: a small library with a check that needs nothing installed. */
export const PROJECT: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "durations",
  "version": "0.1.0",
  "type": "module",
  "private": true,
  "scripts": { "test": "node --test" }
}
`,
  'README.md': `# durations

Reads and writes durations such as "1h 30m".
`,
  'src/units.js': `/** Seconds in each unit, largest first. */
export const UNITS = { d: 86400, h: 3600, m: 60, s: 1 }
`,
  'test/units.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNITS } from '../src/units.js'

test('a day has 24 hours', () => {
  assert.equal(UNITS.d, 24 * UNITS.h)
})
`,
  '.gitignore': 'node_modules/\n',
  'longhaul.yaml': `# Settings of Longhaul for this sample project.
agent:
  driver: scripted               # plays script.yaml: no model is called, nothing is spent
  script: script.yaml

# Work is done when these pass on exactly what lands. "protect" names files an attempt may not change.
gates:
  - name: tests
    run: node --test
    protect: [ "test/units.test.js" ]

limits:
  parallel: 3                    # tasks worked on at once
  limit_delay: 1                 # seconds after a usage limit, so that the demo does not take long
`,
}
