import { describe, expect, test } from 'vitest'
import { MarkedOutput } from './marked-output.ts'

const MARK = '0123456789abcdef0123456789abcdef'

function outputOf(chunks: readonly string[], { word = /^ (\d+)\n/, bytesMax = 1000 } = {}) {
  let overflows = 0
  const output = new MarkedOutput(MARK, word, bytesMax, () => {
    overflows += 1
  })
  for (const chunk of chunks) output.take(Buffer.from(chunk))
  return { mark: output.mark, text: output.text().toString(), overflows }
}

describe('an output with a mark', () => {
  test.each([
    ['at once', [`out\n${MARK} 3\n`]],
    ['in pieces', [`out\n${MARK.slice(0, 13)}`, MARK.slice(13), ' 3', '\n']],
  ])('has the text before the mark and the word after it: %s', (_how, chunks) => {
    expect(outputOf(chunks)).toEqual({ mark: '3', text: 'out\n', overflows: 0 })
  })

  test('drops everything after the mark', () => {
    const late = 'fatal: the remote end hung up\n'.repeat(10)
    const whole = { mark: '', text: 'error\n', overflows: 0 }
    expect(outputOf([`error\n${MARK}${late}`], { word: /^/ })).toEqual(whole)
    expect(outputOf([`error\n${MARK}`, late], { word: /^/ })).toEqual(whole)
  })

  test('has no mark before the mark has come whole', () => {
    expect(outputOf([`out ${MARK.slice(0, -1)}`])).toMatchObject({ mark: null })
    expect(outputOf([`out ${MARK} 3`])).toMatchObject({ mark: null })
  })

  test('is cut at its bound, and reported', () => {
    const bytesMax = 10
    expect(outputOf(['x'.repeat(20), `${MARK} 0\n`], { bytesMax })).toEqual({ mark: '0', text: '', overflows: 2 })
    const fitting = 'x'.repeat(bytesMax)
    expect(outputOf([`${fitting}${MARK} 0\n`], { bytesMax })).toEqual({ mark: '0', text: fitting, overflows: 0 })
  })
})
