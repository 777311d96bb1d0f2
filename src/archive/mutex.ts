/** A mutex: runs tasks one after another. */

/** @returns a function that runs a task after the task before it has ended, whether that succeeded or failed */
export function mutex(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work)
    last = next.catch(() => {})
    return next
  }
}
