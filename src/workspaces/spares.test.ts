import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { agentGit, begin, containment, NEVER, ONE, save, useGitWorld } from '../../test/conformance/git-tests.ts'
import { targetTip } from '../../test/conformance/git-world.ts'
import type { AttemptId, Commit } from '../core/model/ids.ts'
import { runInShell } from '../process/run-in-shell.ts'
import { sharedClones } from './shared-clones.ts'

const world = useGitWorld()
const TWO = 'two-a1' as AttemptId

const spares = () => readdirSync(world().repo.home).filter((name) => name.includes('spare'))
const spare = (file: string) => join(world().repo.home, spares()[0] ?? 'none', 'tree', file)
const inode = (file: string) => statSync(file).ino
const inOne = (file: string) => join(world().workspaces.folder(ONE), file)

/** Has one spare at the target's tip; tells which file of it is to be found again, and is nothing else meanwhile. */
async function keepOne(): Promise<number> {
  await world().workspaces.keepSpares(1, await targetTip(world()))
  held.push(openSync(spare('kept.txt'), 'r'))
  return inode(spare('kept.txt'))
}

const held: number[] = []
afterEach(() => held.splice(0).forEach(closeSync))

/** Everything in a workspace but what tells when its files were made. */
function contents(attempt: AttemptId): Record<string, string> {
  const folder = world().workspaces.folder(attempt)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const told = files.filter((name) => name !== '.git/index' && statSync(join(folder, name)).isFile()).sort()
  const text = (name: string) => readFileSync(join(folder, name), 'utf8').replaceAll(attempt, 'ATTEMPT')
  return Object.fromEntries(told.map((name) => [name, text(name)]))
}

/** What was made from the spare must be what is made from nothing. */
async function expectAsNew(base: Commit): Promise<void> {
  expect(await begin(world(), {}, TWO)).toBe(base)
  expect(contents(ONE)).toEqual(contents(TWO))
  for (const args of [['status', '--porcelain'], ['tag'], ['ls-files', '--stage']])
    expect(agentGit(world(), args, ONE)).toBe(agentGit(world(), args, TWO))
  expect(agentGit(world(), ['rev-parse', 'HEAD'], ONE)).toBe(base)
}

describe('a workspace that is made from a spare clone', () => {
  test('has its files, and is as one that is made from nothing', async () => {
    const file = await keepOne()
    const base = await begin(world())
    expect(inode(inOne('kept.txt'))).toBe(file)
    await expectAsNew(base)
    await world().agentWrites(ONE, 'new.txt', 'new\n')
    expect(await save(world(), base)).toMatchObject({ changed: 1 })
  })

  test('shows the commit that is wanted, with the tags and exclusions of now', async () => {
    const { repo } = world()
    await world().userCommits('goes.txt', 'goes\n')
    repo.git(['tag', 'old'])
    repo.git(['tag', 'packed'])
    repo.git(['pack-refs', '--all'])
    const file = await keepOne()
    await world().userCommits('goes.txt', null)
    await world().userCommits('folder/comes.txt', 'comes\n')
    repo.git(['tag', '--delete', 'old'])
    repo.git(['tag', 'new'])
    repo.write('.git/info/exclude', 'excluded\n')
    const base = await begin(world())
    expect([inode(inOne('kept.txt')), existsSync(inOne('goes.txt'))]).toEqual([file, false])
    expect(agentGit(world(), ['tag']).split('\n')).toEqual(['new', 'packed'])
    await expectAsNew(base)
  })

  test.each([
    ['in a commit', () => world().userCommits('.gitattributes', '*.txt text eol=crlf\n')],
    ['in the user’s git folder', async () => world().repo.write('.git/info/attributes', '*.txt text eol=crlf\n')],
  ])('is made from nothing after all where attributes have changed %s', async (_, change) => {
    const file = await keepOne()
    await change()
    const base = await begin(world())
    expect(inode(inOne('kept.txt'))).not.toBe(file)
    expect(readFileSync(inOne('kept.txt'), 'utf8')).toContain('\r\n')
    await expectAsNew(base)
    expect(spares()).toEqual([])
  })

  test.each([
    ['is gone', () => rmSync(join(world().repo.home, spares()[0] ?? 'none'), { recursive: true })],
    ['lacks its index', () => rmSync(join(world().repo.home, '.own', spares()[0] ?? 'none', 'index'))],
    ['lacks its git folder', () => rmSync(spare('.git'), { recursive: true })],
    ['lacks a file', () => rmSync(spare('kept.txt'))],
    ['has a file that was changed', () => writeFileSync(spare('kept.txt'), 'evil\n')],
    ['has a file more', () => writeFileSync(spare('more.txt'), 'more\n')],
  ])('is made from nothing after all where the spare %s', async (_, harm) => {
    for (const commit of [null, 'other.txt']) {
      await keepOne()
      if (commit !== null) await world().userCommits(commit, 'other\n')
      harm()
      const attempt = `${commit ?? 'one'}-a1` as AttemptId
      const base = await begin(world(), {}, attempt)
      expect(await begin(world(), {}, TWO)).toBe(base)
      expect(contents(attempt)).toEqual(contents(TWO))
      expect(spares()).toEqual([])
      await world().workspaceVanishes(TWO)
    }
  })

  test('has the notes folder that the project has itself', async () => {
    await keepOne()
    await world().userCommits('.longhaul/mine.md', 'mine\n')
    const base = await begin(world())
    expect(readdirSync(inOne('.longhaul'))).toEqual(['mine.md'])
    await expectAsNew(base)
  })
})

