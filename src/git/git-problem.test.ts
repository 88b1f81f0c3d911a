import { expect, test } from 'vitest'
import { isProblem } from '../core/model/problem.ts'
import { diskFullProblem, fileProblem, gitProblem } from './git-problem.ts'

test('what git complains about becomes the message, and the whole of it stays the cause', () => {
  const complaint = 'hint: look\nfatal: not something we can merge\nmore\n'
  expect(gitProblem(['merge', 'x'], '/place', complaint)).toMatchObject({
    code: 'git-failed',
    message: 'git merge failed in /place: not something we can merge.',
    cause: complaint.trim(),
  })
})

test.each(['fatal: write error: No space left on device', 'error: x: Disk quota exceeded'])(
  'a full disk is told as such: %s',
  async (complaint) => {
    expect(gitProblem(['add'], '/place', complaint)).toMatchObject({ code: 'disk-full', retry: 'later' })
    expect(await diskFullProblem(['/place'], complaint)).toMatchObject({ code: 'disk-full' })
  },
)

test('a write that failed for another reason is not taken for a full disk', async () => {
  expect(await diskFullProblem(['/', undefined], 'error: unable to write file x')).toBeNull()
  expect(await diskFullProblem(['/nowhere'], "fatal: couldn't write '/x.lock'")).toBeNull()
})

test('what the file system refuses is a problem, and a bug is thrown', () => {
  const refused = (code: string) => fileProblem('/x', Object.assign(new Error('no'), { code }))
  expect(refused('ENOSPC')).toMatchObject({ code: 'disk-full' })
  expect(isProblem(refused('EACCES'))).toBe(true)
  expect(() => fileProblem('/x', new TypeError('a bug'))).toThrow('a bug')
})
