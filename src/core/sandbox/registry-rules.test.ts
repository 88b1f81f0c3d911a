import { expect, test } from 'vitest'
import { registryRules } from './registry-rules.ts'

test.each([
  ['https://packages.example.org/\n', ['packages.example.org 443,80']],
  ['https://mirror.example.org:8443/npm\n', ['mirror.example.org 8443']],
  ["global.index-url='https://user:secret@pip.example.org/simple'\n", ['pip.example.org 443,80']],
  [
    'https://proxy.example.org,direct\nhttps://sum.example.org\n',
    ['proxy.example.org 443,80', 'sum.example.org 443,80'],
  ],
  ['https://a.example.org https://a.example.org/other\n', ['a.example.org 443,80']],
  ['https://10.0.0.1/simple\n', []],
  ['undefined\n', []],
  ['', []],
])('%j names %j', (output, expected) => {
  expect(registryRules(output).map(({ name, ports }) => `${name} ${ports.join()}`)).toEqual(expected)
})
