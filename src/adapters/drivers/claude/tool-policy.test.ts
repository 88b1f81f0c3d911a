import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { PLAIN_AGENT } from '../../../core/model/settings.ts'
import { hiddenTools, shownTools, toolRefusal } from './tool-policy.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul-access-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const folder = join(root, 'ws')
mkdirSync(folder)
symlinkSync(root, join(folder, 'up'))
const session = '5f0c1f7e-3c55-4c53-8c49-0a1f1b4f6a01'

function allowed(access: 'workspace' | 'read-only' | 'full', tool: string, input: Record<string, unknown>): boolean {
  const mcp = { docs: { kind: 'http', url: 'http://127.0.0.1/', headers: {} } } as const
  return toolRefusal({ agent: { access, mcp, subagents: 1 }, folder, session }, tool, input) === null
}

describe('what an agent may do, with access', () => {
  test.each([
    // tool, input, workspace, read-only, full
    ['Read', { file_path: join(folder, 'a.txt') }, true, true, true],
    ['Read', { file_path: '/etc/passwd' }, false, false, true],
    ['Read', { file_path: '~/.ssh/id' }, false, false, true],
    ['Read', { file_path: join(root, 'projects', session, 'tool-results', 'a.txt') }, true, true, true],
    ['Write', { file_path: join(root, 'projects', session, 'a.txt') }, false, false, true],
    ['Write', { file_path: join(folder, 'new/a.txt') }, true, false, true],
    ['Write', { file_path: join(folder, 'up/a.txt') }, false, false, true],
    ['Edit', { file_path: '../a.txt' }, false, false, true],
    ['NotebookEdit', { notebook_path: join(root, 'a.ipynb') }, false, false, true],
    ['Glob', { pattern: '**/*.ts' }, true, true, true],
    ['Glob', { pattern: '/etc/*' }, false, false, true],
    ['Glob', { pattern: '../*' }, false, false, true],
    ['Grep', { pattern: 'x', path: '/etc' }, false, false, true],
    ['Grep', { pattern: '/etc/x' }, true, true, true],
    ['Bash', { command: 'cat /etc/passwd' }, true, false, true],
    ['Agent', { prompt: 'help' }, true, true, true],
    ['WebFetch', { url: 'http://127.0.0.1/' }, true, true, true],
    ['mcp__docs__find', {}, true, true, true],
    ['mcp__longhaul__report', { status: 'done' }, true, true, true],
    ['mcp__others__find', {}, false, false, true],
    ['AskUserQuestion', {}, false, false, true],
    ['SomethingNew', {}, false, false, true],
  ])('%s %j', (tool, input, workspace, readOnly, full) => {
    expect([
      allowed('workspace', tool, input),
      allowed('read-only', tool, input),
      allowed('full', tool, input),
    ]).toEqual([workspace, readOnly, full])
  })
})

test('a refusal names the path and what to do', () => {
  const place = { agent: PLAIN_AGENT, folder, session }
  expect(toolRefusal(place, 'Write', { file_path: '/etc/hosts' })).toBe(
    `/etc/hosts is outside your folder ${folder}. Work only inside it.`,
  )
})

test('tools are hidden by access, subagents and settings', () => {
  const agent = { ...PLAIN_AGENT, tools: { allow: null, deny: ['WebFetch'] } }
  expect(hiddenTools(agent)).toEqual(expect.arrayContaining(['AskUserQuestion', 'WebFetch']))
  expect(hiddenTools(agent)).not.toContain('Bash')
  expect(hiddenTools({ ...agent, access: 'read-only', subagents: 0 })).toEqual(
    expect.arrayContaining(['Bash', 'Write', 'Agent', 'Task']),
  )
  expect(shownTools(agent)).toBeNull()
  expect(shownTools({ ...agent, access: 'read-only' })).toEqual(expect.arrayContaining(['Read', 'Grep']))
  expect(shownTools({ ...agent, tools: { allow: ['Read'], deny: [] } })).toEqual(['Read'])
})
