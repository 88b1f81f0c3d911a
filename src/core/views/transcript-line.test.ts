import { expect, test } from 'vitest'
import { transcriptLines } from './transcript-line.ts'

test.each<[string, unknown, readonly string[]]>([
  ['what the scripted agent says', { type: 'say', text: 'I look\n first.' }, ['agent: I look first.']],
  ['its tools', { type: 'tool', name: 'Bash', input: 'npm test' }, ['tool: Bash npm test']],
  [
    'what Claude says and the tools it calls, in one message',
    {
      type: 'assistant',
      message: {
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'Now the tests.' },
          { type: 'tool_use', name: 'Bash', input: { command: 'npm test', timeout: 1 } },
          { type: 'tool_use', name: 'TodoWrite', input: { todos: [] } },
        ],
      },
    },
    ['agent: Now the tests.', 'tool: Bash npm test', 'tool: TodoWrite {"todos":[]}'],
  ],
  [
    'what a tool answered, as text or in pieces',
    {
      type: 'user',
      message: {
        content: [
          { type: 'tool_result', content: '3 passed' },
          { type: 'tool_result', content: [{ type: 'text', text: 'and more' }, { type: 'image' }] },
        ],
      },
    },
    ['result: 3 passed', 'result: and more'],
  ],
  ['how a round ended', { type: 'result', subtype: 'success' }, ['longhaul: round ended: success']],
  ['our own notes', { kind: 'longhaul-note', text: 'It ends here.' }, ['longhaul: It ends here.']],
  ['nothing of what says nothing', { type: 'system', subtype: 'init' }, []],
])('the transcript shows %s', (_what, line, shown) => {
  expect(transcriptLines(JSON.stringify(line)).map(({ who, text }) => `${who}: ${text}`)).toEqual(shown)
})

test('text that is not JSON is shown unchanged', () => {
  expect(transcriptLines('Segmentation fault')).toEqual([{ who: 'agent', text: 'Segmentation fault' }])
})
