/** Proxies of the user, through which Longhaul reaches the network; a URL may contain a password. */
export interface UpstreamProxies {
  readonly http: string | null
  readonly https: string | null
  /** Entries of NO_PROXY, in lower case. */
  readonly except: readonly string[]
}

/** No proxy at all. @internal */
export const NO_UPSTREAM: UpstreamProxies = { http: null, https: null, except: [] }

/** Reads the usual variables; a lower-case name takes precedence, as in curl. */
export function upstreamProxies(environment: Readonly<Record<string, string | undefined>>): UpstreamProxies {
  const value = (name: string) => environment[name.toLowerCase()] || environment[name] || null
  const all = value('ALL_PROXY')
  const except = (value('NO_PROXY') ?? '').toLowerCase().split(/[\s,]+/)
  return {
    http: value('HTTP_PROXY') ?? all,
    https: value('HTTPS_PROXY') ?? all,
    except: except.filter((entry) => entry !== ''),
  }
}

/** Returns the URL of the proxy for a host, or null when it is reached directly. */
export function proxyFor(
  { http, https, except }: UpstreamProxies,
  { host, port }: { readonly host: string; readonly port: number },
  scheme: 'http' | 'https',
): string | null {
  const proxy = scheme === 'http' ? http : https
  const name = host.toLowerCase()
  if (proxy === null || THIS_MACHINE.test(name) || except.some((entry) => isExcepted(entry, name, port))) return null
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`
}

const THIS_MACHINE = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[?::1\]?)$/

function isExcepted(entry: string, host: string, port: number): boolean {
  if (entry === '*') return true
  const [, pattern = entry, only] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
  if (only !== undefined && Number(only) !== port) return false
  const name = pattern.replace(/^\*?\./, '')
  return host === name || host.endsWith(`.${name}`)
}
