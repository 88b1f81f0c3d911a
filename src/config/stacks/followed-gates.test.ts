import { expect, test } from 'vitest'
import { followProject, type ProjectFiles } from '../../../test/given/definitions.ts'
import { findStacks } from './find-stacks.ts'

const scripts = (test: string): ProjectFiles => ({ 'package.json': JSON.stringify({ scripts: { test } }) })

test.each([
  ['vitest', scripts('vitest run')],
  ['jest', scripts('jest')],
  ['node-test', scripts('node --test')],
  ['pytest', { 'pyproject.toml': '' }],
  ['go-test', { 'go.mod': 'module example.com/words' }],
  ['cargo-test', { 'Cargo.toml': '' }],
])('a gate of %s with a report is followed to its runner', (kind, files: ProjectFiles) => {
  const [stack] = findStacks({ files: Object.keys(files), text: (file) => files[file] ?? null })
  const { runners } = followProject(stack?.gates[0]?.run ?? '', files).definition
  expect(runners.map((runner) => ({ ...runner, files: [] }))).toEqual([{ kind, folder: '', files: [] }])
  expect(runners.flatMap((runner) => runner.files).filter((file) => file.includes('report'))).toEqual([])
})
