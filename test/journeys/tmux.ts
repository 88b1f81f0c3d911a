import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mainFile } from '../conformance/built.ts'
import { type Journey, waitUntil } from './journey.ts'

/** A real terminal in which tests press keys and read the screen. */
export interface TmuxTerminal {
  /** Types a command line and presses Enter. */
  type(line: string): void
  /** Returns the text that a person would type to run the built command line, with optional `node` options. */
  longhaul(args: string, nodeOptions?: string): string
  /** Presses keys by tmux's names, or types letters. */
  press(...keys: readonly string[]): void
  /** Returns the visible lines. */
  screen(): readonly string[]
  /** Resolves when the screen shows this. */
  shows(text: string | RegExp): Promise<void>
  resize(columns: number, rows: number): void
  /** True when the terminal is as a shell needs it: the normal screen with cursor, line mode and echo. */
  isRestored(): boolean
  end(): void
}

/** True when tmux is installed. */
export const hasTmux = spawnSync('tmux', ['-V']).status === 0

/** Opens a terminal of this size with a shell in the journey's repository. */
export function openTmux({ repository, env }: Journey, columns: number, rows: number): TmuxTerminal {
  // Own socket, so that no other tmux is touched; in a folder with a short name, because socket paths are limited.
  const folder = mkdtempSync(join(tmpdir(), 'lh-'))
  const socket = join(folder, 's')
  const tmux = (...args: readonly string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8', env: { ...env, ...UTF_8 } })
  const variables = Object.entries({ ...env, ...UTF_8, TERM: 'screen-256color', PS1: '$ ' })
  const shell = ['env', '-i', ...variables.map(([name, value]) => `${name}=${value}`), 'sh'].map(quoted).join(' ')
  tmux('new-session', '-d', '-x', `${columns}`, '-y', `${rows}`, '-c', repository, shell)
  const display = (format: string) => tmux('display-message', '-p', format).trim()
  const screen = () => tmux('capture-pane', '-p').split('\n').slice(0, -1)
  return {
    type(line) {
      tmux('send-keys', '-l', line)
      tmux('send-keys', 'Enter')
    },
    longhaul: (args, nodeOptions = '') => `${quoted(process.execPath)} ${nodeOptions} ${quoted(mainFile)} ${args}`,
    press(...keys) {
      tmux('send-keys', ...keys)
    },
    screen,
    async shows(text) {
      const isShown = () => {
        const seen = screen().join('\n')
        return typeof text === 'string' ? seen.includes(text) : text.test(seen)
      }
      await waitUntil(`${String(text)} on the screen`, isShown).catch((cause: unknown) => {
        throw new Error(`${String(cause)}; it shows:\n${screen().join('\n')}`)
      })
    },
    resize: (width, height) => void tmux('resize-window', '-x', `${width}`, '-y', `${height}`),
    isRestored() {
      const settings = execFileSync('stty', ['-F', display('#{pane_tty}'), '-a'], { encoding: 'utf8' })
      return (
        display('#{alternate_on} #{cursor_flag} #{wrap_flag}') === '0 1 1' &&
        / icanon/.test(settings) &&
        / echo /.test(settings)
      )
    },
    end() {
      tmux('kill-server')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const UTF_8 = { LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' }

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
