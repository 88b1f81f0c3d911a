import { expect, test } from 'vitest'
import { helpPages, NOWHERE, typed } from './terminal.ts'

test('every verb has a help page with an example', async () => {
  const pages = await helpPages()
  const without = [...pages].filter(([verb, page]) => verb !== '' && !page.includes(`Example:\n  longhaul ${verb}`))
  expect(without).toEqual([])
  for (const [verb, page] of pages) {
    await expect(page).toMatchFileSnapshot(`outputs/help/${verb === '' ? 'longhaul' : verb.replace(' ', '-')}.txt`)
  }
})

test.each([
  ['mistyped-verb', ['statsu']],
  ['mistyped-help', ['help', 'statsu']],
  ['mistyped-option', ['status', '--jsn']],
  ['missing-argument', ['retry']],
  ['no-repository', ['status']],
])('%s: refused with what to do', async (what, args) => {
  const { code, stdout, stderr } = await typed(NOWHERE, ...args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  await expect(stderr).toMatchFileSnapshot(`outputs/errors/${what}.txt`)
})
