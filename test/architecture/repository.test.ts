import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './source.ts'

// Folders that exist on every machine reveal nothing; neither does a folder of one word, such as /app or /work.
const COMMON_FOLDERS = ['/usr/src', tmpdir()]
const REGISTRY =
  /\/\/[\w.-]*(registry|artifactory|nexus|verdaccio|jfrog|codeartifact)[\w.-]*[/:]|^\s*(@[\w-]+:)?registry\s*=/im

const ourFolders = [root, dirname(root), process.env.USER_HOME ?? '/'].filter(
  (folder) => folder.lastIndexOf('/') > 0 && !COMMON_FOLDERS.includes(folder),
)

describe('the repository', () => {
  // In a container the checkout may be another user's.
  const git = ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', git, { cwd: root })
    .toString()
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path)))

  test('names no folder of this machine and no package registry', () => {
    expect(files.flatMap((path) => placeComplaints(path, textOf(path), ourFolders))).toEqual([])
  })

  test('locks the packages of every platform, or npm ci refuses', () => {
    expect(missingPlatforms(JSON.parse(textOf('package-lock.json')).packages)).toEqual([])
  })
})

describe('the scanner notices', () => {
  test.each(['see /place/of/rest/notes.md', 'cd /place/of/rest', '"/place/of/rest"', 'file:///place/of/rest/a.ts'])(
    'a folder of this machine: %s',
    (text) => {
      expect(placeComplaints('a.md', text, ['/place/of/rest'])).toEqual(['a.md names /place/of/rest'])
    },
  )

  test.each(['~/place/of/rest/', './place/of/rest', '/place/of/resters', 'my/place/of/rest'])(
    'no folder of this machine: %s',
    (text) => {
      expect(placeComplaints('a.md', text, ['/place/of/rest'])).toEqual([])
    },
  )

  test.each([
    'https://reg' + 'istry.example.org/zod',
    'reg' + 'istry=http://localhost:4873',
    'http://npm.nex' + 'us.corp:8081/',
  ])('a package registry: %s', (text) => {
    expect(placeComplaints('.npmrc', text, [])).toEqual(['.npmrc names a package registry'])
  })

  test('a platform that is not locked', () => {
    const packages = {
      'node_modules/a': { optionalDependencies: { 'a-linux': '1.0.0', 'a-mac': '1.0.0' } },
      'node_modules/a-linux': {},
    }
    expect(missingPlatforms(packages)).toEqual(['a-mac'])
  })
})

function placeComplaints(path: string, text: string, folders: readonly string[]): string[] {
  const named = folders.filter((folder) =>
    new RegExp(`(?<![\\w.~-])${folder.replaceAll(/[^\w/]/g, '\\$&')}(?![\\w-])`).test(text),
  )
  return [
    ...named.map((folder) => `${path} names ${folder}`),
    ...(REGISTRY.test(text) ? [`${path} names a package registry`] : []),
  ]
}

function missingPlatforms(packages: Record<string, { optionalDependencies?: Record<string, string> }>): string[] {
  const wanted = Object.values(packages).flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}))
  return wanted.filter((name) => !Object.keys(packages).some((place) => place.endsWith(`node_modules/${name}`)))
}

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
