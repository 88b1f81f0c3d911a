import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Options, query } from '@anthropic-ai/claude-agent-sdk'
import { expect, test } from 'vitest'
import { agentPlace, claudeBinary, claudeEnvironment, runClaude } from '../agents/claude.ts'
import { testLab } from '../agents/test-lab.ts'

test('the real Claude Code writes, runs, edits and finishes as the scenario says', async () => {
  const lab = await testLab(`
rules:
  - match: greet
    steps:
      - say: I begin.
      - write: { path: greet.txt, text: "hello\\n" }
        usage: { input: 50, cacheWrite: 1000, cacheRead: 10000, output: 120 }
      - run: cat greet.txt > copy.txt
        usage: { input: 50, cacheWrite: 1500, cacheRead: 30000, output: 120 }
      - edit: { path: greet.txt, old: hello, new: bye }
        usage: { input: 50, cacheWrite: 2000, cacheRead: 50000, output: 120 }
      - report: done
        usage: { output: 10 }
`)
  const place = agentPlace()
  const { exitCode, result } = await runClaude(lab.url, 'Please greet the world.', { place })
  expect(exitCode).toBe(0)
  expect(result).toMatchObject({
    subtype: 'success',
    is_error: false,
    terminal_reason: 'completed',
    result: '<phase_complete>true</phase_complete>',
    num_turns: 4,
    usage: {
      input_tokens: 150,
      cache_creation_input_tokens: 4500,
      cache_read_input_tokens: 90000,
      output_tokens: 370,
    },
  })
  expect(readFileSync(join(place.folder, 'greet.txt'), 'utf8')).toBe('bye\n')
  expect(readFileSync(join(place.folder, 'copy.txt'), 'utf8')).toBe('hello\n')
  expect(lab.requests.map(({ rule, step }) => [rule, step])).toEqual([
    [1, 2],
    [1, 3],
    [1, 4],
    [1, 5],
  ])
})

test('the SDK works against a lab, session after session', async () => {
  const lab = await testLab(`
rules:
  - { session: 1, round: 1, steps: [ { run: "echo {session} >> rounds.txt" }, { say: first } ] }
  - { session: 1, round: 2, steps: [ { run: "echo {session}.{round} >> rounds.txt" }, { say: second } ] }
  - { session: 2, steps: [ { say: another session } ] }
`)
  const { home, folder } = agentPlace()
  const options: Options = {
    cwd: folder,
    env: claudeEnvironment(home, lab.url),
    pathToClaudeCodeExecutable: claudeBinary(),
    permissionMode: 'bypassPermissions',
    allowDangerouslySkipPermissions: true,
    settingSources: [],
  }
  const round = async (prompt: string, resume?: string) => {
    let session = ''
    for await (const message of query({ prompt, options: resume === undefined ? options : { ...options, resume } })) {
      if (message.type === 'result') return { session, text: message.subtype === 'success' ? message.result : '' }
      session = message.session_id ?? session
    }
    return { session, text: 'no result' }
  }
  const first = await round('Begin.')
  const second = await round('Go on.', first.session)
  const other = await round('Begin.')
  expect([first.text, second.text, other.text]).toEqual(['first', 'second', 'another session'])
  expect(readFileSync(join(folder, 'rounds.txt'), 'utf8')).toBe('1\n1.2\n')
  expect(lab.requests.map(({ sessionNumber, round: number }) => [sessionNumber, number])).toEqual([
    [1, 1],
    [1, 1],
    [1, 2],
    [1, 2],
    [2, 1],
  ])
})
