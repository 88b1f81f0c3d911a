import { claudeProject, type Wishes } from './claude-project.ts'
import { timeCli } from './project.ts'
import type { BenchResult } from './result.ts'

const WINDOW = 80_000
const WINDOWS = 10
const TURN_TOKENS = 7_000
const TURNS_MAX = 200
// This many sessions make about ten windows of work; the last one only reports done.
const SESSIONS = 14

// A task whose tools return about ten windows of 80,000 tokens, 7,000 tokens a turn, runs in three ways: full sessions hand
// over, the agent compacts one session itself, or one session goes on in a window that holds it all. The lab estimates
// usage from the real requests; everything sent before counts as read from the cache.

/** Compares tokens and cost of ten windows of work: handed over, compacted, and in one long session. */
export async function benchWindows(): Promise<BenchResult[]> {
  const last = { task: 't', session: SESSIONS, steps: [{ report: 'done' }] }
  const handed = await sent(TURNS_MAX, { rules: [last], more: [`context: { cap: ${WINDOW} }`] })
  const { turns } = handed
  const one = await sent(turns, { more: ['context: { hand_off: 1.5 }'] })
  const compacted = await sent(turns, { more: ['context: { policy: compact }'], env: COMPACTS_AT })
  for (const other of [one, compacted]) {
    if (other.turns !== turns) throw new Error(`${other.turns} turns of work against ${turns}: nothing to compare`)
  }
  return [result('handed over', handed, one), result('compacted', compacted, one)]
}

const COMPACTS_AT = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(WINDOW) }

interface Sent {
  readonly turns: number
  readonly tokens: number
  readonly usd: number
  readonly calls: number
  readonly sessions: number
}

function result(name: string, ours: Sent, one: Sent): BenchResult {
  const summary = ({ usd, calls, sessions }: Sent) => `${usd.toFixed(2)} USD, ${calls} calls, ${sessions} sessions`
  const windows = ((ours.turns * TURN_TOKENS) / WINDOW).toFixed(1)
  return {
    name: `work of ${WINDOWS} windows, ${name}`,
    value: ours.tokens / 1e6,
    baseline: one.tokens / 1e6,
    ratio: ours.tokens / one.tokens,
    bound: 'fewer tokens than in one session',
    ok: ours.tokens < one.tokens,
    note: `million tokens sent for ${windows} windows; ${summary(ours)}, against ${summary(one)} in one session`,
  }
}

/** Measures the tokens that a task with this many turns sends. */
async function sent(turns: number, { rules = [], more = [], ...wishes }: Wishes): Promise<Sent> {
  const own = [{ match: 'your context window is nearly full', steps: [{ say: NOTE }] }, ...rules]
  const steps = [...Array.from({ length: turns }, () => WORK), { report: 'done' }]
  const settings = ['turns: { min: 300, max: 300 }', ...more]
  const { project, lab, close } = await claudeProject([{ id: 't', steps }], {
    ...wishes,
    rules: own,
    more: settings,
    weight: 'large',
  })
  try {
    await timeCli(project, ['run'])
    const { totals } = JSON.parse((await timeCli(project, ['status', '--json'])).stdout) as Status
    const calls = lab.requests.filter(({ kind }) => kind === 'turn')
    return {
      turns: calls.filter(({ answer }) => answer.includes('Bash')).length,
      tokens: calls.reduce((sum, { tokensSent }) => sum + tokensSent, 0),
      usd: totals.usd,
      calls: calls.length,
      sessions: new Set(calls.map(({ session }) => session)).size,
    }
  } finally {
    await close()
  }
}

interface Status {
  readonly totals: { readonly usd: number }
}

const WORK = { run: `echo x >> t.txt; head -c ${TURN_TOKENS * 4} /dev/zero | tr '\\0' x` }
// A note of usual length.
const NOTE = `## Goal\nTen windows.\n## Completed\n${'- a line of what is done\n'.repeat(60)}## Remaining\n1. the rest\n## Do not redo\n- all above\n## Decisions\n- none`
