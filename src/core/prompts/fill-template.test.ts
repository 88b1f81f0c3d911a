import { expect, test } from 'vitest'
import { fillTemplate, templateFaults } from './fill-template.ts'

test.each([
  ['Do {{what}}.', 'Do it.'],
  ['{{what}} and {{what}}', 'it and it'],
  ['a{{#what}} with {{what}}{{/what}}', 'a with it'],
  ['a\n\n{{#none}}never{{/none}}\n\nb', 'a\n\nb'],
  ['{ {what} } $what', '{ {what} } $what'],
])('%j becomes %j', (template, text) => {
  expect(fillTemplate(template, { what: 'it', none: '' })).toBe(text)
})

test('braces in a value are plain text', () => {
  expect(fillTemplate('{{what}}', { what: '$& {{none}} {{#x}}' })).toBe('$& {{none}} {{#x}}')
})

test('an unset variable throws', () => {
  expect(() => fillTemplate('{{other}}', {})).toThrow('other')
})

test.each([
  ['{{what}} {{#what}}x{{/what}}', []],
  ['a\n{{wat}}', [{ line: 2, message: 'there is no variable "wat"' }]],
  ['{{ what }}', [{ line: 1, message: '{{ what }} is not the name of a variable' }]],
  ['{{#what}}', [{ line: 1, message: '{{#what}} is not closed' }]],
  ['x{{/what}}', [{ line: 1, message: '{{/what}} closes nothing' }]],
  ['{{#what}}{{#what}}{{/what}}{{/what}}', [{ line: 1, message: '{{#what}} is inside {{#what}}' }]],
])('%j has the faults %j', (template, faults) => {
  expect(templateFaults(template, ['what'])).toEqual(faults)
})
