/** Command without the wrapper that runs it. */
export type Unwrapped =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** Text that a shell runs. */
  | { readonly kind: 'text'; readonly text: string }

/** Removes one wrapper (timeout, env, npx, sh -c …) from a command; null when there is none. */
export function unwrapped(words: readonly string[]): Unwrapped | null {
  const [first = '', ...args] = words
  const program = first.slice(first.lastIndexOf('/') + 1)
  if (SHELLS.has(program)) return shellText(args)
  if (program === 'eval') return { kind: 'text', text: args.join(' ') }
  if (program === 'trap') return { kind: 'text', text: args[0] ?? '' }
  const [name, rest] = wrapperOf(program, args)
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined
  return wrapper === undefined ? null : behind(rest, wrapper)
}

interface Wrapper {
  /** Options that take the next word as their value. */
  readonly valued?: string
  /** Words before the command that are no options. */
  readonly skips?: number
  /** Options whose value is a shell text. */
  readonly texts?: string
}

/** Joins the words of a wrapper that has two, like "uv run". */
function wrapperOf(program: string, args: readonly string[]): readonly [string, readonly string[]] {
  const at = args.findIndex((arg) => !arg.startsWith('-'))
  const pair = `${program} ${args[at] ?? ''}`
  return at >= 0 && Object.hasOwn(WRAPPERS, pair) ? [pair, args.slice(at + 1)] : [program, args]
}

function behind(args: readonly string[], { valued = '', skips = 0, texts = '' }: Wrapper): Unwrapped {
  const [valuedSet, textSet] = [new Set(valued.split(' ')), new Set(texts.split(' '))]
  let left = skips
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    if (textSet.has(arg)) return { kind: 'text', text: args[at + 1] ?? '' }
    if (arg === '--') continue
    if (valuedSet.has(arg)) at += 1
    else if (arg.startsWith('-') || ASSIGNMENT.test(arg)) continue
    else if (left > 0) left -= 1
    else return { kind: 'words', words: args.slice(at) }
  }
  return { kind: 'words', words: [] }
}

/** Returns the text of "sh -c TEXT", also with joined options like -euc; null when a file is run. */
function shellText(args: readonly string[]): Unwrapped | null {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    if (!/^[-+]/.test(arg)) return null
    if (/^-[a-z]*c$/.test(arg)) return { kind: 'text', text: args[at + 1] ?? '' }
    if (/^[-+][a-z]*o$/.test(arg)) at += 1
  }
  return null
}

const ASSIGNMENT = /^\w+=/
const SHELLS = new Set('sh bash dash zsh ksh ash'.split(' '))
const NPX = { valued: '-p --package', texts: '-c --call' }
const COVERAGE = {
  valued:
    '-r --reporter -x --exclude -n --include --temp-dir --temp-directory -o --report-dir --lines --branches --functions --statements',
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  ...Object.fromEntries(
    'nohup time exec command builtin setsid stdbuf caffeinate unbuffer winpty busybox corepack cross-env retry'
      .split(' ')
      .map((name) => [name, {}]),
  ),
  timeout: { valued: '-s --signal -k --kill-after', skips: 1 },
  gtimeout: { valued: '-s --signal -k --kill-after', skips: 1 },
  nice: { valued: '-n --adjustment' },
  ionice: { valued: '-c -n --class --classdata' },
  env: { valued: '-u --unset -C --chdir', texts: '-S --split-string' },
  sudo: { valued: '-u -g -h -p' },
  doas: { valued: '-u' },
  xargs: { valued: '-n -I -P -L -d -a -s -E --max-args --max-procs --max-lines --arg-file --delimiter' },
  flock: { valued: '-w -E', skips: 1, texts: '-c --command' },
  chrt: { skips: 1 },
  taskset: { valued: '-c', skips: 1 },
  'xvfb-run': { valued: '-s -n -e -f -p --server-args --server-num' },
  script: { texts: '-c -qc -qec -ec --command' },
  dotenv: { valued: '-e -v' },
  'dotenvx run': { valued: '-f -e' },
  'env-cmd': { valued: '-f -e' },
  'doppler run': {},
  'op run': { valued: '--env-file' },
  'mise exec': { skips: 0 },
  'direnv exec': { skips: 1 },
  'nix develop': { texts: '-c --command' },
  c8: COVERAGE,
  nyc: COVERAGE,
  npx: NPX,
  pnpx: NPX,
  bunx: NPX,
  'npm exec': NPX,
  'npm x': NPX,
  'pnpm exec': NPX,
  'pnpm dlx': NPX,
  'yarn exec': NPX,
  'yarn dlx': NPX,
  'bun x': NPX,
  'uv run': {
    valued:
      '--with --extra --group --python -p --project --package --env-file --directory --no-group --only-group --with-requirements',
  },
  uvx: { valued: '--with --from --python -p' },
  'uv tool': { skips: 1, valued: '--with --from --python -p' },
  'poetry run': {},
  'pipenv run': {},
  'rye run': {},
  'conda run': { valued: '-n --name -p --prefix' },
  'bundle exec': {},
}
