/** Bound of a single wait in tests, which only a hang reaches; a started `sleep 300` outlasts it. */
export const HANG_MS = 120_000

/** Looks often for what is about to happen; gives up only on a hang. */
export const SOON = { interval: 5, timeout: HANG_MS }
