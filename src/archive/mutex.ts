/** A mutex: runs tasks one after another. */

/**
 * @returns a function that runs a task after the previous task has ended, whether the previous task succeeded or failed
 */
export function mutex(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work)
    last = next.catch(() => {})
    return next
  }
}
