import { expect, test } from 'vitest'
import type { GuardedFiles } from '../model/guarded-files.ts'
import { approvalKey } from './approved-findings.ts'
import { approvedFiles, guardedFindings } from './guarded-files.ts'
import type { FileDifference } from './weakened.ts'

const GUARD: GuardedFiles = { protect: ['test/**'], settings: ['script.yaml', 'prompts/review.md'], mayChange: [] }

function changed(path: string, more: Partial<FileDifference> = {}): FileDifference {
  return { path, kind: 'changed', to: null, losesLines: true, linksTo: null, ...more }
}

function found(file: FileDifference, guard: Partial<GuardedFiles> = {}): readonly string[] {
  return guardedFindings({ files: [file] }, { ...GUARD, ...guard }).map(({ source, file: at }) => `${source} ${at}`)
}

test.each([
  'longhaul.yaml',
  'script.yaml',
  'prompts/review.md',
  '.worktreeinclude',
  '.claude/settings.json',
  'packages/a/.claude/agents/x.md',
  '.mcp.json',
  'CLAUDE.md',
  'packages/a/CLAUDE.md',
  'AGENTS.md',
  '.husky/pre-commit',
  '.github/workflows/ci.yml',
])('%s is a person’s: adding, changing, moving and deleting it is a finding', (path) => {
  expect(found(changed(path))).toEqual([`settings ${path}`])
  expect(found(changed(path, { kind: 'added', losesLines: false }))).toEqual([`settings ${path}`])
  expect(found(changed(path, { kind: 'deleted' }))).toEqual([`settings ${path}`])
  expect(found(changed('x.md', { kind: 'renamed', to: path, losesLines: false }))).toEqual([`settings ${path}`])
  expect(found(changed(path, { kind: 'renamed', to: 'x.md', losesLines: false }))).toEqual([`settings ${path}`])
})

test.each([
  [changed('AGENTS.md'), 'AGENTS.md was changed, which steers agents or checks. Restore it'],
  [changed('AGENTS.md', { kind: 'added' }), 'AGENTS.md was added, which steers agents or checks. Remove it'],
  [
    changed('x.md', { kind: 'renamed', to: 'AGENTS.md' }),
    'AGENTS.md was added, which steers agents or checks. Remove it',
  ],
])('the finding says how to undo it, and approval names the file: %o', (file, text) => {
  const findings = guardedFindings({ files: [file] }, GUARD)
  expect(findings.map(({ message }) => message)).toEqual([`${text}; only a person may approve that.`])
  expect(approvedFiles(new Set(findings.map(approvalKey)))).toEqual(['AGENTS.md'])
})

test.each(['src/claude.ts', 'docs/agents.md', 'longhaul.yml', 'src/longhaul.yaml', '.github/dependabot.yml'])(
  '%s is not',
  (path) => {
    expect(found(changed(path))).toEqual([])
  },
)

test('a protected file may be added and extended, not changed, deleted or moved away with other lines', () => {
  expect(found(changed('test/new.js', { kind: 'added', losesLines: false }))).toEqual([])
  expect(found(changed('test/a.js', { losesLines: false }))).toEqual([])
  expect(found(changed('test/a.js'))).toEqual(['protect test/a.js'])
  expect(found(changed('test/a.js', { kind: 'deleted' }))).toEqual(['protect test/a.js'])
  expect(found(changed('test/a.js', { kind: 'renamed', to: 'test/b.js', losesLines: false }))).toEqual([])
  expect(found(changed('test/a.js', { kind: 'renamed', to: 'test/b.js' }))).toEqual(['protect test/a.js'])
  expect(found(changed('test/a.js', { kind: 'renamed', to: 'old/a.js', losesLines: false }))).toEqual([
    'protect test/a.js',
  ])
})

test('a task may change what its person allowed', () => {
  expect(found(changed('.github/workflows/ci.yml'), { mayChange: ['.github/**'] })).toEqual([])
  expect(found(changed('test/a.js'), { mayChange: ['test/a.js'] })).toEqual([])
  expect(found(changed('.github/x', { kind: 'renamed', to: 'CLAUDE.md' }), { mayChange: ['.github/**'] })).toEqual([
    'settings CLAUDE.md',
  ])
})

test.each([
  ['a', '/etc/passwd', true],
  ['a', '../x', true],
  ['a/b', '../c', false],
  ['a/b', '../../c', true],
  ['a/b', 'c/../../../d', true],
  ['a', '.git/config', true],
  ['a/b', '../.GIT/hooks', true],
  ['a', './b/.', false],
  ['.longhaul', 'somewhere', true],
])('%s as a link to %s is a finding: %s', (path, linksTo, isFound) => {
  expect(found(changed(path, { kind: 'added', losesLines: false, linksTo }))).toEqual(isFound ? [`links ${path}`] : [])
})

test('approved files are known by the approvals of their findings', () => {
  const findings = guardedFindings({ files: [changed('longhaul.yaml'), changed('test/a.js')] }, GUARD)
  expect(approvedFiles(new Set(findings.map(approvalKey)))).toEqual(['longhaul.yaml'])
})
