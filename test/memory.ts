/** Memory in use when nothing more can be freed, for tests that something streams. */
import { setImmediate as turn } from 'node:timers/promises'
import v8 from 'node:v8'
import vm from 'node:vm'
import { assertAlone } from './runner/current.ts'

v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc') as () => void

/** Bytes: what the test runner itself takes and gives back between two looks. */
const NOISE = 256 * 1024

/**
 * Heap and buffers, in bytes; garbage does not count.
 *
 * One collection is not enough: another thread frees the buffers that it found, and 50 MB of them stood in the count
 * right after it in half of all runs. The next collection waits for that thread. So this goes on until the count has
 * stopped falling, and takes the least of the looks: compiled code and what ends meanwhile is not held against the test.
 */
export async function memoryInUse(): Promise<number> {
  assertAlone('the memory of its process is measured')
  let least = Number.POSITIVE_INFINITY
  for (let still = 0; still < 2; ) {
    collect()
    await turn()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    const now = heapUsed + arrayBuffers
    still = now < least - NOISE ? 0 : still + 1
    least = Math.min(least, now)
  }
  return least
}
