/** True for an IPv4 or IPv6 address of the public internet; everything else, also what is no address, is not public. */
export function isPublicAddress(address: string): boolean {
  const v4 = readV4(address)
  if (v4 !== null) return !V4_RESERVED.some((range) => isInRange(v4, range))
  const v6 = readV6(address)
  return v6 !== null && isInRange(v6, GLOBAL_UNICAST) && !V6_RESERVED.some((range) => isInRange(v6, range))
}

/** Bits of an address, as groups of equal width. */
interface Groups {
  readonly values: readonly number[]
  readonly width: 8 | 16
}

interface Range extends Groups {
  readonly bits: number
}

const V4_RESERVED: readonly Range[] = [
  '0.0.0.0/8', // this network, unspecified
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, with the metadata services of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  '168.63.129.16/32', // services of Azure's hosts
].map(range)

// Loopback, unspecified, mapped IPv4, NAT64, unique local, link-local, site-local and multicast are all outside.
const GLOBAL_UNICAST = range('2000::/3')

const V6_RESERVED: readonly Range[] = [
  '2001::/23', // protocol assignments, Teredo, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: holds any IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
].map(range)

function range(text: string): Range {
  const [address = '', bits] = text.split('/')
  const groups = readV4(address) ?? readV6(address)
  if (groups === null) throw new Error(`${text} is not a range`)
  return { ...groups, bits: Number(bits) }
}

function isInRange({ values }: Groups, { values: start, width, bits }: Range): boolean {
  return start.every((group, index) => {
    const free = Math.min(width, Math.max(0, (index + 1) * width - bits))
    return (values[index] ?? 0) >>> free === group >>> free
  })
}

function readV4(text: string): Groups | null {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return null
  const values = text.split('.').map(Number)
  return values.every((value) => value <= 255) ? { values, width: 8 } : null
}

function readV6(text: string): Groups | null {
  const [start = '', end, ...more] = withoutDots(text.toLowerCase()).split('::')
  if (more.length > 0) return null
  const [before, after] = [groupsOf(start), groupsOf(end ?? '')]
  const missing = 8 - before.length - after.length
  if (end === undefined ? missing !== 0 : missing < 1) return null
  const values = [...before, ...Array<number>(end === undefined ? 0 : missing).fill(0), ...after]
  return values.every((value) => value >= 0) ? { values, width: 16 } : null
}

/** Rewrites an IPv4 address at the end (`::ffff:10.0.0.1`) as two groups. */
function withoutDots(text: string): string {
  const tail = text.slice(text.lastIndexOf(':') + 1)
  const v4 = readV4(tail)
  if (v4 === null) return text
  const [a = 0, b = 0, c = 0, d = 0] = v4.values
  const groups = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  return text.slice(0, text.length - tail.length) + groups
}

function groupsOf(text: string): readonly number[] {
  if (text === '') return []
  return text.split(':').map((group) => (/^[\da-f]{1,4}$/.test(group) ? Number.parseInt(group, 16) : -1))
}
