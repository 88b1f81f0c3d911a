import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testLab } from '../agents/test-lab.ts'
import { newJourney, WITHOUT_REVIEWS } from './new-journey.ts'

// A hook of settings runs a command when a session starts.
const HOOK = JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'touch hooked' }] }] } })
const RENEW = 'sed -i "s/-first/-renewed/g; s/\\(expiresAt.:\\)[0-9]*/\\1$(date -d +20hours +%s000)/"'

const SCENARIO = `
rules:
  - task: first
    steps:
      - { run: 'ls -A "$CLAUDE_CONFIG_DIR" "$HOME/.claude" > first.txt; cat "$CLAUDE_CONFIG_DIR/.credentials.json" | tee -a first.txt' }
      - { run: ${JSON.stringify(`echo '${HOOK}' > "$CLAUDE_CONFIG_DIR/settings.json"; ${RENEW} "$CLAUDE_CONFIG_DIR/.credentials.json"`)} }
      - { report: done }
  - task: second
    steps:
      - { run: 'ls -A "$CLAUDE_CONFIG_DIR" > second.txt; cat "$CLAUDE_CONFIG_DIR/.credentials.json" >> second.txt; ls > files.txt' }
      - { report: done }
`

test('an agent has the sign-in and nothing else of the user, and what it renews reaches the user and the next one', async () => {
  const lab = await testLab(SCENARIO)
  const journey = newJourney({}, { sandbox: 'standard' })
  const config = join(journey.env.HOME ?? '', '.claude')
  const signIn = {
    accessToken: 'access-first',
    refreshToken: 'refresh-first',
    expiresAt: Date.now() + 10 * 3_600_000,
    scopes: ['user:inference'],
    subscriptionType: 'max',
  }
  const mine = {
    '.credentials.json': JSON.stringify({ mcpOAuth: { server: 'mine' }, claudeAiOauth: signIn }),
    'settings.json': HOOK,
    'CLAUDE.md': '# Mine\n',
  }
  mkdirSync(config)
  for (const [name, text] of Object.entries(mine)) writeFileSync(join(config, name), text)
  // Fails where a check sees a sign-in, the user's or an agent's.
  const places = [config, join(journey.env.XDG_STATE_HOME ?? '', 'longhaul/*/.own/*/claude').replaceAll(' ', '\\ ')]
  const check = `for file in "$CLAUDE_CONFIG_DIR" "${places[0]}/.credentials.json" ${places[1]}; do test ! -e "$file" || exit 1; done\n`
  journey.write('check.sh', check)
  journey.write(
    'longhaul.yaml',
    `agent: { driver: claude, env: { ANTHROPIC_BASE_URL: "${lab.url}" } }\ngates: [ { name: blind, run: sh check.sh, canary: never } ]\n${WITHOUT_REVIEWS}`,
  )
  journey.commit()
  const tasks = [
    { id: 'first', title: 'Look around', weight: 'small' },
    { id: 'second', title: 'Look again', weight: 'small', after: ['first'] },
  ]
  journey.write('tasks.json', JSON.stringify({ tasks }))
  expect((await journey.cliInProcess('import', 'tasks.json')).code).toBe(0)
  expect(await journey.cli('run')).toMatchObject({ code: 0 })

  expect(journey.read('first.txt')).toContain('access-first')
  expect(journey.read('first.txt')).not.toMatch(/settings\.json|CLAUDE\.md|mine/)
  expect(journey.read('second.txt')).toContain('access-renewed')
  expect(journey.read('second.txt')).not.toContain('settings.json')
  expect(journey.read('files.txt')).not.toContain('hooked')

  const now = Object.keys(mine).map((name) => readFileSync(join(config, name), 'utf8'))
  expect(now.slice(1)).toEqual(Object.values(mine).slice(1))
  expect(JSON.parse(now[0] ?? '')).toEqual({
    mcpOAuth: { server: 'mine' },
    claudeAiOauth: {
      ...signIn,
      accessToken: 'access-renewed',
      refreshToken: 'refresh-renewed',
      expiresAt: expect.any(Number),
    },
  })
  expect(statSync(join(config, '.credentials.json')).mode & 0o777).toBe(0o600)
  const transcripts = join(journey.repository, '.git/longhaul/transcripts/first-a1')
  const texts = readdirSync(transcripts).map((name) => readFileSync(join(transcripts, name), 'utf8'))
  expect(texts.join()).toContain('[masked]')
  expect(texts.join()).not.toMatch(/(access|refresh)-first/)
})
