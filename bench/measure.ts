/** Clocks, counters and order statistics. */
import { readFileSync } from 'node:fs'

/** Returns the seconds of `work` by the wall clock, which also times peers that are other programs. */
export async function seconds(work: () => unknown): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}

/** @param q the quantile: 0.5 is the median, and one value in a hundred is above the quantile 0.99 */
export function quantile(values: readonly number[], q: number): number {
  if (values.length === 0) throw new Error('no values were measured')
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]!
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/**
 * Runs each of the works in turn, `rounds` times, so that a slow moment of the machine affects all of them alike.
 *
 * @param works what to run; undefined in place of a work that cannot run here
 * @returns each work's results, round by round
 */
export async function alternate<T, K extends string>(
  rounds: number,
  works: Readonly<Record<K, (() => Promise<T>) | undefined>>,
): Promise<Record<K, T[]>> {
  const names = Object.keys(works) as K[]
  const found = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<K, T[]>
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const work = works[name]
      if (work) found[name].push(await work())
    }
  }
  return found
}

/** Resources that a process has used since its start. */
export interface Used {
  processorMs: number
  /** Number of system calls that read or wrote, of files and sockets alike; null if the system does not count them. */
  readsAndWrites: number | null
}

/**
 * Returns the resources that this process has used. Linux counts reads and writes of every process in `/proc/self/io`.
 * Only tools count all system calls, and such a tool may be missing, need rights, or slow each call down.
 */
export function used(): Used {
  const { user, system } = process.cpuUsage()
  const processorMs = (user + system) / 1000
  if (process.platform !== 'linux') return { processorMs, readsAndWrites: null }
  const [reads, writes] = [...readFileSync('/proc/self/io', 'utf8').matchAll(/^sysc[rw]: (\d+)$/gm)].map(([, n]) =>
    Number(n),
  ) as [number, number]
  return { processorMs, readsAndWrites: reads + writes }
}

/** Returns the resident memory of a server in bytes, from its own metrics. */
export async function memoryOf(origin: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)![1])
}

/** Returns the difference between two measurements. */
export const usedBetween = (before: Used, after: Used): Used => ({
  processorMs: after.processorMs - before.processorMs,
  readsAndWrites:
    after.readsAndWrites === null || before.readsAndWrites === null
      ? null
      : after.readsAndWrites - before.readsAndWrites,
})
