import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { landedTasks, workNowhere } from './backlogs.ts'
import type { Cell, Outcome } from './crash-cell.ts'
import { type CommandResult, type Journey, openJourney, SETTINGS, taskFile, waitUntil } from './journey.ts'
import { processesOf } from './leftovers.ts'
import { canMount, mountDisk, type SmallDisk } from './small-disk.ts'
import {
  type ExpectedEnd,
  FLIPPED_BITS,
  STORAGE_TROUBLES,
  type StorageScene,
  type StorageTrouble,
} from './storage-troubles.ts'

const TROUBLES: Readonly<Record<string, StorageTrouble>> = { ...STORAGE_TROUBLES, ...FLIPPED_BITS }
const AT_WORK = 'under an engine'
const AT_REST = 'between engines'
const ENGINES = 5
const LINE = 'refs/longhaul/landed/main'
const FOREIGN_TASK = 'z'
const DISK_SIZE = '12m'

/** Lists every trouble with storage, under an engine that notices it and between two engines. */
export function storageCells(): readonly Cell[] {
  return Object.entries(TROUBLES).flatMap(([row, { atWork }]) =>
    [...(atWork === null ? [] : [AT_WORK]), AT_REST].map((column) => ({ scenario: 'storage', row, column })),
  )
}

/** Plays one trouble to its end: five engines start beside it, and after its repair five others, of which one works. */
export async function playStorageCell({ row, column }: Cell): Promise<Outcome> {
  const trouble = TROUBLES[row]
  if (trouble === undefined) throw new Error(`there is no trouble ${row}`)
  if (trouble.disk !== null && !canMount()) return { hasHappened: false, faults: [] }
  const disk = trouble.disk === null ? null : mountDisk(DISK_SIZE)
  const outside = mkdtempSync(join(tmpdir(), 'longhaul outside '))
  let scene: Scene | null = null
  try {
    scene = await openScene(trouble, disk, outside)
    const faults = await (column === AT_WORK ? playAtWork(scene, trouble) : playAtRest(scene, trouble))
    return { hasHappened: true, faults: [...faults, ...(await faultsAtEnd(scene))] }
  } finally {
    scene?.journey.end()
    disk?.remove()
    rmSync(outside, { recursive: true })
  }
}

interface Scene extends StorageScene {
  /** Folder on another disk, with the journal of the agents. */
  readonly outside: string
}

/** Creates a repository with a backlog and the state of another repository. */
async function openScene(trouble: StorageTrouble, disk: SmallDisk | null, outside: string): Promise<Scene> {
  const onDisk = disk?.folder ?? outside
  const journey = openJourney(
    { 'longhaul.yaml': SETTINGS, 'script.yaml': scriptIn(outside) },
    trouble.disk === 'workspaces' ? { env: { XDG_STATE_HOME: onDisk } } : { parent: onDisk },
  )
  const foreign = await foreignState(outside)
  writeFileSync(join(outside, 'tasks.json'), taskFile('a', 'b:a', 'c:b'))
  await done(journey, 'import', join(outside, 'tasks.json'))
  return { journey, disk: disk?.folder ?? null, outside, foreign, backup: join(outside, 'backup.db') }
}

/** Every round notes its work in a journal and whether another round works on its task; b returns from its checks and then waits. */
function scriptIn(outside: string): string {
  const mark = '$LONGHAUL_TASK $LONGHAUL_ATTEMPT.$LONGHAUL_ROUND'
  const alone = `exec 9>> '${outside}/$LONGHAUL_TASK.busy'; flock -n 9 || echo ${mark} >> '${outside}/two-at-work'`
  // Larger than what an engine can free on a full disk.
  const big = 'head -c 500000 /dev/urandom > $LONGHAUL_TASK.bin'
  const add = `${alone}; ${big}; echo ${mark} >> $LONGHAUL_TASK.txt; echo ${mark} >> '${outside}/journal'`
  const waits = `touch '${outside}/works'; until [ -e '${outside}/go' ]; do sleep 0.05; done`
  return [
    `- { task: b, attempt: 1, round: 1, steps: [ { run: ${JSON.stringify(`${add}; touch red`)} }, { report: done } ] }`,
    `- { task: b, attempt: 1, round: 2, steps: [ { run: ${JSON.stringify(`${add}; rm -f red; ${waits}`)} }, { report: done } ] }`,
    `- { task: "*", steps: [ { run: ${JSON.stringify(`${add}; rm -f red`)} }, { report: done } ] }`,
    '',
  ].join('\n')
}

