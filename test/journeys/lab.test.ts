import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Options, query, type SDKUserMessage } from '@anthropic-ai/claude-agent-sdk'
import { expect, test } from 'vitest'
import { agentFolders, claudeBinary, claudeEnvironment, runClaude } from '../agents/claude.ts'
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
  const folders = agentFolders()
  const { exitCode, result } = await runClaude(lab.url, 'Please greet the world.', { folders })
  expect(exitCode).toBe(0)
  expect(result).toMatchObject({
    subtype: 'success',
    is_error: false,
    terminal_reason: 'completed',
    result: '<phase_complete>',
    num_turns: 4,
    usage: {
      input_tokens: 150,
      cache_creation_input_tokens: 4500,
      cache_read_input_tokens: 90000,
      output_tokens: 370,
    },
  })
  expect(readFileSync(join(folders.folder, 'greet.txt'), 'utf8')).toBe('bye\n')
  expect(readFileSync(join(folders.folder, 'copy.txt'), 'utf8')).toBe('hello\n')
  expect(lab.requests.map(({ rule, step }) => [rule, step])).toEqual([
    [1, 2],
    [1, 3],
    [1, 4],
    [1, 5],
  ])
})

test('a deferred tool is searched for before it is called, and subagents have their own rules', async () => {
  const lab = await testLab(`
rules:
  - from: subagent
    match: count
    steps: [ { run: echo counted >> log.txt }, { say: There are two. } ]
  - steps:
      - edit: { path: there-before.txt, old: old, new: new }
      - call: NotebookEdit
        input: { notebook_path: none.ipynb, new_source: a }
      - call: Agent
        input: { description: count, prompt: count them, subagent_type: general-purpose, run_in_background: false }
      - run: echo main >> log.txt
      - report: done
`)
  const folders = agentFolders()
  writeFileSync(join(folders.folder, 'there-before.txt'), 'old\n')
  const { result } = await runClaude(lab.url, 'Go.', { folders })
  expect(result).toMatchObject({ is_error: false, terminal_reason: 'completed' })
  expect(readFileSync(join(folders.folder, 'there-before.txt'), 'utf8')).toBe('new\n')
  expect(readFileSync(join(folders.folder, 'log.txt'), 'utf8')).toBe('counted\nmain\n')
  expect(lab.requests.map(({ from, step, answer }) => `${from} ${step} ${answer.split(' ')[0]}`)).toEqual([
    'agent 1 Edit',
    'agent 2 ToolSearch',
    'agent 2 NotebookEdit',
    'agent 3 Agent',
    'subagent 1 Bash',
    'subagent 2 said',
    'agent 4 Bash',
    'agent 5 said',
  ])
})

test('a session that compacts itself continues with its current step', async () => {
  const lab = await testLab(`
rules:
  - from: side
    match: detailed summary
    steps: [ { say: Two steps are done. } ]
  - steps:
      - run: echo 1 >> steps.txt
      - run: echo 2 >> steps.txt
        usage: { input: 50, cacheRead: 990000, output: 10 }
      - run: echo 3 >> steps.txt
      - report: done
`)
  const folders = agentFolders()
  const { messages, result } = await runClaude(lab.url, 'Go.', { folders })
  expect(result).toMatchObject({ is_error: false, terminal_reason: 'completed' })
  expect(messages).toContainEqual(
    expect.objectContaining({
      subtype: 'compact_boundary',
      compact_metadata: expect.objectContaining({ trigger: 'auto' }),
    }),
  )
  expect(readFileSync(join(folders.folder, 'steps.txt'), 'utf8')).toBe('1\n2\n3\n')
})

test('a killed agent that resumes its session gets the rule for its next prompt', async () => {
  const lab = await testLab(`
rules:
  - { round: 1, steps: [ { run: echo 1 >> steps.txt }, { say: never, fault: { silent: true } } ] }
  - { match: interrupted, steps: [ { run: "echo {round} >> steps.txt" }, { report: done } ] }
`)
  const folders = agentFolders()
  const killed = await runClaude(lab.url, 'Go.', { folders, onMessage: ({ type }, kill) => type === 'user' && kill() })
  const session = String(killed.messages[0]?.session_id)
  const resumed = await runClaude(lab.url, 'You were interrupted.', { folders, args: ['--resume', session] })
  expect(killed.result).toBeUndefined()
  expect(resumed.result).toMatchObject({ terminal_reason: 'completed', session_id: session })
  expect(readFileSync(join(folders.folder, 'steps.txt'), 'utf8')).toBe('1\n2\n')
})

test('the SDK can stop at a tool, request a note in the same session, and steer another session', async () => {
  const lab = await testLab(`
rules:
  - { match: hand-off note, steps: [ { say: "Done: one step." } ] }
  - { match: turn left, steps: [ { say: "Turning left." } ] }
  - { session: 1, steps: [ { run: echo 1 >> steps.txt }, { run: echo 2 >> steps.txt } ] }
  - { session: 2, steps: [ { run: "until test -e go; do sleep 0.05; done" }, { run: echo 3 >> steps.txt } ] }
`)
  const folders = agentFolders()
  const stopped = conversation(lab.url, folders, { PostToolUse: [{ hooks: [async () => ({ continue: false })] }] })
  stopped.say('Go.')
  expect(await stopped.result()).toMatchObject({ subtype: 'success', terminal_reason: 'hook_stopped' })
  stopped.say('Write the hand-off note.')
  expect(await stopped.result()).toMatchObject({ terminal_reason: 'completed', result: 'Done: one step.' })
  stopped.end()

  const steered = conversation(lab.url, folders, {})
  steered.say('Go.')
  await steered.next('assistant')
  steered.say('Please turn left.')
  writeFileSync(join(folders.folder, 'go'), '')
  expect(await steered.result()).toMatchObject({ terminal_reason: 'completed', result: 'Turning left.' })
  steered.end()
  expect(readFileSync(join(folders.folder, 'steps.txt'), 'utf8')).toBe('1\n')
})

/** Starts a conversation in one process, which accepts further messages. */
function conversation(
  url: string,
  { home, folder }: ReturnType<typeof agentFolders>,
  hooks: Options['hooks'] & object,
) {
  const input = new TransformStream<SDKUserMessage, SDKUserMessage>(undefined, { highWaterMark: 10 })
  const writer = input.writable.getWriter()
  const messages = query({
    prompt: input.readable,
    options: {
      cwd: folder,
      env: claudeEnvironment(home, url),
      pathToClaudeCodeExecutable: claudeBinary(),
      hooks,
      permissionMode: 'bypassPermissions',
      allowDangerouslySkipPermissions: true,
      settingSources: [],
    },
  })
  const next = async (type: string) => {
    for (;;) {
      const { value, done } = await messages.next()
      if (done === true || value.type === type) return value
    }
  }
  return {
    say: (content: string) =>
      void writer.write({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null }),
    next,
    result: () => next('result'),
    end: () => messages.close(),
  }
}
