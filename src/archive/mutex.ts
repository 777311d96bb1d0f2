/** A mutex: runs tasks one after another. */

/** @returns what runs the work that it is given, once the work before has ended in whatever way */
export function mutex(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work)
    last = next.catch(() => {})
    return next
  }
}
