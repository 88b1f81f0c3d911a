import { setTimeout as pause } from 'node:timers/promises'
import type { CommandResult, Journey, RunningCommand } from './journey.ts'
import { type LiveProcess, processes, processesOf } from './leftovers.ts'

/** Processes that are killed with -9. */
export type Victim = 'engine' | 'agent' | 'both' | 'tool child' | 'guard' | 'engine and guard'

/** Event, as `run --json` prints it. */
export interface Fact {
  readonly kind: string
  readonly ledger: string
  readonly seq: number
}

/** A kill to carry out. */
export interface PlannedKill {
  readonly victim: Victim
  /** Called for each new event of the engine; the first true triggers the kill. Null: kill immediately. */
  readonly isDue: ((fact: Fact) => boolean) | null
  readonly delayMs: number
}

/** A kill that was carried out. */
export interface Kill {
  readonly victim: Victim
  readonly at: number
}

/** A run that ended in spite of kills. */
export interface KilledRun {
  readonly engines: number
  /** Kills that found a process. */
  readonly kills: readonly Kill[]
  /** Guards of the killed engines, which must be gone too. */
  readonly guards: readonly number[]
  /** Result of the last engine, which ended by itself. */
  readonly ran: CommandResult
}

/** Restarts the engine until it ends by itself; removes kills that were carried out from the planned ones. */
export async function runWithKills(journey: Journey, plannedKills: PlannedKill[]): Promise<KilledRun> {
  const record: KillRecord = { guards: [], kills: [] }
  for (let engines = 1; engines <= ENGINES_MAX; engines += 1) {
    const engine = journey.start(['run', '--json'])
    const killing = carryOutKills(journey, engine, plannedKills, record)
    const ran = await engine.ended
    await killing
    if (ran.code !== null) return { engines, ...record, ran }
  }
  throw new Error(`the run has not ended after ${ENGINES_MAX} engines`)
}

interface KillRecord {
  readonly guards: number[]
  readonly kills: Kill[]
}

const ENGINES_MAX = 60
const POLL_MS = 5

/** Carries out planned kills while the engine lives. */
async function carryOutKills(
  journey: Journey,
  engine: RunningCommand,
  plannedKills: PlannedKill[],
  record: KillRecord,
): Promise<void> {
  const life = observe(engine)
  const pid = engine.child.pid ?? 0
  // Finding the guard takes a moment, which must not delay a kill after its event.
  const guards: number[] = []
  life.onFirstEvent(() => {
    guards.push(...pids(guardsOf(pid)))
    record.guards.push(...guards)
  })
  for (let planned = plannedKills[0]; planned !== undefined; planned = plannedKills[0]) {
    if (planned.isDue !== null) await life.untilEvent(planned.isDue)
    if (planned.delayMs > 0) await pause(planned.delayMs)
    while (!life.isOver() && killAll(victimsOf(journey, pid, guards, planned.victim)) === 0) await pause(POLL_MS)
    if (life.isOver()) return
    record.kills.push({ victim: planned.victim, at: Date.now() })
    plannedKills.shift()
    if (KILLS_ENGINE.has(planned.victim)) return
  }
}

/** Victims that include the engine. */
export const KILLS_ENGINE: ReadonlySet<Victim> = new Set(['engine', 'both', 'engine and guard'])

interface Life {
  isOver(): boolean
  /** Calls back at the first event. */
  onFirstEvent(callBack: () => void): void
  /** Resolves when a matching event was recorded or the engine has ended. */
  untilEvent(isDue: (fact: Fact) => boolean): Promise<void>
}

function observe(engine: RunningCommand): Life {
  let isOver = false
  let onNext: (fact: Fact) => void = () => {}
  let onFirst: () => void = () => {}
  void engine.ended.then(() => {
    isOver = true
  })
  onEvent(engine, (fact) => {
    onFirst()
    onFirst = () => {}
    onNext(fact)
  })
  return {
    isOver: () => isOver,
    onFirstEvent(callBack) {
      onFirst = callBack
    },
    async untilEvent(isDue) {
      const due = new Promise<void>((resolve) => {
        onNext = (fact) => {
          if (isDue(fact)) resolve()
        }
      })
      await Promise.race([due, engine.ended])
      onNext = () => {}
    },
  }
}

/** Calls back for each event that an engine prints with --json. */
export function onEvent({ child }: RunningCommand, callBack: (fact: Fact) => void): void {
  let rest = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    const lines = `${rest}${chunk.toString()}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const fact = JSON.parse(line) as Partial<Fact>
      if (fact.kind !== undefined) callBack(fact as Fact)
    }
  })
}

/** Kills processes and returns their number. */
function killAll(victims: readonly number[]): number {
  for (const pid of victims) killOne(pid)
  return victims.length
}

function victimsOf(journey: Journey, engine: number, guards: readonly number[], victim: Victim): readonly number[] {
  const agents = () => pids(processesOf(journey).filter(({ args }) => isAgent(args)))
  const withEngine = (others: readonly number[]) => (others.length === 0 ? [] : [engine, ...others])
  switch (victim) {
    case 'engine':
      return [engine]
    case 'agent':
      return agents()
    case 'both':
      return withEngine(agents())
    case 'tool child':
      return pids(processesOf(journey).filter(({ args }) => args[0] === 'sleep'))
    case 'guard':
      return pids(guardsOf(engine))
    case 'engine and guard':
      return withEngine(guards.length === 0 ? pids(guardsOf(engine)) : guards)
  }
}

/** Finds an engine's guard, which has neither its environment nor its folder. */
function guardsOf(engine: number): readonly LiveProcess[] {
  return processes(() => true).filter(({ ppid, args }) => ppid === engine && isProgram(args, 'guard-main.js'))
}

function isAgent(args: readonly string[]): boolean {
  return isProgram(args, 'agent-main.js') || (args[0] ?? '').endsWith('/claude')
}

function isProgram([node, file]: readonly string[], name: string): boolean {
  return node === process.execPath && (file ?? '').endsWith(`/${name}`)
}

function pids(live: readonly LiveProcess[]): readonly number[] {
  return live.map(({ pid }) => pid)
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // already gone
  }
}
