import { expect, test } from 'vitest'
import { OutputExcerpt } from './output-excerpt.ts'

function excerpt(bytesMax: number, chunks: readonly string[]): string {
  const output = new OutputExcerpt(bytesMax)
  for (const chunk of chunks) output.add(Buffer.from(chunk))
  return output.text()
}

test('a short output stays whole', () => {
  expect(excerpt(10, ['12345', '678', '90'])).toBe('1234567890')
})

test('of a long output the beginning and the end stay', () => {
  expect(excerpt(6, ['abcdefghij'])).toBe('abc\n[4 bytes left out]\nhij')
  expect(excerpt(6, [...'abcdefghij'])).toBe('abc\n[4 bytes left out]\nhij')
  expect(excerpt(6, ['ab', 'cdefg', 'hi', 'j'])).toBe('abc\n[4 bytes left out]\nhij')
})

test('no half characters at the cuts', () => {
  expect(excerpt(4, ['aäöüz'])).toBe('a\n[6 bytes left out]\nz')
  expect(excerpt(4, ['🚀🚀🚀'])).toBe('\n[12 bytes left out]\n')
})

test('a character across chunks of a short output stays whole', () => {
  const output = new OutputExcerpt(4)
  for (const byte of Buffer.from('🚀')) output.add(Buffer.from([byte]))
  expect(output.text()).toBe('🚀')
})
