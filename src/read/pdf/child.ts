/**
 * The process in which PDFs are read, started by process.ts with the bytes of memory that it may have. Its main thread only
 * watches: time, memory, and whether the parent still lives.
 */
import { Worker } from 'node:worker_threads'
import type { PdfText } from './result.ts'
import type { Done, Job, Ready } from './thread.ts'

const memory = Number(process.argv[2])
/** How often memory is looked at, milliseconds: PDFium has taken 40 MB within one. */
const LOOK = 20

/** What is made of the text has this part of the memory at most: a page of 200,000 signs takes 30 MB. */
const HEAP = 8

const worker = new Worker(new URL('thread.ts', import.meta.url), {
  workerData: { memory },
  resourceLimits: { maxOldGenerationSizeMb: memory / HEAP / 1e6 },
})

/** Ends at once, whatever the thread is doing. */
const end = () => process.kill(process.pid, 'SIGKILL')

/** Tells how the last file ended that this process read. */
function last(result: PdfText): void {
  process.send!({ result, usable: false } satisfies Done, end)
}

const excessive = (reason: string) => last({ kind: 'excessive', pages: null, reason })

worker.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    excessive(`it needs more than ${Math.round(memory / HEAP / 1e6)} MB of memory`)
  else end()
})
worker.once('message', () => process.send!('ready' satisfies Ready))

process.on('message', (job: Job) => {
  const seconds = job.limits.milliseconds / 1000
  const deadline = setTimeout(() => excessive(`it takes more than ${seconds} s to read`), job.limits.milliseconds)
  const look = setInterval(() => {
    if (process.memoryUsage.rss() > memory) excessive(`it needs more than ${Math.round(memory / 1e6)} MB of memory`)
  }, LOOK)
  worker.once('message', (done: Done) => {
    clearTimeout(deadline)
    clearInterval(look)
    process.send!(done, () => done.usable || end())
  })
  worker.postMessage(job)
})

// The parent ended, in whatever way, or has no more files.
process.on('disconnect', end)
