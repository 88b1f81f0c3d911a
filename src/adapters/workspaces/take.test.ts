import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { begin, ONE, release, save, useGitWorld } from '../../../test/conformance/git-tests.ts'
import { known } from '../../../test/conformance/git-world.ts'
import { type ClonePaths, workspacePaths } from './clone-paths.ts'

const world = useGitWorld()

function damage(harm: (clone: ClonePaths) => void): void {
  harm(workspacePaths(world().repo.home, ONE))
}

test.each<[string, (clone: ClonePaths) => void]>([
  ['is gone', ({ take }) => rmSync(take, { recursive: true })],
  ['has lost its objects', ({ objects }) => rmSync(objects, { recursive: true })],
  ['has damaged objects', ({ objects }) => damageObjects(objects)],
  ['has a damaged index', ({ index }) => writeFileSync(index, 'DIRC')],
  ['has no indexes', ({ indexes }) => rmSync(indexes, { recursive: true })],
  ['has a locked index', ({ index }) => writeFileSync(`${index}.lock`, '')],
])('work is saved as usual when our git folder %s', async (_, harm) => {
  const base = await begin(world())
  await world().agentWrites(ONE, 'a.txt', 'a\n')
  const { commit: first } = await save(world(), base)
  damage(harm)
  await world().agentWrites(ONE, 'b.txt', 'b\n')
  const { commit } = await save(world(), base, first)
  expect(await world().parentsOf(commit)).toEqual([first])
  expect([await world().fileAt(commit, 'a.txt'), await world().fileAt(commit, 'b.txt')]).toEqual(['a\n', 'b\n'])
  damage(harm)
  await world().agentWrites(ONE, 'c.txt', 'c\n')
  await release(world(), base, commit, 'keep')
  expect(await world().fileAt(known(await world().refAt('refs/longhaul/salvage/one-a1')), 'c.txt')).toBe('c\n')
})

test('many new files arrive as one pack, few as single objects, and none stay as packs in transit', async () => {
  const base = await begin(world())
  await world().agentWrites(ONE, 'single.txt', 'single\n')
  const { commit: first } = await save(world(), base)
  expect(packs()).toEqual([])
  for (let number = 0; number < 120; number += 1) await world().agentWrites(ONE, `many/${number}.txt`, `${number}\n`)
  const { commit } = await save(world(), base, first)
  expect(packs()).toHaveLength(1)
  expect(await world().fileAt(commit, 'many/119.txt')).toBe('119\n')
  expect(readdirSync(workspacePaths(world().repo.home, ONE).own).filter((name) => name.startsWith('pack'))).toEqual([])
})

test('the clone’s own git finds everything after a checkpoint, without our git folder', async () => {
  const base = await begin(world())
  await world().agentWrites(ONE, 'a.txt', 'a\n')
  await save(world(), base)
  damage(({ take }) => rmSync(take, { recursive: true }))
  expect(world().repo.git(['fsck', '--connectivity-only'], world().workspaces.folder(ONE))).not.toContain('missing')
  expect(world().repo.git(['status', '--porcelain'], world().workspaces.folder(ONE))).toBe('')
})

function packs(): readonly string[] {
  const names = readdirSync(join(world().repo.checkout, '.git/objects/pack'))
  return names.filter((name) => name.endsWith('.pack'))
}

function damageObjects(objects: string): void {
  for (const name of readdirSync(objects, { recursive: true, encoding: 'utf8' })) {
    if (/^[0-9a-f]{2}\/[0-9a-f]+$/.test(name)) {
      rmSync(join(objects, name))
      writeFileSync(join(objects, name), '')
    }
  }
}
