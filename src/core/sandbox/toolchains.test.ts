import { expect, test } from 'vitest'
import { toolchainsOf, toolchainVariables } from './toolchains.ts'

const HOME = '/home/ann'
const FOLDERS = [
  '/home/ann/.nvm/versions/node/v22/lib',
  '/home/ann/.pyenv/versions',
  '/home/ann/lib',
  '/tmp/tool/share',
]

test.each([
  ['/usr/bin:/bin', []],
  ['/home/ann/.nvm/versions/node/v22/bin', ['/home/ann/.nvm/versions/node/v22']],
  ['/home/ann/.pyenv/shims:/usr/bin', ['/home/ann/.pyenv']],
  ['/home/ann/.cargo/bin/', ['/home/ann/.cargo/bin', '/home/ann/.rustup']],
  ['/home/ann/go/bin', ['/home/ann/go/bin']],
  ['/home/ann/bin', ['/home/ann/bin']],
  ['/home/ann/scripts', ['/home/ann/scripts']],
  ['/tmp/tool/bin:/tmp/other/bin', ['/tmp/tool', '/tmp/other/bin']],
  ['relative/bin::.', []],
])('the programs of PATH=%s need %j', (path, expected) => {
  const isHidden = (folder: string) => /^\/(home|tmp)\//.test(folder)
  expect(toolchainsOf(path, HOME, isHidden, (folder) => FOLDERS.includes(folder))).toEqual(expected)
})

test('programs of ~/.local/bin are shown with what they need, and not with keys', () => {
  const shown = toolchainsOf(
    `${HOME}/.local/bin`,
    HOME,
    () => true,
    () => true,
  )
  expect(shown).toContain(`${HOME}/.local/lib`)
  expect(shown.filter((folder) => [HOME, `${HOME}/.local`, `${HOME}/.local/share`].includes(folder))).toEqual([])
})

test('programs of the home find their parts, unless the user said where', () => {
  const shown = ['/home/ann/.rustup', '/home/ann/.nvm/versions/node/v22', '/home/ann/.volta']
  expect(toolchainVariables(HOME, { VOLTA_HOME: '/elsewhere' }, shown)).toEqual({
    NVM_DIR: '/home/ann/.nvm',
    RUSTUP_HOME: '/home/ann/.rustup',
  })
})
