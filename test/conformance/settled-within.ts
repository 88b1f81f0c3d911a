/** Returns the promise's value, or "not yet" when it does not settle within so many real milliseconds. */
export async function settledWithin<T>(ms: number, promise: Promise<T>): Promise<T | 'not yet'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'not yet'>((resolve) => {
    timer = setTimeout(() => resolve('not yet'), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
