import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, readdirSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Journey } from './journey.ts'
import { coverReadOnly } from './small-disk.ts'

/** Repository and its storage, with a backup of the moment before the trouble. */
export interface StorageScene {
  readonly journey: Journey
  /** Disk that holds the repository or the workspaces; null when they share one with everything else. */
  readonly disk: string | null
  readonly backup: string
  /** State of another repository. */
  readonly foreign: string
}

/** Expected ends of engines. */
export interface ExpectedEnd {
  readonly codes: readonly number[]
  /** Message of each engine that ends with a problem. */
  readonly says: RegExp
}

/** Repairs the storage as the guide on crashes says; `said` is what the engine at work printed about its end. */
type Repair = (said: string) => unknown

/** Something that happens to storage from outside. */
export interface StorageTrouble {
  /** Storage that has a small disk of its own, which needs the right to mount. */
  readonly disk: 'repository' | 'workspaces' | null
  cause(scene: StorageScene): Repair
  /** End of the engine that is at work; null when it cannot notice. */
  readonly atWork: ExpectedEnd | null
  /** Ends of engines that start afterwards. */
  readonly atStart: ExpectedEnd
}

const LOST = 3
const REFUSED = 2
const READ_ONLY = /The disk that holds .* is read-only\./
const FULL = /The disk that holds .* is full\./
// A whole state of another repository is worked on; mixed with the log of this one, it is damaged.
const FOREIGN = { codes: [0, REFUSED], says: /state\.db is damaged/ }
const DAMAGED = { codes: [REFUSED], says: /state\.db is damaged/ }

/** Troubles by name. */
export const STORAGE_TROUBLES: Readonly<Record<string, StorageTrouble>> = {
  'state moved': {
    disk: null,
    cause({ journey }) {
      renameSync(stateOf(journey), `${stateOf(journey)}-away`)
      return () => renameSync(`${stateOf(journey)}-away`, stateOf(journey))
    },
    atWork: {
      codes: [LOST],
      says: /state\.db was moved away or deleted .*Everything recorded is in .*Work is saved in /s,
    },
    atStart: { codes: [REFUSED], says: /The state in .* is missing, but 1 task of it landed: a\./ },
  },
  'state deleted': {
    disk: null,
    cause(scene) {
      rmSync(stateOf(scene.journey), { recursive: true })
      return (said) => putBack(scene, said)
    },
    atWork: { codes: [LOST], says: /state\.db was moved away or deleted .*Everything recorded is in /s },
    atStart: { codes: [REFUSED], says: /The state in .* is missing, but 1 task of it landed: a\./ },
  },
  'state truncated': {
    disk: null,
    cause(scene) {
      truncateSync(fileOf(scene.journey), Math.floor(statSync(fileOf(scene.journey)).size / 2))
      truncateLog(scene.journey)
      return () => restore(scene)
    },
    atWork: { codes: [LOST], says: /state\.db was truncated/ },
    atStart: DAMAGED,
  },
  "state replaced by another's": {
    disk: null,
    cause(scene) {
      copyFileSync(scene.foreign, `${fileOf(scene.journey)}.other`)
      for (const ending of ['-wal', '-shm']) rmSync(fileOf(scene.journey) + ending, { force: true })
      renameSync(`${fileOf(scene.journey)}.other`, fileOf(scene.journey))
      return () => restore(scene)
    },
    atWork: { codes: [LOST], says: /state\.db was (replaced by another file|moved away or deleted)/ },
    atStart: FOREIGN,
  },
  "state overwritten by another's": {
    disk: null,
    cause(scene) {
      copyFileSync(scene.foreign, fileOf(scene.journey))
      return () => restore(scene)
    },
    atWork: { codes: [LOST], says: /state\.db was (overwritten by another program|truncated)/ },
    atStart: FOREIGN,
  },
  'state with a newer schema': {
    disk: null,
    cause({ journey }) {
      const version = Number(edit(journey, 'PRAGMA user_version')?.user_version)
      edit(journey, 'PRAGMA user_version = 99')
      return () => edit(journey, `PRAGMA user_version = ${version}`)
    },
    atWork: { codes: [LOST], says: /state\.db was changed by a newer Longhaul/ },
    atStart: { codes: [REFUSED], says: /newer/ },
  },
  'state read-only': {
    disk: 'repository',
    cause: ({ journey }) => coverReadOnly(stateOf(journey)),
    atWork: null,
    atStart: { codes: [REFUSED], says: /state\.db is read-only/ },
  },
  'repository read-only': {
    disk: 'repository',
    cause: ({ disk }) => coverReadOnly(disk ?? ''),
    atWork: { codes: [LOST], says: READ_ONLY },
    atStart: { codes: [REFUSED], says: READ_ONLY },
  },
  "repository's disk full": {
    disk: 'repository',
    cause: ({ disk }) => fill(disk ?? ''),
    atWork: { codes: [LOST], says: FULL },
    atStart: { codes: [REFUSED, LOST], says: FULL },
  },
  'workspaces read-only': {
    disk: 'workspaces',
    cause: ({ disk }) => coverReadOnly(disk ?? ''),
    atWork: { codes: [LOST], says: READ_ONLY },
    atStart: { codes: [REFUSED], says: READ_ONLY },
  },
  'workspaces full': {
    disk: 'workspaces',
    cause: ({ disk }) => fill(disk ?? ''),
    atWork: { codes: [LOST], says: FULL },
    atStart: { codes: [REFUSED, LOST], says: FULL },
  },
  'workspaces moved': {
    disk: null,
    cause({ journey }) {
      const home = workspacesOf(journey)
      renameSync(home, `${home}-away`)
      return () => {}
    },
    atWork: { codes: [0], says: /./ },
    atStart: { codes: [0, REFUSED], says: /has been the engine of this repository/ },
  },
}

