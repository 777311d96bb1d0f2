/** How what is done grows with the length of its text, by processor time: on a busy machine a clock runs on, and this hardly. */
import vm from 'node:vm'
import { effortOf } from '../effort.ts'

/** Growth may be so many times that of the length: garbage is collected, and tables outgrow what the processor keeps near. */
export const GROWTH_MAX = 1.3
const TRIES = 3
/** What is above the limit is measured again: what grows too fast does so each time, and other work on the machine passes. */
const ROUNDS = 3

/** Milliseconds, the least of some tries; infinite where it takes longer than a limit. */
async function least(act: () => unknown, enough: number, tries = TRIES): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < tries && best > enough; i++) best = Math.min(best, await effortOf(act))
  return best
}

/**
 * How many times longer a text takes per sign when it is eight times as long. Each measured time is long enough to be one:
 * what is quadratic is at eight, and what is linear at one, however much else the machine does.
 *
 * @param read is given how many times as long a text is to be
 * @param noise milliseconds below which times say nothing
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
    // Four times and more of the time that is allowed for the whole: nothing longer is waited for.
    if (cost > 4 * 8 * Math.max(costs[0]!, noise)) return cost / costs[0]! / times
  }
  if (costs[3]! < noise) return 1
  // From step to step too, since the first cost may be that of a start.
  return Math.min(costs[3]! / costs[0]! / 8, Math.max(costs[3]! / costs[2]! / 2, costs[2]! / costs[1]! / 2))
}

const context = vm.createContext({})
const script = new vm.Script('act()')

/** Milliseconds of the processor for what does not wait; infinite beyond a limit, at which it is ended even within a pattern. */
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
