import { isLocalName, readHost } from './host-name.ts'
import { exactRule, type HostRule, isHostAllowed, readHostRule, USUAL_PORTS } from './host-rules.ts'
import { isPublicAddress } from './public-address.ts'

/** Hosts that one program in the sandbox may reach. */
export interface NetworkAccess {
  readonly rules: readonly HostRule[]
  /** True when every public host may be reached, too. */
  readonly allowAnyPublic: boolean
  /** Hosts that the settings name exactly, which may have private addresses. */
  readonly privateHosts: readonly HostRule[]
}

/** Circumstances that decide which hosts a program may reach. */
export interface NetworkNeeds {
  readonly level: 'standard' | 'strict'
  /** Only agents reach the model, and only they profit from `web`. */
  readonly isAgent: boolean
  /** Entries of `sandbox.hosts`, already validated. */
  readonly hosts: readonly string[]
  readonly web: 'on' | 'off'
  /** Hosts that the agent calls its model and its sign-in at. */
  readonly modelHosts: readonly string[]
  /** Registries of the user's package managers. */
  readonly registries: readonly HostRule[]
  /** URL of the remote `origin`, or null when there is none. */
  readonly origin: string | null
}

/** Derives the hosts that a program may reach; `strict` has no hosts by default except the model's. */
export function networkAccess(needs: NetworkNeeds): NetworkAccess {
  const named = needs.hosts.map(readHostRule).flatMap((read) => (read.kind === 'rule' ? [read.rule] : []))
  const isStandard = needs.level === 'standard'
  const model = needs.isAgent ? needs.modelHosts.map((host) => exactRule(host)) : []
  const usual = isStandard ? [...needs.registries, ...originRule(needs)] : []
  return {
    rules: [...named, ...model, ...usual],
    allowAnyPublic: isStandard && needs.isAgent && needs.web === 'on',
    privateHosts: named.filter(({ kind }) => kind === 'exact'),
  }
}

/** A host that a program in the sandbox was not allowed to reach. */
export interface RefusedHost {
  readonly host: string
  /** Completes the sentence "example.org was refused: …". */
  readonly why: string
}

/** Host and port that a program wants to reach. */
export interface NetworkTarget {
  readonly host: string
  readonly port: number
}

/** Returns why a target must not be reached, before its name is resolved, or null when it may be. */
export function refuseTarget(access: NetworkAccess, { host, port }: NetworkTarget): RefusedHost | null {
  const read = readHost(host)
  if (read.kind === 'address') return refusedHost(host, 'addresses are not allowed; use the name of the host')
  if (read.kind === 'invalid') return refusedHost(host, 'this is not the name of a host')
  if (isHostAllowed(access.rules, read.name, port)) return null
  const entry = USUAL_PORTS.includes(port) ? read.name : `${read.name}:${port}`
  const isUsual = entry === read.name
  if (access.allowAnyPublic && isUsual && !isLocalName(read.name)) return null
  const what = isUsual ? 'the host' : `port ${port} of the host`
  return refusedHost(read.name, `the settings do not allow ${what}; a person can add "${entry}" to sandbox.hosts`)
}

/** Keeps the addresses of a host that may be connected to; refuses the host when none is left. */
export function allowedAddresses(
  { privateHosts }: NetworkAccess,
  { host, port }: NetworkTarget,
  addresses: readonly string[],
): readonly string[] | RefusedHost {
  if (isHostAllowed(privateHosts, host, port)) return addresses
  const open = addresses.filter(isPublicAddress)
  if (open.length > 0 || addresses.length === 0) return open
  const entry = USUAL_PORTS.includes(port) ? host : `${host}:${port}`
  const why = `its name leads to a private address; a person can add exactly "${entry}" to sandbox.hosts`
  return refusedHost(host, why)
}

/** Says in one line that a host was refused, and why. */
export function refusedHostLine({ host, why }: RefusedHost): string {
  return `longhaul: ${host} was refused: ${why}`
}

/** Lists each refused host once, a line each, to be appended to a command's output; empty when there is none. */
export function refusedHostsNote(refused: readonly RefusedHost[]): string {
  const lines = [...new Map(refused.map((one) => [one.host, refusedHostLine(one)])).values()]
  const more = lines.length - NOTED_MAX
  const shown = more > 0 ? [...lines.slice(0, NOTED_MAX), `longhaul: ${more} more hosts were refused`] : lines
  return shown.map((line) => `${line}\n`).join('')
}

const NOTED_MAX = 20
const SHOWN_CHARACTERS_MAX = 253

/** Bounds what a program chose to call a host: the text is shown to people. */
function refusedHost(host: string, why: string): RefusedHost {
  return { host: host.replaceAll(/[^\w.:[\]-]/g, '?').slice(0, SHOWN_CHARACTERS_MAX), why }
}

/** Allows the host of `origin` over HTTPS, also when git reaches it over SSH. */
function originRule({ origin }: NetworkNeeds): readonly HostRule[] {
  const match = /^(?:(https?):\/\/|ssh:\/\/|git:\/\/)?(?:[^@/]*@)?([^:/[\]]+)(?::(\d+)(?=\/|$))?[:/]/.exec(origin ?? '')
  const [, scheme, host = '', port] = match ?? []
  const read = readHost(host)
  if (read.kind !== 'name' || (isLocalName(read.name) && scheme === undefined)) return []
  return [exactRule(read.name, scheme === undefined || port === undefined ? undefined : Number(port))]
}
