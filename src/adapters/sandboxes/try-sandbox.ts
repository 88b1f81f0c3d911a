import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sandbox } from '../../ports/sandbox.ts'
import { enclosedCommand } from '../../process/start/enclosed-command.ts'
import { runCommand } from '../../process/start/run-command.ts'

/** Places that a program in the sandbox must not see. */
export interface SandboxTrial {
  readonly sandbox: Sandbox
  /** Folder of the workspaces. */
  readonly home: string
  /** Folders and files that have to be hidden. */
  readonly hidden: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Tries to get out of the sandbox; returns what succeeded, in words that follow "a program in it can". */
export async function trySandbox({ sandbox, home, hidden, env }: SandboxTrial): Promise<readonly string[]> {
  await mkdir(home, { recursive: true })
  const folder = await mkdtemp(join(home, '.sandbox-trial-'))
  try {
    const enclosure = sandbox.enclose({ purpose: 'git', folder, env })
    const command = { file: '/bin/sh', args: ['-c', TRIAL, 'sh', ...hidden], cwd: folder, env: enclosure.env }
    const ended = await runCommand({ ...enclosedCommand(command, enclosure.containment), timeoutMs: TRIAL_MS_MAX })
    if (ended.kind === 'not-started' || ended.exitCode !== 0) return ['not be started']
    return ended.stdout
      .toString()
      .split('\n')
      .filter((line) => line !== '')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const TRIAL_MS_MAX = 30_000

const TRIAL = `
for place; do [ -e "$place" ] && echo "see $place"; done
grep -q '^CapEff:.*[1-9a-f]' /proc/self/status && echo 'use capabilities'
grep -q '^NoNewPrivs:.*0' /proc/self/status && echo 'gain privileges'
grep -v '^Inter-\\|^ face\\|^ *lo:' /proc/net/dev > /dev/null && echo 'use the network directly'
(: > /etc/longhaul-trial) 2> /dev/null && { rm -f /etc/longhaul-trial; echo 'write to /etc'; }
kill -0 -1 2> /dev/null && [ "$(ls -d /proc/[0-9]* | wc -l)" -gt 20 ] && echo 'see other processes'
exit 0`
