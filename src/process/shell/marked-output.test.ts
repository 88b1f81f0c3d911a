import { describe, expect, test } from 'vitest'
import { MarkedOutput } from './marked-output.ts'

const MARK = '0123456789abcdef0123456789abcdef'

function heard(chunks: readonly string[], { says = /^ (\d+)\n/, bytesMax = 1000 } = {}) {
  let overflows = 0
  const output = new MarkedOutput(MARK, says, bytesMax, () => {
    overflows += 1
  })
  for (const chunk of chunks) output.take(Buffer.from(chunk))
  return { mark: output.mark, text: output.text().toString(), overflows }
}

describe('an output with a mark', () => {
  test.each([
    ['at once', [`out\n${MARK} 3\n`]],
    ['in pieces', [`out\n${MARK.slice(0, 13)}`, MARK.slice(13), ' 3', '\n']],
  ])('has what is before it and what it says: %s', (_how, chunks) => {
    expect(heard(chunks)).toEqual({ mark: '3', text: 'out\n', overflows: 0 })
  })

  test('is over then, whatever somebody who was left behind still says', () => {
    const late = 'fatal: the remote end hung up\n'.repeat(10)
    const whole = { mark: '', text: 'error\n', overflows: 0 }
    expect(heard([`error\n${MARK}${late}`], { says: /^/ })).toEqual(whole)
    expect(heard([`error\n${MARK}`, late], { says: /^/ })).toEqual(whole)
  })

  test('has no mark before the mark has come whole', () => {
    expect(heard([`out ${MARK.slice(0, -1)}`])).toMatchObject({ mark: null })
    expect(heard([`out ${MARK} 3`])).toMatchObject({ mark: null })
  })

  test('is cut at its bound, and says so', () => {
    const bytesMax = 10
    expect(heard(['x'.repeat(20), `${MARK} 0\n`], { bytesMax })).toEqual({ mark: '0', text: '', overflows: 2 })
    const fitting = 'x'.repeat(bytesMax)
    expect(heard([`${fitting}${MARK} 0\n`], { bytesMax })).toEqual({ mark: '0', text: fitting, overflows: 0 })
  })
})
