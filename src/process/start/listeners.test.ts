import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { useContainments } from '../../../test/conformance/containments.ts'
import type { Listener } from './listeners.ts'
import { startProcess } from './start-process.ts'

const bwrap = (await useContainments()).find(({ kind }) => kind === 'bwrap')

const greeter = (port: number, greeting: string): Listener => ({
  port,
  serve: (socket) => socket.end(greeting),
  close: () => {},
})

/** Runs a program in a network namespace of its own, and returns its output. */
function outputOf(script: string, listeners: readonly Listener[]): Promise<string> {
  if (bwrap?.kind !== 'bwrap') throw new Error('there is no bwrap')
  const child = startProcess({
    command: [process.execPath, '-e', script],
    containment: { ...bwrap, options: [...bwrap.options, '--unshare-net'], listeners },
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', NODE_OPTIONS: '--no-warnings' },
    takesInput: false,
    keepsControlPipe: false,
    record: () => {},
  })
  return text(child.stdout as Readable)
}

const READ_PORTS = (ports: readonly number[]) => `
  const { connect } = require('node:net')
  for (const port of ${JSON.stringify(ports)}) {
    const socket = connect(port, '127.0.0.1')
    socket.on('data', (data) => console.log(port, String(data)))
    socket.on('error', ({ code }) => console.log(port, code))
  }`

describe.runIf(bwrap)('a program in a network namespace', () => {
  test('finds the listeners that it was given, and no others', async () => {
    const lines = await outputOf(READ_PORTS([7001, 7002, 7003]), [greeter(7001, 'one'), greeter(7002, 'two')])
    expect(lines.split('\n').sort()).toEqual(['', '7001 one', '7002 two', '7003 ECONNREFUSED'])
  })

  test('has neither the channel nor its variables', async () => {
    const look = `console.log(Object.keys(process.env).sort().join(), require('node:fs').existsSync('/proc/1/fd/4'), process.connected)`
    expect(await outputOf(look, [greeter(7001, '')])).toBe('NODE_OPTIONS,PATH,PWD false undefined\n')
  })

  test('two of them use the same port without meeting', async () => {
    const both = ['a', 'b'].map((name) => outputOf(READ_PORTS([7001]), [greeter(7001, name)]))
    expect(await Promise.all(both)).toEqual(['7001 a\n', '7001 b\n'])
  })

  test('does not begin when a port cannot be opened', async () => {
    expect(await outputOf(`console.log('began')`, [greeter(7001, ''), greeter(7001, '')])).toBe('')
  })
})
