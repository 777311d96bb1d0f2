/**
 * The process that reads bytes from outside. process.ts starts it with a heap limit in megabytes. The main thread of
 * the process only watches time, memory, and whether the parent is still alive. A second thread does the work. The work
 * is not done in a thread of the parent, since a thread that runs out of memory can end the whole process. This was
 * measured with a list of 40 million elements and a map of 2^24.
 */
import { Worker } from 'node:worker_threads'
import type { FromThread, ReaderMessage, ToProcess } from './call.ts'

const heap = Number(process.argv[2])
/** Interval between two checks of time and memory, in milliseconds. */
const LOOK = 20
/** Interval between two signs of life during work, in milliseconds. */
const ALIVE = 1_000
/** If a process holds more memory than this after its work, it is not used again. */
const KEPT = 400_000_000

const worker = new Worker(new URL('thread.ts', import.meta.url), {
  resourceLimits: { maxOldGenerationSizeMb: heap },
})

/** Ends the process at once, whatever the thread is doing. */
const end = () => process.kill(process.pid, 'SIGKILL')
const send = (message: ReaderMessage, then?: () => void) => process.send!(message, undefined, undefined, then)
const excessive = (reason: string) => send({ excessive: reason }, end)

worker.once('online', () => send('ready'))
worker.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') excessive(`it needs more than ${heap} MB of memory`)
  else end()
})
// If a called function ends its thread, the thread can no longer return an answer.
worker.on('exit', end)

let stop = () => {}

worker.on('message', (message: FromThread) => {
  if ('request' in message) return send(message)
  stop()
  send({ ...message, usable: !message.isRetired && process.memoryUsage.rss() < KEPT })
})

process.on('message', (message: ToProcess) => {
  if ('call' in message) watch(message.limits)
  worker.postMessage(message)
})

function watch({ milliseconds, memory }: { milliseconds: number; memory: number }): void {
  const before = process.cpuUsage()
  const look = setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    if ((user + system) / 1000 > milliseconds) excessive(`it takes more than ${milliseconds / 1000} s to read`)
    else if (process.memoryUsage.rss() > memory)
      excessive(`it needs more than ${Math.round(memory / 1e6)} MB of memory`)
  }, LOOK)
  const alive = setInterval(() => send('alive'), ALIVE)
  stop = () => {
    clearInterval(look)
    clearInterval(alive)
  }
}

// The parent has ended for any reason, or has no more work.
process.on('disconnect', end)
