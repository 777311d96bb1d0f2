/** The thread of child.ts that has PDFium: it may run for long, while the main thread watches. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { readFile } from './file.ts'
import { type Library, openLibrary } from './library.ts'
import type { PdfLimits, PdfText } from './result.ts'

export interface Job {
  bytes: Uint8Array
  limits: PdfLimits
}

/** What is told first: PDFium is there, and files may come. */
export type Ready = 'ready'

export interface Done {
  result: PdfText
  /** Whether PDFium can be used again. */
  usable: boolean
}

/** PDFium gives no memory back: a thread that has more than this is not used again. */
const KEPT = 200_000_000

// Who asks what code a reader is made of imports this file outside of a thread.
if (parentPort) await serve(parentPort, (workerData as { memory: number }).memory)

async function serve(port: MessagePort, memory: number): Promise<void> {
  const pdf = await openLibrary(memory / 2)
  port.postMessage('ready' satisfies Ready)
  port.on('message', (job: Job) => {
    const done = read(pdf, job)
    port.postMessage({ ...done, usable: done.usable && pdf.held() < KEPT })
  })
}

function read(pdf: Library, { bytes, limits }: Job): Done {
  try {
    const result = readFile(pdf, bytes, limits)
    if (!pdf.refused()) return { result, usable: true }
  } catch (error) {
    if (!pdf.refused()) {
      const reason = `the reader gave up: ${(error as Error).message.split('\n')[0]}`
      return { result: { kind: 'broken', pages: null, reason }, usable: false }
    }
  }
  const reason = `it needs more than ${Math.round(limits.memory / 2e6)} MB of memory`
  return { result: { kind: 'excessive', pages: null, reason }, usable: false }
}
