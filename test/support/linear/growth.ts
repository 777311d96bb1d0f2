/**
 * Measures how the cost of an action grows with the length of its text, in processor time: on a busy machine elapsed
 * time grows, but processor time hardly changes.
 */
import vm from 'node:vm'
import { effortOf } from '../effort.ts'

/**
 * The cost may grow 1.3 times as fast as the length, because of garbage collection and tables that exceed the
 * processor's caches.
 */
export const GROWTH_MAX = 1.3
const TRIES = 3
/**
 * Number of measurements if the growth exceeds the limit. A function whose cost grows too fast exceeds the limit in
 * each measurement; other work on the machine ends in the meantime.
 */
const ROUNDS = 3

/** Returns the quickest of several tries, in milliseconds. Stops after a try that takes at most `enough`. */
async function least(act: () => unknown, enough: number, tries = TRIES): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < tries && best > enough; i++) best = Math.min(best, await effortOf(act))
  return best
}

/**
 * Returns the ratio of the time per character for an eight times longer text: eight for a quadratic function, one for a
 * linear one. Each measured time is long enough to be reliable even if the machine does other work.
 *
 * @param read gets the factor by which its text is to be longer
 * @param noise milliseconds below which times are meaningless
 */
export async function growthOf(read: (times: number) => unknown, noise: number): Promise<number> {
  let growth = await growthOnce(read, noise)
  for (let round = 1; round < ROUNDS && growth > GROWTH_MAX; round++) {
    growth = Math.min(growth, await growthOnce(read, noise))
  }
  return growth
}

async function growthOnce(read: (times: number) => unknown, noise: number): Promise<number> {
  const costs: number[] = []
  for (const times of [1, 2, 4, 8]) {
    const cost = await least(() => read(times), noise / 8)
    costs.push(cost)
    // Ends the measurement, since this text alone took more than four times as long as the longest text may take.
    if (cost > 4 * 8 * Math.max(costs[0]!, noise)) return cost / costs[0]! / times
  }
  if (costs[3]! < noise) return 1
  // Growth from step to step counts too, since the first cost may include the time of a first call.
  return Math.min(costs[3]! / costs[0]! / 8, Math.max(costs[3]! / costs[2]! / 2, costs[2]! / costs[1]! / 2))
}

const context = vm.createContext({})
const script = new vm.Script('act()')

/**
 * Milliseconds of processor time of an action that does not wait; infinite beyond a limit, at which the action is ended
 * even while a pattern is being matched.
 */
export function timed(act: () => unknown, limit: number): number {
  context.act = act
  const before = process.cpuUsage()
  try {
    script.runInContext(context, { timeout: limit })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return Number.POSITIVE_INFINITY
    throw error
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
