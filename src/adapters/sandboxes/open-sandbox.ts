import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import type { SandboxSettings } from '../../core/model/settings.ts'
import { viewOf } from '../../core/sandbox/view.ts'
import type { Sandbox } from '../../ports/sandbox.ts'
import type { Containment } from '../../process/start/containment.ts'
import { findProgram } from '../../process/start/find-program.ts'
import { runCommand } from '../../process/start/run-command.ts'
import { tryContainment } from '../../process/start/try-containment.ts'
import { type BubblewrapOptions, bubblewrap } from './bubblewrap/bubblewrap.ts'
import { bwrapOptions } from './bubblewrap/bwrap-options.ts'
import { findPlaces, refuseSettings, type Surroundings } from './bubblewrap/places.ts'
import { noSandbox } from './no-sandbox.ts'

/** Sandbox to open, and what stands in for it on machines without one. */
export interface SandboxToOpen extends Omit<BubblewrapOptions, 'file'> {
  /** Opens what ends processes with the engine, and limits nothing else. */
  openContainment(): Promise<Containment | Problem>
}

/** Sandbox that has to be closed. */
export interface OpenedSandbox extends Sandbox {
  close(): Promise<void>
}

/** Opens the sandbox that the settings ask for; without one everything runs as the user, unless it is required. */
export async function openSandbox(order: SandboxToOpen): Promise<OpenedSandbox | Problem> {
  const refusal = refuseSettings(order)
  if (refusal !== null) return refusal
  const probed = await findSandbox(order)
  if ('file' in probed) return { ...bubblewrap({ ...order, file: probed.file }), close: async () => {} }
  if (order.settings.required) return required(order.settings, probed.why)
  const containment = await order.openContainment()
  if (isProblem(containment)) return containment
  const close = async () => (containment.kind === 'guard' ? containment.guard.end() : undefined)
  return { ...noSandbox(containment, probed.why), close }
}

/** Tries the sandbox on this machine; returns the program, or why it does not work. */
async function findSandbox(around: Surroundings): Promise<{ readonly file: string } | { readonly why: string }> {
  const { environment, settings } = around
  const file = findProgram('bwrap', environment, '/')
  if (file === null) return { why: 'bubblewrap (bwrap) is not installed' }
  const view = viewOf(settings.level, findPlaces(around))
  const options = bwrapOptions(settings.level, view)
  const complaint = await tryContainment({ kind: 'bwrap', file, options, listeners: [] }, environment)
  if (complaint === null) return { file }
  const version = await versionOf(file, environment)
  if (version !== null && isTooOld(version)) return { why: `bubblewrap ${version} is too old; 0.8 or newer is needed` }
  return { why: `bubblewrap does not work here (${complaint})` }
}

const VERSION_MIN = { major: 0, minor: 8 }
const VERSION_MS_MAX = 30_000

async function versionOf(file: string, env: Surroundings['environment']): Promise<string | null> {
  const ended = await runCommand({ file, args: ['--version'], cwd: '/', env, timeoutMs: VERSION_MS_MAX })
  const [, version] = /(\d+\.\d+)/.exec(ended.kind === 'ended' ? ended.stdout.toString() : '') ?? []
  return version ?? null
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < VERSION_MIN.major || (major === VERSION_MIN.major && minor < VERSION_MIN.minor)
}

function required({ level }: SandboxSettings, why: string): Problem {
  return problem({
    code: 'no-sandbox',
    message: `The sandbox (${level}) is required and not available: ${why}.`,
    hint: 'Install bubblewrap 0.8 or newer and allow user namespaces; or set sandbox: { required: false } to work without one.',
    retry: 'person',
  })
}
