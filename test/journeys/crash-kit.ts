import { setTimeout as pause } from 'node:timers/promises'
import type { Journey, Ran, Started } from './journey.ts'
import { type ProcessSeen, processes, processesOf } from './leftovers.ts'

/** Who is killed with -9. */
export type Victim = 'engine' | 'agent' | 'both' | 'tool child' | 'guard' | 'engine and guard'

/** One fact, as `run --json` prints it. */
export interface Fact {
  readonly kind: string
  readonly ledger: string
  readonly seq: number
}

/** When somebody is killed, and who. */
export interface Strike {
  readonly victim: Victim
  /** Asked for each fact that the engine records from now on; the first yes counts. Null: at once. */
  readonly isDue: ((fact: Fact) => boolean) | null
  readonly delayMs: number
}

/** Who was killed, and when. */
export interface Struck {
  readonly victim: Victim
  readonly at: number
}

/** How a run was brought to its end. */
export interface WorkedOff {
  readonly lives: number
  /** The strikes that found somebody to kill. */
  readonly struck: readonly Struck[]
  /** The guards that engines had when they were struck; they should be gone, too. */
  readonly guards: readonly number[]
  /** How the last life ended, by itself. */
  readonly ran: Ran
}

/** Starts the engine again and again until it ends by itself; takes from the strikes those that have hit. */
export async function workOff(journey: Journey, strikes: Strike[]): Promise<WorkedOff> {
  const seen: Seen = { guards: [], struck: [] }
  for (let lives = 1; lives <= LIVES_MAX; lives += 1) {
    const engine = journey.start(['run', '--json'])
    const striking = strikeThrough(journey, engine, strikes, seen)
    const ran = await engine.ended
    await striking
    if (ran.code !== null) return { lives, ...seen, ran }
  }
  throw new Error(`the run has not ended in ${LIVES_MAX} lives`)
}

interface Seen {
  readonly guards: number[]
  readonly struck: Struck[]
}

const LIVES_MAX = 60
const LOOK_MS = 5

/** Carries out strikes while the engine lives. */
async function strikeThrough(journey: Journey, engine: Started, strikes: Strike[], seen: Seen): Promise<void> {
  const life = listen(engine)
  const pid = engine.child.pid ?? 0
  // Looking for it takes a moment, and has no place between a fact and its strike.
  const guards: number[] = []
  life.first(() => {
    guards.push(...pids(guardsOf(pid)))
    seen.guards.push(...guards)
  })
  for (let strike = strikes[0]; strike !== undefined; strike = strikes[0]) {
    if (strike.isDue !== null) await life.moment(strike.isDue)
    if (strike.delayMs > 0) await pause(strike.delayMs)
    while (!life.isOver() && kill(victimsOf(journey, pid, guards, strike.victim)) === 0) await pause(LOOK_MS)
    if (life.isOver()) return
    seen.struck.push({ victim: strike.victim, at: Date.now() })
    strikes.shift()
    if (ENDS_THE_LIFE.has(strike.victim)) return
  }
}

/** Those whose death is the engine's, too. */
export const ENDS_THE_LIFE: ReadonlySet<Victim> = new Set(['engine', 'both', 'engine and guard'])

interface Life {
  isOver(): boolean
  /** Calls back at the first fact. */
  first(began: () => void): void
  /** Settles when such a fact was recorded, or life is over. */
  moment(isDue: (fact: Fact) => boolean): Promise<void>
}

function listen(engine: Started): Life {
  let isOver = false
  let heard: (fact: Fact) => void = () => {}
  let began: () => void = () => {}
  void engine.ended.then(() => {
    isOver = true
  })
  eachFact(engine, (fact) => {
    began()
    began = () => {}
    heard(fact)
  })
  return {
    isOver: () => isOver,
    first(callBack) {
      began = callBack
    },
    async moment(isDue) {
      const due = new Promise<void>((resolve) => {
        heard = (fact) => {
          if (isDue(fact)) resolve()
        }
      })
      await Promise.race([due, engine.ended])
      heard = () => {}
    },
  }
}

/** Reads what an engine prints with --json as it comes. */
export function eachFact({ child }: Started, heard: (fact: Fact) => void): void {
  let rest = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    const lines = `${rest}${chunk.toString()}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const fact = JSON.parse(line) as Partial<Fact>
      if (fact.kind !== undefined) heard(fact as Fact)
    }
  })
}

/** Kills the victims that there are; answers with their number. */
function kill(victims: readonly number[]): number {
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

/** An engine's guard, which has neither its environment nor its folder. */
function guardsOf(engine: number): readonly ProcessSeen[] {
  return processes(() => true).filter(({ ppid, args }) => ppid === engine && isProgram(args, 'guard-main.js'))
}

function isAgent(args: readonly string[]): boolean {
  return isProgram(args, 'agent-main.js') || (args[0] ?? '').endsWith('/claude')
}

function isProgram([node, file]: readonly string[], name: string): boolean {
  return node === process.execPath && (file ?? '').endsWith(`/${name}`)
}

function pids(found: readonly ProcessSeen[]): readonly number[] {
  return found.map(({ pid }) => pid)
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it was quicker
  }
}
