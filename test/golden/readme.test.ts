import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../architecture/source.ts'
import { mainFile } from '../conformance/built.ts'
import { newJourney } from '../journeys/new-journey.ts'

const README = join(root, 'README.md')

test('the README shows what its commands print', async () => {
  const text = readFileSync(README, 'utf8')
  const screen = readFileSync(join(root, 'test/golden/screens/readme.txt'), 'utf8').trimEnd()
  const written = replaceSample(
    replaceSample(text, 'screen', () => screen),
    'first-run',
    play,
  )
  await expect(written).toMatchFileSnapshot(README)
})

test('the README fits two screens', () => {
  expect(readFileSync(README, 'utf8').split('\n').length).toBeLessThanOrEqual(121)
})

/** Replaces the code block behind `<!-- sample: NAME -->`, unless only times, ids and paths differ. */
function replaceSample(text: string, name: string, sample: (block: string) => string): string {
  const pattern = new RegExp(`(<!-- sample: ${name} -->\\n\`\`\`\\w*\\n)([\\s\\S]*?)(\\n\`\`\`)`)
  expect(text).toMatch(pattern)
  return text.replace(pattern, (whole, before: string, block: string, after: string) => {
    const fresh = sample(block)
    return stable(fresh) === stable(block) ? whole : `${before}${fresh}${after}`
  })
}

/** Runs the commands of a block in a new Node project and returns them with what they print. */
function play(block: string): string {
  const journey = newJourney(
    {
      'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
      'hello.test.js': "import test from 'node:test'\n\ntest('greets', () => {})\n",
    },
    { name: 'hello', sandbox: 'standard', programs: { longhaul: `exec "${process.execPath}" "${mainFile}" "$@"` } },
  )
  const commands = block.split('\n').filter((line) => line.startsWith('$ '))
  const printed = commands.map((command) => {
    const { stdout, stderr } = spawnSync('/bin/sh', ['-c', `${command.slice(2)} 2>&1`], {
      cwd: journey.repository,
      env: journey.env,
      encoding: 'utf8',
    })
    return `${command}\n${stdout}${stderr}`.trimEnd()
  })
  return printed.join('\n').replaceAll(journey.folder, '/home/you')
}

/** Returns a text with a fixed value for everything that differs from run to run. */
function stable(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\d-\d{4}-[0-9a-f]{4}/g, 'RUN')
    .replaceAll(/\d\d:\d\d:\d\d/g, 'TIME')
    .replaceAll(/pid \d+/g, 'pid N')
    .replaceAll(/\b[0-9a-f]{8,40}\b/g, 'ID')
    .replaceAll(/\b(\d+[dhm])*\d+ ?s\b/g, 'DURATION')
}
