import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { useContainments } from '../../../test/conformance/containments.ts'
import { SOON } from '../../../test/patience.ts'
import { CONTROL_PIPE, containedCommand } from '../start/containment.ts'
import { endOrphanedNamespaces } from './end-orphaned-namespaces.ts'
import { readProcess, readProcessTable } from './process-table.ts'

const bwrap = (await useContainments()).find(({ kind }) => kind === 'bwrap')

function childOf(pid: number): number | null {
  return [...readProcessTable().values()].find(({ ppid }) => ppid === pid)?.pid ?? null
}

/** Starts a program under a bwrap that is not tied to its child. */
async function startUntied() {
  if (bwrap === undefined) throw new Error('There is no bwrap.')
  const [file, ...args] = containedCommand({
    command: ['/bin/sleep', '300'],
    containment: bwrap,
    cwd: '/',
    keepsControlPipe: false,
  }).filter((word) => word !== '--die-with-parent')
  const child = spawn(file ?? '', args, { env: {}, detached: true, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] })
  const exited = once(child, 'exit')
  const outer = child.pid ?? 0
  const control = child.stdio[CONTROL_PIPE] as Socket
  control.write('\n')
  const program = () => childOf(childOf(outer) ?? 0) ?? 0
  await vi.waitFor(() => expect(readProcess(program())?.name).toBe('sleep'), SOON)
  return { child, exited, inside: [childOf(outer) ?? 0, program()] }
}

test.runIf(bwrap)('a namespace whose bwrap was killed is ended, others are left alone', async () => {
  const [left, whole] = [await startUntied(), await startUntied()]
  left.child.kill('SIGKILL')
  await left.exited
  endOrphanedNamespaces()
  await vi.waitFor(() => expect(left.inside.map(readProcess)).toEqual([null, null]), SOON)
  expect(whole.inside.map(readProcess)).not.toContain(null)
  whole.child.kill('SIGKILL')
  endOrphanedNamespaces()
  await whole.exited
})
