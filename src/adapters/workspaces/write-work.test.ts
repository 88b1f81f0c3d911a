import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { attemptSpec } from '../../../test/conformance/attempt-specs.ts'
import { agentGit, begin, NEVER, ONE, save, useGitWorld } from '../../../test/conformance/git-tests.ts'
import { plainWorkflow } from '../../../test/given/plain-workflows.ts'
import type { AttemptSpec } from '../../core/model/attempt.ts'
import type { Commit } from '../../core/model/ids.ts'
import { unwrap } from '../../core/model/problem.ts'

const world = useGitWorld()

/** Attempt whose work a reviewer gets to see. */
function reviewed(base: Commit): AttemptSpec {
  const { phases, ...workflow } = plainWorkflow(['implement', 'review'], 5)
  const withReviewer = phases.map((phase) =>
    phase.name === 'review' ? { ...phase, role: 'reviewer' as const } : phase,
  )
  return { ...attemptSpec(ONE, base), workflow: { ...workflow, phases: withReviewer } }
}

function workFile(): Promise<string | null> {
  return world().fileIn(world().workspaces.folder(ONE), '.longhaul/changes.diff')
}

test('who reviews has all that has changed in a file, after each checkpoint and in a workspace made anew', async () => {
  const { workspaces } = world()
  const base = await begin(world())
  await world().agentWrites(ONE, 'new.txt', 'one\n')
  const { commit: first } = unwrap(await workspaces.checkpoint(reviewed(base), base, 'first'))
  expect(await workFile()).toContain('+++ b/new.txt\n@@ -0,0 +1 @@\n+one\n')
  await world().agentWrites(ONE, 'new.txt', 'two\n')
  const { commit } = unwrap(await workspaces.checkpoint(reviewed(base), first, 'second'))
  expect(await workFile()).toContain('@@ -0,0 +1 @@\n+two\n')
  expect(agentGit(world(), ['status', '--porcelain'])).toBe('')
  rmSync(workspaces.folder(ONE), { recursive: true })
  expect(await workspaces.ensure(reviewed(base), commit, NEVER)).toBe(commit)
  expect(await workFile()).toContain('+two\n')
})

test('work without a review is not written to a file', async () => {
  const base = await begin(world())
  await world().agentWrites(ONE, 'new.txt', 'one\n')
  await save(world(), base)
  expect(await workFile()).toBeNull()
})
