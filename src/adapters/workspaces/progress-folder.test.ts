import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { attemptSpec } from '../../../test/conformance/attempt-specs.ts'
import { agentGit, begin, NEVER, ONE, save, useGitWorld } from '../../../test/conformance/git-tests.ts'
import type { AttemptId, Commit } from '../../core/model/ids.ts'

const world = useGitWorld()
const NEXT = 'one-a2' as AttemptId

/** An attempt that worked and left notes; gives where it started and where it came to. */
async function leaveNotes(): Promise<{ readonly base: Commit; readonly commit: Commit }> {
  const base = await begin(world())
  await world().agentWrites(ONE, 'new.txt', 'new\n')
  await world().agentWrites(ONE, '.longhaul/progress.md', 'half is done\n')
  const { commit } = await save(world(), base)
  return { base, commit }
}

async function notesFrom(base: Commit): Promise<string | null> {
  expect(await world().workspaces.ensure(attemptSpec(NEXT, base), base, NEVER)).toBe(base)
  expect(agentGit(world(), ['status', '--porcelain'], NEXT)).toBe('')
  return world().fileIn(world().workspaces.folder(NEXT), '.longhaul/progress.md')
}

test('an attempt that goes on from the work of the one before has its notes', async () => {
  const { commit } = await leaveNotes()
  expect(await notesFrom(commit)).toBe('half is done\n')
})

test('one that begins anew has none', async () => {
  const { base } = await leaveNotes()
  expect(await notesFrom(base)).toBeNull()
})

test.each([
  ['are gone with their workspace', (tree: string) => rmSync(tree, { recursive: true })],
  [
    'are a link to something else',
    (tree: string) => {
      rmSync(join(tree, '.longhaul'), { recursive: true })
      mkdirSync(join(tree, '../elsewhere'))
      writeFileSync(join(tree, '../elsewhere/progress.md'), 'a secret')
      symlinkSync('../elsewhere', join(tree, '.longhaul'))
    },
  ],
])('notes that %s are not there', async (_, change) => {
  const { commit } = await leaveNotes()
  change(world().workspaces.folder(ONE))
  expect(await notesFrom(commit)).toBeNull()
})

test('a file of ours has room below the same folder, and never through a link of the agent', async () => {
  await begin(world())
  const { workspaces } = world()
  const tree = workspaces.folder(ONE)
  expect(await workspaces.reserveAgentFile(ONE, '.longhaul/checks/tests.txt')).toBe(
    join(tree, '.longhaul/checks/tests.txt'),
  )
  expect(agentGit(world(), ['status', '--porcelain'])).toBe('')
  rmSync(join(tree, '.longhaul/checks'), { recursive: true })
  symlinkSync('/tmp', join(tree, '.longhaul/checks'))
  expect(await workspaces.reserveAgentFile(ONE, '.longhaul/checks/tests.txt')).toBeNull()
  rmSync(join(tree, '.longhaul'), { recursive: true })
  symlinkSync('/tmp', join(tree, '.longhaul'))
  expect(await workspaces.reserveAgentFile(ONE, '.longhaul/checks/tests.txt')).toBeNull()
  expect(await workspaces.reserveAgentFile(NEXT, '.longhaul/checks/tests.txt')).toBeNull()
})
