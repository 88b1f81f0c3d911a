import { expect, test } from 'vitest'
import { isProblem } from '../core/model/problem.ts'
import { fileProblem, gitDiskProblem, gitProblem } from './git-problem.ts'

test('the error line of git becomes the message, and its whole output the cause', () => {
  const complaint = 'hint: look\nfatal: not something we can merge\nmore\n'
  expect(gitProblem(['merge', 'x'], '/place', complaint)).toMatchObject({
    code: 'git-failed',
    message: 'git merge failed in /place: not something we can merge.',
    cause: complaint.trim(),
  })
})

test.each(['fatal: write error: No space left on device', 'error: x: Disk quota exceeded'])(
  'a full disk is recognized: %s',
  async (complaint) => {
    expect(gitProblem(['add'], '/place', complaint)).toMatchObject({ code: 'disk-full', retry: 'later' })
    expect(await gitDiskProblem(['/place'], complaint)).toMatchObject({ code: 'disk-full' })
  },
)

test('a partial clone that lacks an object gets the commands that complete it', () => {
  const complaint = 'fatal: could not fetch 1234 from promisor remote'
  expect(gitProblem(['diff'], '/place', complaint)).toMatchObject({ hint: expect.stringContaining('--refetch') })
})

test('a read-only disk is recognized, and the place that it holds is named', async () => {
  const complaint = "fatal: cannot create directory at 'x': Read-only file system"
  expect(gitProblem(['checkout'], '/place', complaint)).toMatchObject({ code: 'disk-read-only' })
  expect(await gitDiskProblem(['/'], complaint)).toMatchObject({ code: 'disk-read-only' })
})

test('a write that failed for another reason is not reported as a full disk', async () => {
  expect(await gitDiskProblem(['/', undefined], 'error: unable to write file x')).toBeNull()
  expect(await gitDiskProblem(['/nowhere'], "fatal: couldn't write '/x.lock'")).toBeNull()
})

test('errors of the file system are problems, and bugs are thrown', () => {
  const refused = (code: string) => fileProblem('/x', Object.assign(new Error('no'), { code }))
  expect(refused('EROFS')).toMatchObject({ code: 'disk-read-only', message: 'The disk that holds /x is read-only.' })
  expect(refused('ENOSPC')).toMatchObject({ code: 'disk-full' })
  expect(isProblem(refused('EACCES'))).toBe(true)
  expect(() => fileProblem('/x', new TypeError('a bug'))).toThrow('a bug')
})
