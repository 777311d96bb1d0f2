/**
 * Returns the result of `work`. If the work takes longer than `ms` milliseconds, returns or throws the result of
 * `onLate` instead; the work itself continues, and a later failure is ignored.
 */
export async function within<T>(ms: number, work: Promise<T>, onLate: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  }).then(onLate)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