async function foreignState(outside: string): Promise<string> {
  const folder = join(outside, 'other')
  mkdirSync(folder)
  const other = openJourney(undefined, { parent: folder })
  await done(other, 'add', FOREIGN_TASK, '--title', 'Z')
  return join(other.repository, '.git/longhaul/state.db')
}

async function startEngine({ journey, outside, backup }: Scene) {
  const engine = journey.start(['run'])
  await waitUntil('b to work', () => existsSync(join(outside, 'works')))
  await done(journey, 'backup', backup)
  return engine
}

async function playAtWork(scene: Scene, trouble: StorageTrouble): Promise<readonly string[]> {
  const engine = await startEngine(scene)
  // Stopped, it cannot notice before others have tried.
  engine.child.kill('SIGSTOP')
  const repair = trouble.cause(scene)
  const beside = await startFive(scene.journey)
  engine.child.kill('SIGCONT')
  endWait(scene)
  const ended = await engine.ended
  const after = await startFive(scene.journey)
  await repair(ended.stderr)
  return [
    ...unexpected('beside the engine', beside, { codes: [2], says: /./ }),
    ...unexpected('the engine', [ended], trouble.atWork ?? trouble.atStart),
    ...unexpected('after the engine', after, trouble.atStart),
  ]
}

async function playAtRest(scene: Scene, trouble: StorageTrouble): Promise<readonly string[]> {
  const engine = await startEngine(scene)
  engine.child.kill('SIGKILL')
  await engine.ended
  await waitUntil('the agents to end', () => processesOf(scene.journey).length === 0)
  const repair = trouble.cause(scene)
  endWait(scene)
  const started = await startFive(scene.journey)
  await repair('')
  return unexpected('started', started, trouble.atStart)
}

/** Lists what is wrong after five engines have started on the repaired storage. */
async function faultsAtEnd({ journey, outside }: Scene): Promise<readonly string[]> {
  const ends = await startFive(journey)
  const { tasks } = await journey.status()
  const twoAtWork = join(outside, 'two-at-work')
  return [
    ...unexpected('at the end', ends, {
      codes: [0, 2],
      says: ENGINE_RUNNING,
    }),
    ...(ends.some(({ code }) => code === 0) ? [] : ['at the end: no engine worked']),
    ...differs(
      'tasks',
      tasks.map(({ id, state, reason }) => `${id} ${state === 'done' ? state : reason}`).join(', '),
      'a done, b done, c done',
    ),
    ...differs(
      'landed',
      landedTasks(journey, LINE)
        .filter((task) => task !== FOREIGN_TASK)
        .join(' '),
      'a b c',
    ),
    ...differs('two at work', existsSync(twoAtWork) ? readFileSync(twoAtWork, 'utf8') : '', ''),
    ...workNowhere(journey, join(outside, 'journal')).map((line) => `lost: ${line}`),
    ...processesOf(journey).map(({ args }) => `process left: ${args.join(' ')}`),
  ]
}

function startFive(journey: Journey): Promise<readonly CommandResult[]> {
  return Promise.all(Array.from({ length: ENGINES }, () => journey.cli('run')))
}

function endWait({ outside }: Scene): void {
  writeFileSync(join(outside, 'go'), '')
}

/** Compares the ends of engines; of several, some may only have met another one. */
function unexpected(who: string, ends: readonly CommandResult[], { codes, says }: ExpectedEnd): readonly string[] {
  const wrong = ends.filter(({ code, stderr }) => {
    const isSaid = code === 0 || says.test(stderr) || (code === 2 && ENGINE_RUNNING.test(stderr))
    return code === null || !codes.includes(code) || !isSaid
  })
  const isNowhere = ends.every(({ stderr }) => ENGINE_RUNNING.test(stderr)) && !says.test(ends[0]?.stderr ?? '')
  return [
    ...wrong.map(({ code, stderr }) => `${who}: exit code ${code}, not ${codes} with ${says}: ${stderr}`),
    ...(isNowhere ? [`${who}: no engine says ${says}`] : []),
  ]
}

const ENGINE_RUNNING = /has been the engine of this repository|Another process is the engine/

function differs(what: string, actual: string, expected: string): readonly string[] {
  return actual === expected ? [] : [`${what}: ${actual}, not ${expected}`]
}

async function done(journey: Journey, ...args: readonly string[]): Promise<void> {
  const { code, stderr } = await journey.cli(...args)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
}
