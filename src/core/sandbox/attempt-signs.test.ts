import { expect, test } from 'vitest'
import { type AttemptSigns, attemptSign, isOpenToAgents } from './attempt-signs.ts'

const PERSON: AttemptSigns = {
  isInNamespace: false,
  hasRecordedAncestor: false,
  hasVariable: false,
  isInWorkspace: false,
  hasTerminal: true,
}

const NAMESPACE = 'it runs in a pid namespace of Longhaul'
const DETACHED = 'it runs in a workspace, without a terminal'

test.each<[string, Partial<AttemptSigns>, string | null]>([
  ['a person at a terminal', {}, null],
  ['a script of a person, such as a timer', { hasTerminal: false }, null],
  ['a person who looks around in a workspace', { isInWorkspace: true }, null],
  ['a detached process in a workspace', { isInWorkspace: true, hasTerminal: false }, DETACHED],
  ['a program in the sandbox', { isInNamespace: true, hasTerminal: false }, NAMESPACE],
  ['a program in the sandbox with a terminal of its own', { isInNamespace: true }, NAMESPACE],
  ['a child of an agent', { hasRecordedAncestor: true }, 'a program that Longhaul started has started it'],
  ['a process with the environment of an attempt', { hasVariable: true }, 'the variable LONGHAUL_ATTEMPT is set'],
])('%s', (_, signs, sign) => {
  expect(attemptSign({ ...PERSON, ...signs })).toBe(sign)
})

test.each<[string, Readonly<Record<string, unknown>>, boolean]>([
  ['status', {}, true],
  ['log', { json: true }, true],
  ['doctor', {}, true],
  ['doctor', { fix: true }, false],
  ['gc', { json: true }, true],
  ['gc', { yes: true }, false],
  ['add', {}, false],
  ['steer', {}, false],
  ['approve', {}, false],
  ['a-verb-of-tomorrow', {}, false],
])('%s with %o is open to agents: %s', (verb, options, isOpen) => {
  expect(isOpenToAgents(verb, options)).toBe(isOpen)
})
