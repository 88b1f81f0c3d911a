import { describe, expect, test } from 'vitest'
import { AT, ended, givenRun, givenTask, landed, openedRun, started } from '../../../../test/given/given-run.ts'
import { askApproval, askPerson, askToAct, askToAllow } from '../../attempt/ask-person.ts'
import type { PersonWait } from '../../model/attempt.ts'
import type { AttemptId, Commit, SessionId, TaskId } from '../../model/ids.ts'
import type { RunEvent } from '../../model/run-event.ts'
import { type Finding, finding } from '../../model/verdict.ts'
import { type AttemptStory, isoTime, nothingSpent, type RoundStory } from '../story/attempt-story.ts'
import { type TaskStory, taskStory } from '../story/task-story.ts'
import { dossierOf } from './dossier.ts'
import { changeRanges, rangeName } from './dossier-attempts.ts'
import { nextCommands } from './next-commands.ts'

const TASKS = [givenTask('a'), givenTask('b', ['a'])]
const LEAK = finding('review', 'it leaks', { file: 'a.ts', line: 3, severity: 'high' })
const SLOW = finding('review', 'it is slow')

function round(number: number, more: Partial<RoundStory> = {}): RoundStory {
  return {
    round: number,
    phase: 'implement',
    role: 'coder',
    phaseRound: number,
    session: 's' as SessionId,
    cause: { kind: 'brief' },
    startedAt: isoTime(AT),
    endedAt: isoTime(AT),
    end: 'ok',
    detail: '',
    claim: { kind: 'done' },
    turnsMax: 10,
    turnsWhy: '',
    spent: nothingSpent(),
    ...more,
  }
}

function attempt(number: number, more: Partial<AttemptStory> = {}): AttemptStory {
  return {
    id: `a-a${number}` as AttemptId,
    number,
    startedAt: isoTime(AT),
    why: '',
    base: 'base' as Commit,
    branch: `longhaul/a-a${number}`,
    driver: null,
    model: null,
    endedAt: null,
    outcome: null,
    reason: null,
    phases: [],
    rounds: [],
    sessions: [],
    commits: [],
    verdicts: [],
    waits: [],
    notes: [],
    found: [],
    salvage: [],
    findings: [],
    spent: nothingSpent(),
    ...more,
  }
}

function found(roundNumber: number, ...findings: readonly Finding[]): AttemptStory['found'][number] {
  return { at: isoTime(AT), round: roundNumber, from: 'review', findings }
}

function story(...attempts: readonly AttemptStory[]): TaskStory {
  const run = givenRun(...openedRun(TASKS))
  const time = { isDriven: false, at: AT, formatTime: () => '12:00' }
  return taskStory({ run, task: 'a' as TaskId, facts: [], attempts, ...time })
}

function dossier(...attempts: readonly AttemptStory[]) {
  return dossierOf({ story: story(...attempts), run: null, isDriven: false, changes: new Map() })
}

describe('findings', () => {
  test('that came up again in any attempt list every place, even when their line moved', () => {
    const moved = { ...LEAK, line: 5 }
    const { findings } = dossier(
      attempt(1, { found: [found(2, SLOW, LEAK)] }),
      attempt(2, { found: [found(2, LEAK), found(4, moved)] }),
    )
    expect(findings).toEqual([
      { finding: moved, places: ['a-a1 round 2', 'a-a2 round 2', 'a-a2 round 4'], isOpen: true },
    ])
  })

  test('that were fixed and came up once are left out, open ones are not', () => {
    expect(dossier(attempt(1, { found: [found(1, SLOW), found(2, LEAK)] })).findings).toEqual([
      { finding: LEAK, places: ['a-a1 round 2'], isOpen: true },
    ])
  })

  test('beyond those on the page are counted', () => {
    const many = Array.from({ length: 20 }, (_, index) => finding('tests', `red ${index}`))
    const { findings, findingsMore } = dossier(attempt(1, { found: [found(1, ...many)] }))
    expect([findings.length, findingsMore]).toEqual([8, 12])
  })
})

