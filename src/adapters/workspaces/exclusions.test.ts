import { describe, expect, test } from 'vitest'
import { agentGit, begin, ONE, putOnLine, release, save, useGitWorld } from '../../../test/conformance/git-tests.ts'

const world = useGitWorld()

const SETUP = [
  'mkdir -p node_modules/a deps "odd [name]"',
  'touch node_modules/a/a.js deps/x.js "odd [name]/y*.js" lock.json',
]

describe('files that setup made', () => {
  test('are no work of the agent', async () => {
    const base = await begin(world(), { setup: SETUP, hooks: { afterCreate: 'mkdir made; touch made/by-hook.txt' } })
    expect(agentGit(world(), ['status', '--porcelain'])).toBe('')
    await world().agentWrites(ONE, 'work.txt', 'x\n')
    expect(await changedBy(base)).toEqual(['work.txt'])
  })

  test('stay out also when the agent stages and commits everything', async () => {
    const base = await begin(world(), { setup: SETUP })
    await world().agentWrites(ONE, 'work.txt', 'x\n')
    agentGit(world(), ['add', '--all'])
    agentGit(world(), ['commit', '--quiet', '-m', 'own'])
    await world().agentWrites(ONE, 'more.txt', 'x\n')
    expect(await changedBy(base)).toEqual(['more.txt', 'work.txt'])
  })

  test('are work once the agent changes them, and so are new files beside them', async () => {
    const base = await begin(world(), { setup: [...SETUP, 'mkdir empty'] })
    await world().agentWrites(ONE, 'lock.json', 'changed\n')
    await world().agentWrites(ONE, 'deps/new.js', 'x\n')
    await world().agentWrites(ONE, 'empty/new.js', 'x\n')
    expect(await changedBy(base)).toEqual(['deps/new.js', 'empty/new.js', 'lock.json'])
  })

  test('are salvaged when the agent changed them after the last checkpoint', async () => {
    const base = await begin(world(), { setup: SETUP })
    await world().agentWrites(ONE, 'deps/new.js', 'x\n')
    const { salvage } = await release(world(), base, base, 'keep')
    expect(
      world()
        .repo.git(['diff', '--name-only', base, salvage[0] ?? ''])
        .split('\n'),
    ).toEqual(['deps/new.js'])
  })

  test('leave nothing to salvage by themselves', async () => {
    const base = await begin(world(), { setup: SETUP })
    await putOnLine(world(), base)
    expect(await release(world(), base, base, 'landed')).toEqual({ kind: 'released', kept: false, salvage: [] })
  })
})

describe('well-known caches', () => {
  test('that checks and agents make are no work', async () => {
    const base = await begin(world())
    await world().agentWrites(ONE, 'tests/__pycache__/a.pyc', 'x')
    await world().agentWrites(ONE, '.venv/lib/tests/a.py', 'x')
    await world().agentWrites(ONE, 'tests/report.txt', 'x')
    expect(await changedBy(base)).toEqual(['tests/report.txt'])
  })

  test('of which the repository tracks a file are work', async () => {
    const { repo } = world()
    repo.write('vendor/node_modules/a.js', 'a\n')
    repo.commit('a package')
    const base = await begin(world())
    await world().agentWrites(ONE, 'vendor/node_modules/b.js', 'b\n')
    expect(await changedBy(base)).toEqual(['vendor/node_modules/b.js'])
  })

  test('are kept when the agent stages them by force', async () => {
    const base = await begin(world())
    await world().agentWrites(ONE, 'node_modules/a.js', 'a\n')
    agentGit(world(), ['add', '--force', 'node_modules/a.js'])
    expect(await changedBy(base)).toEqual(['node_modules/a.js'])
  })
})

test.each([
  ['.config/git/ignore', null],
  ['mine', '~/mine'],
])("the user's own exclusions in ~/%s still hold", async (path, setting) => {
  const { repo } = world()
  repo.write(path, '*.log\n', repo.env.HOME)
  if (setting !== null) repo.git(['config', '--global', 'core.excludesFile', setting])
  await world().restart()
  const base = await begin(world())
  await world().agentWrites(ONE, 'a.log', 'x')
  await world().agentWrites(ONE, 'a.txt', 'x')
  expect(await changedBy(base)).toEqual(['a.txt'])
})

async function changedBy(base: Awaited<ReturnType<typeof begin>>): Promise<readonly string[]> {
  const { commit } = await save(world(), base)
  return world().repo.git(['diff', '--name-only', base, commit]).split('\n')
}
