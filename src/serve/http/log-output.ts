/** Writes log lines to standard error, in blocks. */
import { writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

/**
 * Lines are buffered up to this length, and for at most this time. With a write for each line, the server would answer
 * a quarter fewer requests per second.
 */
const BLOCK_LENGTH = 16_384
const FLUSH_MS = 1000
/**
 * Maximum time of retries on a full pipe. Lines that the pipe has not taken by then are lost, and a later line of the
 * log states how many were lost.
 */
const FULL_MAX_MS = 1000
const RETRY_MS = 10

let opened: DestinationStream | undefined

/** The destination of all logs of the process, since a process has only one standard error. */
export const standardError = (): DestinationStream => (opened ??= open())

/**
 * Writes standard error in blocks, at least once a second and at the end of the process. Without a reader, lines are
 * dropped. (At the end of a process, pino's own destination would try to write the lines for ever, so the process would
 * never end.)
 */
function open(): DestinationStream {
  let held = ''
  let lost = 0
  let gone = false

  function flush(): void {
    if (held === '' || gone) return
    // The lost text may have ended in the middle of a line.
    const block = lost === 0 ? held : `\n${JSON.stringify({ level: 40, lost, msg: 'log lines were lost' })}\n${held}`
    const lines = held.split('\n').length - 1
    held = ''
    const taken = write(Buffer.from(block))
    gone = taken === 'gone'
    lost = taken === 'all' ? 0 : lost + lines
  }

  setInterval(flush, FLUSH_MS).unref()
  process.once('exit', flush)
  return {
    write(line) {
      held += line
      if (held.length >= BLOCK_LENGTH) flush()
    },
  }
}

/** Writes a block. `part`: the reader is too slow, or the disk is full. `gone`: there is no reader any more. */
function write(block: Buffer): 'all' | 'part' | 'gone' {
  const until = performance.now() + FULL_MAX_MS
  for (let at = 0; at < block.length; ) {
    try {
      at += writeSync(2, block, at)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EPIPE' || code === 'EBADF') return 'gone'
      // A full disk may have room again later.
      if (code !== 'EAGAIN' || performance.now() > until) return 'part'
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    }
  }
  return 'all'
}
