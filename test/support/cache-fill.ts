/**
 * A process that fills the answer cache and prints its memory use afterwards: `node test/support/cache-fill.ts
 * <megabytes>`. With 0 megabytes it does the same work and caches nothing.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { Answer } from '../../src/serve/http/answer.ts'
import { answerCache } from '../../src/serve/http/cache.ts'
import { memoryInUse } from './memory.ts'

export interface Filled {
  /** The size that the cache reports. */
  counted: number
  /** Growth of heap and buffers, after a garbage collection. */
  held: number
  buffers: number
  rss: number
  answers: number
}

/**
 * Answers of each length. Some of the answers of 1,200 bytes are also stored compressed, twice: zlib takes most of the
 * time.
 */
const LENGTHS = [60, 300, 1200]
const ANSWERS = 36_000

const text = (n: number, length: number) =>
  JSON.stringify(
    Array.from({ length: Math.ceil(length / 25) }, (_, i) => ({ n: n + i, v: (n * 7919 + i * 31) % 99991 })),
  )

const bytesMax = Number(process.argv[2]) * 1024 * 1024
const cache = answerCache({ bytesMax, onOutcome: () => {} })
// Compilers and the threads of zlib allocate their memory before the measurement.
for (const coding of ['gzip', 'zstd'] as const) await new Answer('x'.repeat(5000)).variant(coding)
const before = { held: await memoryInUse(), ...process.memoryUsage() }
for (let n = 0; n < ANSWERS; ) {
  const made = LENGTHS.flatMap((length) =>
    Array.from({ length: 50 }, () => {
      const answer = new Answer(text(n++, length))
      const now = `${n},12,3456`
      const version = () => now
      cache.begin(`filings["${n}",null,"ACME"]`, version, {
        answer: Promise.resolve(answer),
        isOver: () => false,
        version: () => undefined,
      })
      return { answer, length }
    }),
  )
  await turn()
  const packed = made.filter(({ length }) => length === 1200).slice(0, 15)
  await Promise.all(packed.flatMap(({ answer }) => [answer.variant('gzip'), answer.variant('zstd')]))
}
const held = (await memoryInUse()) - before.held
const { rss, arrayBuffers } = process.memoryUsage()
const filled: Filled = {
  counted: cache.bytes,
  held,
  buffers: arrayBuffers - before.arrayBuffers,
  rss: rss - before.rss,
  answers: ANSWERS,
}
console.log(JSON.stringify(filled))
