import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { attemptSpec } from '../../../test/conformance/attempt-specs.ts'
import {
  agentGit,
  begin,
  NEVER,
  ONE,
  putOnLine,
  release,
  save,
  useGitWorld,
  usersState,
} from '../../../test/conformance/git-tests.ts'
import { known } from '../../../test/conformance/git-world.ts'
import type { Commit } from '../../core/model/ids.ts'

const world = useGitWorld()

describe('a repository that an agent made inside its workspace', () => {
  test('is named by the checkpoint, and salvaged with its history and dirt', async () => {
    const base = await begin(world())
    const inner = nested('tools/inner')
    agentGitIn(inner, ['add', '.'])
    agentGitIn(inner, ['commit', '--quiet', '-m', 'inner'])
    await world().agentWrites(ONE, 'tools/inner/dirty.txt', 'dirty\n')
    const checkpoint = await save(world(), base)
    expect(checkpoint.nested).toEqual(['tools/inner'])
    await putOnLine(world(), checkpoint.commit)
    const { salvage, kept } = await release(world(), base, checkpoint.commit, 'landed')
    expect({ salvage, kept }).toEqual({ salvage: ['refs/longhaul/salvage/one-a1++tools+2finner'], kept: false })
    const saved = known(await world().refAt(salvage[0] ?? ''))
    expect(await world().fileAt(saved, 'dirty.txt')).toBe('dirty\n')
    expect(world().repo.git(['log', '--format=%s', saved]).split('\n')).toEqual([expect.any(String), 'inner'])
  })

  test('is named and salvaged even without a commit, and does not keep the rest from being saved', async () => {
    const base = await begin(world())
    nested('inner')
    await world().agentWrites(ONE, 'outer.txt', 'outer\n')
    const checkpoint = await save(world(), base)
    expect(checkpoint).toMatchObject({ changed: 1, nested: ['inner'] })
    expect(await world().fileAt(checkpoint.commit, 'outer.txt')).toBe('outer\n')
    const { salvage } = await release(world(), base, checkpoint.commit, 'keep')
    const saved = known(await world().refAt(salvage[0] ?? ''))
    expect(await world().fileAt(saved, 'file.txt')).toBe('inner\n')
  })

  test('is salvaged with those nested in it', async () => {
    const base = await begin(world())
    const outer = nested('outer')
    nested('outer/inner')
    agentGitIn(outer, ['add', 'file.txt'])
    agentGitIn(outer, ['commit', '--quiet', '-m', 'outer'])
    const { salvage } = await release(world(), base, base, 'keep')
    expect(salvage).toEqual([
      'refs/longhaul/salvage/one-a1',
      'refs/longhaul/salvage/one-a1++outer',
      'refs/longhaul/salvage/one-a1++outer+2finner',
    ])
  })

  test('that cannot be saved is not removed', async () => {
    const base = await begin(world())
    const inner = nested('inner')
    agentGitIn(inner, ['add', '.'])
    agentGitIn(inner, ['commit', '--quiet', '-m', 'inner'])
    const tree = agentGitIn(inner, ['rev-parse', 'HEAD^{tree}'])
    rmSync(join(inner, '.git/objects', tree.slice(0, 2), tree.slice(2)))
    await putOnLine(world(), base)
    const answer = await world().workspaces.release(attemptSpec(ONE, base), base, 'landed')
    expect(answer).toMatchObject({ code: 'nested-unsaved', retry: 'person' })
    expect(existsSync(join(inner, 'file.txt'))).toBe(true)
  })
})

