/** Measures the memory in use after everything that can be freed was freed, for tests of streaming. */
import { setImmediate as turn } from 'node:timers/promises'
import v8 from 'node:v8'
import vm from 'node:vm'
import { assertAlone } from '../runner/current.ts'

v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc') as () => void

/** Number of bytes that the test runner itself may allocate or free between two measurements. */
const NOISE = 256 * 1024

/**
 * Returns the size of heap and buffers in bytes, after garbage collection. One collection is not enough: another thread
 * frees the buffers that the collection found, and in half of all runs 50 MB of these buffers were still counted
 * directly after the collection. The next collection waits for that thread. Therefore this repeats until the count
 * stops falling, and takes the minimum, so that compiled code and unfinished work do not count against the test.
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
