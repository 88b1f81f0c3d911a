/** Serializes a state; equal states give equal texts whatever the order of their sets and maps. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner instanceof Map) return { map: [...inner].map(([k, v]) => [String(k), v]).sort(byFirst) }
    if (inner instanceof Set) return { set: [...inner].map(String).sort() }
    return inner
  })
}

function byFirst(a: unknown[], b: unknown[]): number {
  return String(a[0]) < String(b[0]) ? -1 : 1
}