describe('submodules', () => {
  let library: string

  beforeEach(() => {
    const { repo } = world()
    library = join(repo.root, 'library')
    repo.git(['init', '--quiet', '--initial-branch=main', library])
    for (const [key, value] of [
      ['user.name', 'L'],
      ['user.email', 'l@example.org'],
    ] as const) {
      repo.git(['config', '--global', key, value])
    }
    repo.write('lib.txt', 'lib\n', library)
    repo.git(['add', '.'], library)
    repo.git(['commit', '--quiet', '-m', 'lib'], library)
    repo.git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'deps/lib'])
    repo.commit('with a submodule')
  })

  test('that the user has are filled from this machine, and the user notices nothing', async () => {
    const before = usersState(world().repo)
    rmSync(library, { recursive: true })
    const base = await begin(world())
    expect(await world().fileIn(world().workspaces.folder(ONE), 'deps/lib/lib.txt')).toBe('lib\n')
    expect(agentGit(world(), ['status', '--porcelain'])).toBe('')
    expect(agentGit(world(), ['submodule', 'status'])).toMatch(/^ ?[0-9a-f]+ deps\/lib/)
    expect(await save(world(), base)).toMatchObject({ commit: base, nested: [] })
    await putOnLine(world(), base)
    expect(await release(world(), base, base, 'landed')).toEqual({ kind: 'released', kept: false, salvage: [] })
    expect(usersState(world().repo)).toEqual(before)
  })

  test('that the user has not initialised stay empty', async () => {
    world().repo.git(['submodule', '--quiet', 'deinit', '--force', 'deps/lib'])
    rmSync(join(world().repo.checkout, '.git/modules'), { recursive: true })
    const base = await begin(world())
    expect(await world().fileIn(world().workspaces.folder(ONE), 'deps/lib/lib.txt')).toBeNull()
    expect(await save(world(), base)).toMatchObject({ commit: base, nested: [] })
  })

  test('with new commits land, and a clean checkout has them', async () => {
    const base = await begin(world())
    const folder = join(world().workspaces.folder(ONE), 'deps/lib')
    world().repo.write('lib.txt', 'better\n', folder)
    agentGitIn(folder, ['commit', '--quiet', '-am', 'better'])
    const checkpoint = await save(world(), base)
    expect(checkpoint).toMatchObject({ changed: 1, nested: [] })
    const answer = await world().workspaces.checkOut('x', checkpoint.commit, { setup: [], setupMs: 1_000 }, NEVER)
    const checkout = (answer as { folder: string }).folder
    expect(await world().fileIn(checkout, 'deps/lib/lib.txt')).toBe('better\n')
    expect((await release(world(), base, checkpoint.commit, 'keep')).salvage).toEqual([])
  })

  test('with uncommitted changes are named, and salvaged', async () => {
    const base = await begin(world())
    await world().agentWrites(ONE, 'deps/lib/lib.txt', 'dirty\n')
    const checkpoint = await save(world(), base)
    expect(checkpoint).toMatchObject({ commit: base, nested: ['deps/lib'] })
    await putOnLine(world(), base)
    const { salvage } = await release(world(), base, base, 'landed')
    expect(salvage).toEqual(['refs/longhaul/salvage/one-a1++deps+2flib'])
    const saved = known(await world().refAt(salvage[0] ?? '')) as Commit
    expect(await world().fileAt(saved, 'lib.txt')).toBe('dirty\n')
  })

  test('are filled when the repository was opened from a linked worktree', async () => {
    const { repo } = world()
    const linked = join(repo.root, 'linked')
    repo.git(['worktree', 'add', '--quiet', '-b', 'side', linked])
    await world().restart(linked)
    const base = await begin(world())
    expect(await world().fileIn(world().workspaces.folder(ONE), 'deps/lib/lib.txt')).toBe('lib\n')
    expect(base).toBe(repo.git(['rev-parse', 'main']))
  })
})

function nested(path: string): string {
  const folder = join(world().workspaces.folder(ONE), path)
  world().repo.write('file.txt', 'inner\n', folder)
  world().repo.git(['init', '--quiet'], folder)
  for (const [key, value] of [
    ['user.name', 'A'],
    ['user.email', 'a@example.org'],
  ] as const) {
    world().repo.git(['config', key, value], folder)
  }
  return folder
}

function agentGitIn(folder: string, args: readonly string[]): string {
  return world().repo.git(args, folder)
}
