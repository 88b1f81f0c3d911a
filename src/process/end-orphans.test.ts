import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test, vi } from 'vitest'
import { useContainments } from '../../test/conformance/containments.ts'
import { waitingCommand } from './containment.ts'
import { endOrphans } from './end-orphans.ts'
import { readProcess, readProcessTable } from './process-table.ts'

const SOON = { interval: 5, timeout: 5_000 }
const bwrap = (await useContainments()).find(({ kind }) => kind === 'bwrap')

function childOf(pid: number): number | null {
  return [...readProcessTable().values()].find(({ ppid }) => ppid === pid)?.pid ?? null
}

async function isGone(pid: number): Promise<void> {
  await vi.waitFor(() => expect(readProcess(pid)).toBeNull(), SOON)
}

function start(): { readonly outer: number; readonly exited: Promise<unknown>; end(): void } {
  if (bwrap === undefined) throw new Error('There is no bwrap.')
  const [file, ...args] = waitingCommand(bwrap, '/')
  const child = spawn(file, args, { env: {}, detached: true, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] })
  return { outer: child.pid ?? 0, exited: once(child, 'exit'), end: () => child.stdin?.end() }
}

/** Kills bwrap before its child has tied itself to it; null: the child was quicker. */
async function orphan(): Promise<number | null> {
  const { outer, exited } = start()
  let inner = childOf(outer)
  while (inner === null) inner = childOf(outer)
  process.kill(inner, 'SIGSTOP')
  process.kill(outer, 'SIGKILL')
  await exited
  await new Promise((resolve) => setTimeout(resolve, 20))
  if (readProcess(inner) === null) return null
  process.kill(inner, 'SIGCONT')
  return inner
}

test.runIf(bwrap)('what a killed bwrap has left is ended, and what has one is left alone', async () => {
  const { outer, exited, end } = start()
  await vi.waitFor(() => expect(childOf(childOf(outer) ?? 0)).not.toBeNull(), SOON)
  let left: number | null = null
  for (let tries = 1; tries <= 20 && left === null; tries += 1) left = await orphan()
  expect(left).not.toBeNull()
  endOrphans()
  await isGone(left ?? 0)
  expect(readProcess(outer)).not.toBeNull()
  expect(childOf(childOf(outer) ?? 0)).not.toBeNull()
  end()
  await exited
})
