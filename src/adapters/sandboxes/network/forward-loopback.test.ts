import { afterEach, beforeEach, expect, test } from 'vitest'
import { Loopback, readAll, readUntil } from '../../../../test/given/loopback.ts'
import { forwardTo } from './forward-loopback.ts'

let net: Loopback
beforeEach(() => {
  net = new Loopback()
})
afterEach(() => net.close())

test('bytes go to the port outside and back, also after one side has ended', async () => {
  const outside = await net.listen((socket) => void readAll(socket).then((text) => socket.end(text.toUpperCase())))
  const forward = forwardTo(outside)
  const socket = net.connect(await net.listen((one) => forward.serve(one)))
  socket.end('hello')
  expect(await readAll(socket)).toBe('HELLO')
  await forward.close()
})

test('a port without a listener closes the connection', async () => {
  const gone = new Loopback()
  const outside = await gone.listen(() => {})
  await gone.close()
  const forward = forwardTo(outside)
  expect(await net.exchange(await net.listen((one) => forward.serve(one)), 'hello')).toBe('')
  await forward.close()
})

test('close ends connections on both sides, and later ones at once', async () => {
  const ends: Promise<string>[] = []
  const outside = await net.listen((socket) => {
    socket.write('ready')
    ends.push(readAll(socket))
  })
  const forward = forwardTo(outside)
  const inside = await net.listen((one) => forward.serve(one))
  const socket = net.connect(inside)
  await readUntil(socket, 'ready')
  const ended = readAll(socket)
  await forward.close()
  expect(await Promise.all([ended, ...ends])).toEqual(['', ''])
  expect(await net.exchange(inside)).toBe('')
})
