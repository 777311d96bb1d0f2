/**
 * The process in which bytes from outside are read, started by process.ts with the megabytes that its heap may have. Its main
 * thread only watches: time, memory, and whether the parent still lives. What runs is in a thread: one that has no memory left
 * can end the whole process (measured: a list of 40 million elements and a map of 2^24 did), which is why it is not one of the
 * parent's.
 */
import { Worker } from 'node:worker_threads'
import type { FromThread, Heard, ToProcess } from './call.ts'

const heap = Number(process.argv[2])
/** How often time and memory are looked at, milliseconds. */
const LOOK = 20
/** How often it says that it lives while it works, milliseconds. */
const ALIVE = 1_000
/** A process that has more than this after its work is not used again. */
const KEPT = 400_000_000

const worker = new Worker(new URL('thread.ts', import.meta.url), {
  resourceLimits: { maxOldGenerationSizeMb: heap },
})

/** Ends at once, whatever the thread is doing. */
const end = () => process.kill(process.pid, 'SIGKILL')
const tell = (heard: Heard, then?: () => void) => process.send!(heard, undefined, undefined, then)
const excessive = (reason: string) => tell({ excessive: reason }, end)

worker.once('online', () => tell('ready'))
worker.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') excessive(`it needs more than ${heap} MB of memory`)
  else end()
})
// A reader that ends its thread gives no answer any more.
worker.on('exit', end)

let stop = () => {}

worker.on('message', (said: FromThread) => {
  if ('ask' in said) return tell(said)
  stop()
  tell({ ...said, usable: !said.isRetired && process.memoryUsage.rss() < KEPT })
})

process.on('message', (told: ToProcess) => {
  if ('call' in told) watch(told.limits)
  worker.postMessage(told)
})

function watch({ milliseconds, memory }: { milliseconds: number; memory: number }): void {
  const before = process.cpuUsage()
  const look = setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    if ((user + system) / 1000 > milliseconds) excessive(`it takes more than ${milliseconds / 1000} s to read`)
    else if (process.memoryUsage.rss() > memory)
      excessive(`it needs more than ${Math.round(memory / 1e6)} MB of memory`)
  }, LOOK)
  const alive = setInterval(() => tell('alive'), ALIVE)
  stop = () => {
    clearInterval(look)
    clearInterval(alive)
  }
}

// The parent ended, in whatever way, or has no more work.
process.on('disconnect', end)
