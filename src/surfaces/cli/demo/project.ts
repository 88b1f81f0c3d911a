/** Sample project before any work: a small library whose check needs nothing installed. */
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
}

/** Settings of the sample project for one kind of agent. */
export function demoSettings(agent: string): string {
  return `# Longhaul settings for this sample project.
${agent}
# Work is done when these pass on the exact commit that lands. "protect": files an attempt may not change.
gates:
  - name: tests
    run: node --test
    protect: [ "test/units.test.js" ]

limits:
  parallel: 3                    # tasks worked on at the same time
  limit_delay: 1                 # seconds to wait after a usage limit; short, for the demo
`
}

/** Settings of Claude Code against a lab; the token is a placeholder. */
export function claudeSettings(url: string): string {
  return `agent:
  driver: claude
  env:
    ANTHROPIC_BASE_URL: ${url}   # "longhaul lab scenario.yaml" while the demo runs: no money is spent
    CLAUDE_CODE_OAUTH_TOKEN: test-token
`
}

/** Settings of the scripted agent. */
export const SCRIPTED_SETTINGS = `agent:
  driver: scripted               # plays script.yaml: no model is called, no money is spent
  script: script.yaml
`
