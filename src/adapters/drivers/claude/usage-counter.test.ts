import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk'
import { expect, test } from 'vitest'
import { UsageCounter } from './usage-counter.ts'

const parent = { parent_tool_use_id: null }
const main = (id: string, model: string, input: number, output: number): readonly object[] => [
  {
    ...parent,
    type: 'stream_event',
    event: { type: 'message_start', message: { id, model, usage: { input_tokens: input } } },
  },
  { ...parent, type: 'stream_event', event: { type: 'message_delta', usage: { output_tokens: output } } },
]
const sub = (id: string, model: string, input: number) => ({
  type: 'assistant',
  parent_tool_use_id: 'tool',
  message: { id, model, content: [], usage: { input_tokens: input, output_tokens: 1 } },
})
const result = (sums?: Readonly<Record<string, readonly [input: number, output: number, usd: number]>>) => ({
  type: 'result',
  uuid: 'r',
  ...(sums && {
    model_usage_since_last_result: Object.fromEntries(Object.entries(sums).map(([model, sum]) => [model, sumOf(sum)])),
  }),
})

function sumOf([inputTokens, outputTokens, costUSD]: readonly [number, number, number]) {
  return { inputTokens, outputTokens, costUSD, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 }
}

function count(...messages: readonly object[]) {
  const usage = new UsageCounter()
  const calls = messages.flatMap((message) => usage.count(message as SDKMessage))
  return {
    usage,
    calls: calls.map(({ message, model, scope, tokens }) => [message, model, scope, tokens.input, tokens.output]),
  }
}

test('tokens that only the sums include are added at the result, by model', () => {
  const { usage, calls } = count(
    ...main('a', 'big', 10, 5),
    sub('b', 'small', 7),
    sub('b', 'small', 7),
    result({ big: [10, 5, 0.5], small: [7, 40, 0.25] }),
  )
  expect(calls).toEqual([
    ['a', 'big', 'main', 10, 5],
    ['b', 'small', 'subagent', 7, 1],
    ['r/small', 'small', 'subagent', 0, 39],
  ])
  expect(usage.costUsd).toBe(0.75)
})

test('a result whose sums are all reported adds nothing', () => {
  expect(count(...main('a', 'big', 10, 5), result({ 'big[1m]': [10, 5, 0.5] })).calls).toHaveLength(1)
})

test('sums under other names are not counted twice', () => {
  const { calls } = count(...main('a', 'big', 10, 5), result({ 'provider/big-v1:0': [10, 8, 0.5] }))
  expect(calls).toEqual([
    ['a', 'big', 'main', 10, 5],
    ['r/big', 'big', 'subagent', 0, 3],
  ])
})

test('each result adds only tokens since the previous one', () => {
  const messages = [
    ...main('a', 'big', 10, 5),
    result({ big: [10, 5, 0.5] }),
    ...main('b', 'big', 20, 5),
    result({ big: [20, 5, 1] }),
  ]
  const { usage, calls } = count(...messages)
  expect(calls).toHaveLength(2)
  expect(usage.costUsd).toBe(1.5)
})

test('a call without usage is counted all the same', () => {
  const [start, end] = main('a', 'big', 10, 5).map((message) => JSON.parse(JSON.stringify(message)))
  delete start.event.message.usage
  delete end.event.usage
  expect(count(start, end).calls).toEqual([['a', 'big', 'main', 0, 0]])
})

test('recorded calls count when they were not reported to their end', () => {
  const usage = new UsageCounter()
  const call = (message: string, output: number) => ({
    message,
    model: 'big',
    scope: 'main' as const,
    hourCacheWrite: 0,
    tokens: { input: 10, cacheRead: 0, cacheWrite: 0, output },
  })
  expect(usage.unreported([call('old', 5)])).toEqual([call('old', 5)])
  const [began] = main('a', 'big', 10, 5) as readonly SDKMessage[]
  if (began !== undefined) usage.count(began)
  expect(usage.unreported([call('old', 5), call('a', 5)])).toEqual([call('a', 5)])
  expect(usage.unfinished()).toEqual([])
})

test('without sums there is no total to compare with', () => {
  const { usage, calls } = count(...main('a', 'big', 10, 5), result())
  expect(calls).toHaveLength(1)
  expect(usage.costUsd).toBeNull()
})
