/** Text that stands for a host: a name in its normal form, an address, or neither. */
export type HostText =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'address' }
  | { readonly kind: 'invalid' }

/** Reads a host; everything that a resolver could take for an address counts as one (`127.1`, `0x7f.1`, `2130706433`). */
export function readHost(text: string): HostText {
  const name = text.toLowerCase().replace(/\.$/, '')
  if (name.startsWith('[') || name.includes(':')) return { kind: 'address' }
  if (name.length > NAME_LENGTH_MAX || !NAME.test(name)) return { kind: 'invalid' }
  return NUMBER.test(name.slice(name.lastIndexOf('.') + 1)) ? { kind: 'address' } : { kind: 'name', name }
}

/** True for names that never lead to a public host, such as `localhost` or `printer.local`. */
export function isLocalName(name: string): boolean {
  return !name.includes('.') || LOCAL_ENDINGS.some((ending) => name.endsWith(ending))
}

const NAME_LENGTH_MAX = 253
const NAME = /^(?!-)[a-z0-9_-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9_-]{1,63}(?<!-))*$/
const NUMBER = /^(?:\d+|0x[\da-f]*)$/
const LOCAL_ENDINGS = ['.localhost', '.local', '.internal', '.intranet', '.lan', '.arpa']
