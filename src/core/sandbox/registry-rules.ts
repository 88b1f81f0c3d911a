import { readHost } from './host-name.ts'
import { exactRule, type HostRule } from './host-rules.ts'

/** Reads the hosts that a package manager downloads from out of what it prints about its settings. */
export function registryRules(output: string): readonly HostRule[] {
  const rules = [...output.matchAll(/https?:\/\/(?:[^\s/@"']*@)?([a-z0-9.-]+)(?::(\d+))?/gi)].flatMap(
    ([, host = '', port]) => {
      const read = readHost(host)
      return read.kind === 'name' ? [exactRule(read.name, port === undefined ? undefined : Number(port))] : []
    },
  )
  return [...new Map(rules.map((rule) => [`${rule.name} ${rule.ports.join()}`, rule])).values()]
}
