import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mainFile } from '../conformance/built.ts'
import { type Journey, until } from './journey.ts'

/** A real terminal, in which a person's keys are pressed and whose screen is looked at. */
export interface TmuxTerminal {
  /** Types a command line and presses Enter. */
  type(line: string): void
  /** The built command line with these arguments, as it would be typed; `node` options go before it. */
  longhaul(args: string, nodeOptions?: string): string
  /** Presses keys by tmux's names, or types letters. */
  press(...keys: readonly string[]): void
  /** The lines that are seen. */
  screen(): readonly string[]
  /** Settles when the screen shows this. */
  shows(text: string | RegExp): Promise<void>
  resize(columns: number, rows: number): void
  /** Whether the terminal is as a shell wants it: the usual screen, with a cursor, lines and echo. */
  isRestored(): boolean
  end(): void
}

/** Whether there is a tmux to be had. */
export const hasTmux = spawnSync('tmux', ['-V']).status === 0

/** Opens a terminal of this size, with a shell in the journey's repository. */
export function openTmux({ repository, env }: Journey, columns: number, rows: number): TmuxTerminal {
  // A socket of its own: nobody else's tmux is touched, and the path stays short enough for one.
  const folder = mkdtempSync(join(tmpdir(), 'lh-'))
  const socket = join(folder, 's')
  const tmux = (...args: readonly string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8', env: { ...env, ...UTF_8 } })
  const variables = Object.entries({ ...env, ...UTF_8, TERM: 'screen-256color', PS1: '$ ' })
  const shell = ['env', '-i', ...variables.map(([name, value]) => `${name}=${value}`), 'sh'].map(quoted).join(' ')
  tmux('new-session', '-d', '-x', `${columns}`, '-y', `${rows}`, '-c', repository, shell)
  const told = (format: string) => tmux('display-message', '-p', format).trim()
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
      await until(`${String(text)} on the screen`, isShown).catch((cause: unknown) => {
        throw new Error(`${String(cause)}; it shows:\n${screen().join('\n')}`)
      })
    },
    resize: (width, height) => void tmux('resize-window', '-x', `${width}`, '-y', `${height}`),
    isRestored() {
      const settings = execFileSync('stty', ['-F', told('#{pane_tty}'), '-a'], { encoding: 'utf8' })
      return (
        told('#{alternate_on} #{cursor_flag} #{wrap_flag}') === '0 1 1' &&
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
