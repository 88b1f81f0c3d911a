import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { mainFile } from '../conformance/built.ts'
import { HANG_MS } from '../patience.ts'
import { newJourney, ONE_ATTEMPT, taskFile, WRITES } from './new-journey.ts'

const FORBIDDEN = 'bwrap: No permissions to create new namespace, likely because the kernel does not allow it'
const OLD = 'if [ "$1" = --version ]; then echo "bubblewrap 0.4.1"; else echo "bwrap: Unknown option" >&2; exit 1; fi'

test(
  'a sandbox that cannot be had is refused in clear words, and nothing is started',
  async () => {
    const journey = newJourney(
      { 'longhaul.yaml': ONE_ATTEMPT, 'script.yaml': WRITES, 'tasks.json': taskFile('a') },
      { sandbox: 'standard' },
    )
    await journey.cliInProcess('import', 'tasks.json')
    const rows: readonly (readonly [settings: object, bwrap: string | null, words: string])[] = [
      [{ required: true }, OLD, 'bubblewrap 0.4 is too old; 0.8 or newer is needed'],
      [{ required: true }, OLD.replace('0.4.1', '0.11.0'), 'bubblewrap does not work here (bwrap: Unknown option)'],
      [{ required: true }, `echo "${FORBIDDEN}" >&2; exit 1`, `bubblewrap does not work here (${FORBIDDEN})`],
      [{ hosts: ['*.com'] }, null, 'sandbox.hosts[0] must be a narrower wildcard'],
      [{ write: [join(journey.env.XDG_STATE_HOME ?? '', 'longhaul/x')] }, null, "which lies in Longhaul's own folder"],
      [{ write: [journey.folder] }, null, "which contains Longhaul's own folder"],
      [{ write: [join(journey.repository, '.git')] }, null, 'which lies in the repository'],
    ]
    for (const [sandbox, bwrap, words] of rows) {
      journey.write('longhaul.yaml', `${ONE_ATTEMPT}sandbox: ${JSON.stringify(sandbox)}\n`)
      const program = join(journey.folder, 'bin/bwrap')
      if (bwrap === null) rmSync(program, { force: true })
      else writeFileSync(program, `#!/bin/sh\n${bwrap}\n`, { mode: 0o755 })
      const { code, stderr } = await journey.cliInProcess('run')
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) })
    }
    expect((await journey.status()).tasks).toMatchObject([{ id: 'a', state: 'ready', attempts: 0 }])
  },
  HANG_MS,
)

test(
  'a home that is the repository is hidden with it, and workspaces on another disk and programs without HOME work',
  async () => {
    // In memory, unless the machine has no such folder.
    const state = mkdtempSync(join(tmpdir(), 'longhaul state '))
    onTestFinished(() => rmSync(state, { recursive: true, force: true }))
    const journey = newJourney(
      { 'longhaul.yaml': `${ONE_ATTEMPT}sandbox: { required: true }\n`, '.gitignore': '.*\n' },
      { sandbox: 'standard', env: { XDG_STATE_HOME: state } },
    )
    const look = `ls -A '${journey.repository}' > $LONGHAUL_TASK.txt 2>&1`
    journey.write('script.yaml', JSON.stringify([{ task: '*', steps: [{ run: look }, { report: 'done' }] }]))
    journey.write('.secret', 'a secret')
    journey.commit()
    const { HOME: _, ...homeless } = journey.env
    for (const [task, env] of Object.entries({ home: { ...homeless, HOME: journey.repository }, homeless })) {
      await journey.cliInProcess('add', task, '--title', 'Look', '--weight', 'trivial')
      const { stderr } = spawnSync(process.execPath, [mainFile, 'run'], {
        cwd: journey.repository,
        env,
        encoding: 'utf8',
      })
      expect(journey.read(`${task}.txt`) ?? stderr).toBe('.git\n')
    }
  },
  HANG_MS,
)

test(
  'without bubblewrap, the first line of a run says so, and a required sandbox starts nothing',
  async () => {
    const journey = newJourney(undefined, { sandbox: 'standard' })
    const programs = join(journey.folder, 'programs')
    mkdirSync(programs)
    const names = readdirSync('/usr/bin').filter((name) => name !== 'bwrap')
    for (const name of names) symlinkSync(join('/usr/bin', name), join(programs, name))
    const env = { ...journey.env, PATH: programs }
    const run = () => spawnSync(process.execPath, [mainFile, 'run'], { cwd: journey.repository, env, encoding: 'utf8' })
    await journey.cliInProcess('add', 'a', '--title', 'Work', '--weight', 'trivial')
    journey.write('longhaul.yaml', `${ONE_ATTEMPT}sandbox: { required: true }\n`)
    const refused = run()
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('(bwrap) is not installed')])
    journey.write('longhaul.yaml', ONE_ATTEMPT)
    journey.commit()
    const { status, stdout, stderr } = run()
    const [first] = `${stderr}${stdout}`.split('\n')
    expect([status, first]).toEqual([0, expect.stringMatching(/NOT SANDBOXED.*bwrap.* is not installed/)])
  },
  HANG_MS,
)