describe('spare clones', () => {
  test('are made again when one was taken, up to as many as are wanted', async () => {
    await keepOne()
    await begin(world())
    await world().workspaces.keepSpares(2, await targetTip(world()))
    expect((await world().workspaces.list()).map(({ kind }) => kind)).toEqual(['checkout', 'checkout', 'workspace'])
    await world().workspaces.keepSpares(1, await targetTip(world()))
    expect(spares()).toHaveLength(1)
    await world().workspaces.removeSpares()
    expect(await world().workspaces.list()).toMatchObject([{ kind: 'workspace', attempt: ONE }])
  })

  test('that are wanted no more still serve who comes for one, until nothing else is done', async () => {
    const file = await keepOne()
    const rest = new AbortController()
    const { checkout: cwd, env } = world().repo
    const busy = runInShell({ file: 'sleep', args: ['600'], cwd, env, signal: rest.signal })
    const gone = world().workspaces.keepSpares(0, await targetTip(world()))
    await begin(world())
    rest.abort()
    await Promise.all([busy, gone])
    expect(inode(inOne('kept.txt'))).toBe(file)
    expect(spares()).toEqual([])
  })

  test('serve checkouts, too, but for the last one', async () => {
    const tip = await targetTip(world())
    await world().workspaces.keepSpares(2, tip)
    const commit = await world().userCommits('comes.txt', 'comes\n')
    const places: number[] = []
    const files = spares().map((name) => inode(join(world().repo.home, name)))
    for (const name of ['l1', 'l2']) {
      const checkout = await world().workspaces.checkOut(name, commit, { setup: [], setupMs: 1_000 }, NEVER)
      if (checkout.kind !== 'checkout') throw new Error(JSON.stringify(checkout))
      expect(await world().fileIn(checkout.folder, 'comes.txt')).toBe('comes\n')
      expect(world().repo.git(['status', '--porcelain'], checkout.folder)).toBe('')
      expect(world().repo.git(['rev-parse', 'HEAD'], checkout.folder)).toBe(commit)
      places.push(inode(join(checkout.folder, '..')))
    }
    expect(places.map((place) => files.includes(place))).toEqual([true, false])
  })

  test('are no more made once they are removed, and none is left half made', async () => {
    const tip = await targetTip(world())
    void world().workspaces.keepSpares(2, tip)
    await vi.waitFor(() => expect(existsSync(spare(''))).toBe(true), { timeout: 10_000, interval: 1 })
    await world().workspaces.removeSpares()
    await world().workspaces.keepSpares(2, tip)
    await begin(world())
    expect(await world().workspaces.list()).toMatchObject([{ kind: 'workspace' }])
  })

  test('of a killed engine are listed as checkouts, and go as those do', async () => {
    await keepOne()
    await world().restart()
    const [left] = await world().workspaces.list()
    expect(left).toMatchObject({ kind: 'checkout', attempt: null })
    expect(await world().workspaces.discard(left?.name ?? '')).toBeNull()
    expect(await world().workspaces.list()).toEqual([])
  })

  test.each([
    ['of a commit that is not there', 'f'.repeat(40), () => {}],
    [
      'with attributes that cannot be read',
      null,
      () => mkdirSync(join(world().repo.checkout, '.git/info/attributes'), { recursive: true }),
    ],
  ])('that cannot be made, %s, leave nothing and are not tried again', async (_, commit, harm) => {
    const tip = await targetTip(world())
    harm()
    await world().workspaces.keepSpares(1, (commit ?? tip) as Commit)
    await world().workspaces.keepSpares(1, tip)
    expect(await world().workspaces.list()).toEqual([])
  })

  test('of an engine that ends are its own, and no other engine’s', async () => {
    const { repo } = world()
    const tip = await targetTip(world())
    const before = world().workspaces
    await before.keepSpares(1, tip)
    await world().restart()
    for (const { name } of await world().workspaces.list()) await world().workspaces.discard(name)
    vi.spyOn(process, 'pid', 'get').mockReturnValue(process.pid + 1)
    await world()
      .workspaces.keepSpares(1, tip)
      .finally(() => vi.restoreAllMocks())
    await before.removeSpares()
    expect(readdirSync(repo.home).filter((name) => name.includes('spare'))).toHaveLength(1)
  })

  test('without a place to be made in are done without', async () => {
    const { repo } = world()
    const repository = await repo.open(repo.checkout, repo.env)
    const home = join(repo.root, 'a file')
    writeFileSync(home, '')
    const workspaces = sharedClones({ repository, home, environment: repo.env, containment })
    await workspaces.keepSpares(1, 'f'.repeat(40) as Commit)
    await workspaces.removeSpares()
    expect(readFileSync(home, 'utf8')).toBe('')
  })
})
