/** Returns the object id that a command printed, or null when its output is none. */
export function objectIdIn(output: string): string | null {
  return /^([0-9a-f]{40}|[0-9a-f]{64})\n?$/.exec(output)?.[1] ?? null
}
