/** Keeps the memory use low, for the service and for commands that read files of unknown size. */
import v8 from 'node:v8'
import vm from 'node:vm'

let isShared = false

/**
 * Leaves the memory settings of this process unchanged. Must be called if commands run in one process with other work.
 */
export function shareMemory(): void {
  isShared = true
}

/**
 * Lets the heap at most double between two collections. Without this limit, V8 may let the heap grow to four times the
 * memory in use. Reading 200,000 people took 392 to 544 MB without the limit and 320 to 330 MB with it (*measured*; 5 %
 * more processor time). With 64 MB of cached answers, and 32 connections that mostly requested new answers, the service
 * took 478 MB without the limit and 353 MB with it (and 5 to 10 % more processor time).
 */
export function collectEarly(): void {
  if (isShared) return
  v8.setFlagsFromString('--heap-growing-percent=100')
}

/**
 * Size of one half of the young generation, in bytes. With twice this size, reading took the same time; with half this
 * size, it took 15 % longer.
 */
const YOUNG = 2 * 2 ** 20

/**
 * Limits the young generation to two halves of 2 MB. Otherwise each half grows to 16 MB, and the heap grows with it.
 * Reading an information table of 150 MB took 325 to 344 MB without this limit, and 245 to 270 MB with it, in the same
 * time (*measured*, five runs of each).
 *
 * V8 has a flag for the limit, but reads it only when the process starts, and this code runs later in the same process.
 * After the start, V8 still accepts the flag that stops the growth. So this function first empties the generation (34
 * ms), which undoes its growth during the program's start. Then the function lets the generation grow to the wanted
 * size, and stops its growth.
 */
export function keepYoungSmall(): void {
  if (isShared) return
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc') as (how: object) => void
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  // The generation grows when more bytes than its size have survived; two tries were enough.
  for (let tries = 0; tries < 8 && youngBytes() < YOUNG; tries++) {
    const survivors = Array.from({ length: 100_000 }, (_, at) => [at])
    collect({ type: 'minor', execution: 'sync' })
    survivors.length = 0
  }
  v8.setFlagsFromString('--semi-space-growth-factor=1')
}

function youngBytes(): number {
  const young = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  return young ? young.space_used_size + young.space_available_size : Number.POSITIVE_INFINITY
}