/** Kinds of facts that the ledgers have when the trouble begins. */
const FLIPPED = [
  ...'run-opened settings-adopted task-added engine-started line-opened baseline-checked attempt-started'.split(' '),
  ...'attempt-ready candidate-prepared candidate-checked landed attempt-ended target-followed'.split(' '),
  ...'attempt-notified'.split(' '),
].map((kind) => `run ${kind}`)
const FLIPPED_IN_ATTEMPT = [
  ...'attempt-opened workspace-made phase-entered round-started session-opened round-ended'.split(' '),
  ...'checkpoint-made verdict-given work-returned'.split(' '),
].map((kind) => `attempt/b-a1 ${kind}`)

/** Bits that flip in a fact, by kind of fact; an engine at work has read them already. */
export const FLIPPED_BITS: Readonly<Record<string, StorageTrouble>> = Object.fromEntries(
  [...FLIPPED, ...FLIPPED_IN_ATTEMPT].map((fact) => {
    const [ledger = '', kind = ''] = fact.split(' ')
    const trouble: StorageTrouble = {
      disk: null,
      cause(scene) {
        flipBit(scene.journey, ledger, kind)
        return () => restore(scene)
      },
      atWork: null,
      atStart: {
        codes: [REFUSED],
        says: new RegExp(`event \\d+ of ${ledger}.* \\("${kind}"\\) does not match its checksum`),
      },
    }
    return [`bit flipped in ${fact}`, trouble]
  }),
)

/** Folder of the workspaces of the journey's repository. */
function workspacesOf({ env }: Pick<Journey, 'env'>): string {
  const homes = join(env.XDG_STATE_HOME ?? '', 'longhaul')
  return join(homes, readdirSync(homes).find((name) => !/\.(lease|saved|before|backups)/.test(name)) ?? '')
}

function stateOf({ repository }: Journey): string {
  return join(repository, '.git/longhaul')
}

function fileOf(journey: Journey): string {
  return join(stateOf(journey), 'state.db')
}

/** Changes the state with another program. */
function edit(
  journey: Journey,
  sql: string,
  ...values: readonly (string | number)[]
): Record<string, unknown> | undefined {
  const db = new DatabaseSync(fileOf(journey), { timeout: 5_000 })
  try {
    return db.prepare(sql).get(...values) as Record<string, unknown> | undefined
  } finally {
    db.close()
  }
}

function flipBit(journey: Journey, ledger: string, kind: string): void {
  const event = edit(
    journey,
    `SELECT position, body FROM events WHERE ledger LIKE ? AND json_extract(body, '$.kind') = ? ORDER BY position DESC`,
    `${ledger}%`,
    kind,
  )
  if (event === undefined) throw new Error(`there is no ${kind} in ${ledger}`)
  const body = Buffer.from(String(event.body))
  const last = body.length - 2
  body[last] = (body[last] ?? 0) ^ 1
  edit(journey, 'UPDATE events SET body = ? WHERE position = ?', body.toString(), Number(event.position))
}

function truncateLog(journey: Journey): void {
  const log = `${fileOf(journey)}-wal`
  if (statSync(log, { throwIfNoEntry: false }) !== undefined) truncateSync(log, 0)
}

function fill(disk: string): () => void {
  const filler = join(disk, 'filler')
  execFileSync('sh', ['-c', 'cat /dev/zero > "$0" 2> /dev/null || true', filler])
  return () => rmSync(filler)
}

/** Puts back the state that an engine saved; without one, rebuilds what git knows. */
async function putBack({ journey, backup }: StorageScene, said: string): Promise<void> {
  const saved = /Everything recorded is in (.*?\.db)\./.exec(said)?.[1]
  if (saved !== undefined) {
    cpSync(saved, fileOf(journey))
    return
  }
  await expectDone(journey, 'recover')
  await expectDone(journey, 'import', join(dirname(backup), 'tasks.json'))
}

async function restore({ journey, backup }: StorageScene): Promise<void> {
  renameSync(stateOf(journey), `${stateOf(journey)}.damaged`)
  await expectDone(journey, 'import', backup)
}

async function expectDone(journey: Journey, ...args: readonly string[]): Promise<void> {
  const { code, stderr } = await journey.cli(...args)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
}