describe('attempts', () => {
  test('name the commits before and after each round, and its findings', () => {
    const reviewer = { phase: 'review', role: 'reviewer' } as const
    const twice = story(
      attempt(1, {
        rounds: [round(1), round(2, reviewer), round(3), round(4, reviewer)],
        commits: [1, 2, 3, 4].map((number) => ({
          at: isoTime(AT),
          round: number,
          commit: (number < 3 ? 'c1' : 'c2') as Commit,
          files: 1,
        })),
        found: [found(2, LEAK), found(4, LEAK)],
      }),
    )
    const spans = [
      { from: 'base', to: 'c1' },
      { from: 'c1', to: 'c2' },
    ]
    expect(changeRanges(twice)).toEqual(spans)
    const files = [{ path: 'a.ts', added: 1, removed: 0 }]
    const changes = new Map([[rangeName(spans[1] as never), files]])
    const [tried] = dossierOf({ story: twice, run: null, isDriven: false, changes }).attempts
    expect(tried?.rounds.map(({ changed, found: after, isAgain }) => ({ changed, after, isAgain }))).toEqual([
      { changed: null, after: null, isAgain: false },
      { changed: null, after: 'review: high: a.ts:3 it leaks', isAgain: false },
      { changed: files, after: null, isAgain: false },
      { changed: null, after: 'review: high: a.ts:3 it leaks', isAgain: true },
    ])
  })

  test('are limited to a page: the last ones with their last rounds', () => {
    const long = [1, 2, 3, 4, 5].map((number) => {
      return attempt(number, { rounds: Array.from({ length: 9 }, (_, index) => round(index + 1)) })
    })
    const { attempts, attemptsBefore } = dossier(...long)
    expect(attemptsBefore).toBe(2)
    expect(attempts.map(({ id, rounds, roundsBefore }) => [id, rounds.length, roundsBefore])).toEqual([
      ['a-a3', 2, 7],
      ['a-a4', 2, 7],
      ['a-a5', 6, 3],
    ])
  })
})

describe('commands', () => {
  const asking = (wait: PersonWait): readonly RunEvent[] => [
    ...openedRun(TASKS),
    started('a'),
    { kind: 'attempt-waiting', attempt: 'a-a1' as AttemptId, seq: 5, for: wait, reason: '' },
  ]
  const failed: readonly RunEvent[] = [
    ...openedRun(TASKS),
    started('a'),
    ended('a'),
    { kind: 'task-failed', task: 'a' as TaskId, reason: 'red' },
  ]

  test.each([
    ['a yes is wanted', asking(askApproval('review', 'q', TASKS)), ['approve', 'reject', 'steer', 'retry', 'skip']],
    [
      'findings may be let be',
      asking(askToAllow('verify', [LEAK], TASKS)),
      ['approve', 'reject', 'steer', 'retry', 'skip'],
    ],
    ['an answer is wanted', asking(askPerson('answer', 'q', TASKS)), ['answer', 'steer', 'retry', 'skip']],
    ['a person has to act', asking(askToAct('q', 'h')), ['steer', 'retry', 'skip']],
    ['it failed', failed, ['steer', 'retry', 'skip']],
    ['it runs', [...openedRun(TASKS), started('a')], ['steer', 'skip']],
    ['it has landed', [...openedRun(TASKS), ...landed('a')], ['revert']],
  ] as const)('are the accepted ones when %s', (_, events, verbs) => {
    const commands = nextCommands(givenRun(...events), 'a' as TaskId)
    expect(commands.map(({ command }) => command.split(' ')[1])).toEqual(verbs)
  })

  test('describe their effect', () => {
    const commands = nextCommands(givenRun(...asking(askToAllow('verify', [LEAK], TASKS))), 'a' as TaskId)
    expect(commands.map(({ does }) => does)).toEqual([
      'accepts exactly these findings and continues',
      'sends the work back to be fixed, with your text',
      'sends a message to the next agent that works on it; run it before the command that continues the task',
      'abandons this attempt, keeps its work and starts a new attempt, which gets the findings of this one',
      'skips the task; 1 dependent task can start without it',
    ])
  })
})
