import { expect, test } from 'vitest'
import type { ProcessEntry } from './process-table.ts'
import { descendsFrom, type TreeSigns, treeMembers } from './tree-members.ts'

const SELF = 50

/** Process table of a machine: init, a shell, this engine, and a test's additions. */
function machine(...more: readonly ProcessEntry[]): TreeSigns['table'] {
  const usual = [entry(1, 0), entry(40, 1, { hasTerminal: true }), entry(SELF, 40), entry(51, SELF)]
  return new Map([...usual, ...more].map((each) => [each.pid, each]))
}

function entry(pid: number, ppid: number, more: Partial<ProcessEntry> = {}): ProcessEntry {
  return {
    pid,
    ppid,
    startTime: pid,
    group: pid,
    session: pid,
    hasTerminal: false,
    isStopped: false,
    name: 'node',
    ...more,
  }
}

function members(signs: Partial<TreeSigns> & Pick<TreeSigns, 'table'>): number[] {
  const members = treeMembers({ roots: [], inside: [], self: SELF, ...signs })
  return members.map(({ pid }) => pid).sort((a, b) => a - b)
}

const root = (pid: number, startTime = pid) => ({ pid, startTime })

test('descendants belong to a tree, whatever their session', () => {
  const table = machine(entry(60, SELF), entry(61, 60), entry(62, 61), entry(70, SELF))
  expect(members({ table, roots: [root(60)] })).toEqual([60, 61, 62])
})

test("processes left in a dead root's session or group belong to it", () => {
  const table = machine(entry(61, 1, { session: 60 }), entry(62, 1, { group: 60 }), entry(63, 1))
  expect(members({ table, roots: [root(60)] })).toEqual([61, 62])
})

test('a reused pid is another process', () => {
  const table = machine(entry(60, 1, { startTime: 99 }), entry(61, 60, { session: 60, startTime: 100 }))
  expect(members({ table, roots: [root(60)] })).toEqual([])
})

test('processes in the folder belong to it, with their children', () => {
  expect(members({ table: machine(entry(60, 1), entry(61, 60)), inside: [60] })).toEqual([60, 61])
})

test("a person's shell in the folder is left alone, unless the program started it", () => {
  const table = machine(entry(60, 1, { hasTerminal: true }), entry(61, 60, { hasTerminal: true }))
  expect(members({ table, inside: [60, 61] })).toEqual([])
  expect(members({ table, inside: [60, 61], roots: [root(60)] })).toEqual([60, 61])
})

test('the asking process, its ancestors and the first process are never in it', () => {
  const table = machine(entry(41, 40))
  expect(members({ table, inside: [1, 40, SELF], roots: [root(1), root(40), root(SELF)] })).toEqual([])
  expect(members({ table, inside: [1, 41, SELF] })).toEqual([41])
})

test.each<[string, readonly ProcessEntry[], number, boolean]>([
  ['a person', [entry(70, 40)], 70, false],
  ['the engine', [], SELF, false],
  ['a child of the root', [entry(61, 60)], 61, true],
  ['a grandchild in a session of its own', [entry(61, 60), entry(62, 61)], 62, true],
  ['an orphan in the session of the root', [entry(61, 1, { session: 60 })], 61, true],
  ['an orphan in the session of a child', [entry(61, 60), entry(62, 1, { session: 61 })], 62, true],
  ['a process with the pid of a dead root', [entry(60, 40, { startTime: 80 })], 60, false],
])('%s descends from a root: %#', (_, more, self, expected) => {
  const table = machine(entry(60, SELF), ...more)
  expect(descendsFrom({ self, roots: [root(60)], table })).toBe(expected)
})
