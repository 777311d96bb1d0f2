/**
 * Processor time, for tests that something hostile is read at once: on a busy machine
 * a clock runs on, and this hardly. What is hostile takes 80 ms at most, measured, and seconds where each look is repeated.
 */

/** Milliseconds that this process computed while something was done. */
export async function effortOf(act: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
