/**
 * PDFs in separate processes: what makes a process end, and how the next file is read. apart.test.ts tests how
 * processes end.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { idleProcesses } from '../../src/read/apart/process.ts'
import { type PdfText, readPdf } from '../../src/read/pdf.ts'
import { documentPdf, firstFree, type Made, pagesPdf, stream, textAt } from '../support/pdf/made.ts'
import { checkout, temporaryFolder } from '../support/world.ts'

const good = pagesPdf([textAt(72, 700, 'What the page says')])

/** A PDF that takes half a second to read. */
const long = documentPdf({
  parts: Array.from({ length: 6_000 }, (_, i) => ({ text: `Paragraph ${i} of a long document.` })),
})
const killSoon = (pid: number) => setTimeout(() => process.kill(pid, 'SIGKILL'), 40)

/**
 * PDF forms, each of which draws the next one: PDFium works on such forms for minutes, and takes 500 MB within two
 * seconds.
 */
const endless = (() => {
  const free = firstFree(1)
  const depth = 7
  const objects = Array.from(
    { length: depth },
    (_, i): Made =>
      stream(
        i === depth - 1 ? '0 0 m 1 1 l S '.repeat(10) : '/Fm Do '.repeat(20),
        `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << ${i === depth - 1 ? '' : `/XObject << /Fm ${free + i + 1} 0 R >>`} >>`,
      ),
  )
  return pagesPdf(['/Fm Do'], { more: `/Resources << /XObject << /Fm ${free} 0 R >> >>`, objects })
})()

const reasonOf = (read: PdfText) => (read.kind === 'text' ? '' : read.reason)

test('one process reads file after file', async () => {
  const pids = new Set<number>()
  for (let i = 0; i < 3; i++) assert.equal((await readPdf(good, {}, (pid) => pids.add(pid))).kind, 'text')
  assert.equal(pids.size, 1)
  assert.ok(idleProcesses().includes([...pids][0]!))
})

test('a file that kills two processes counts as broken, and the next file is read', async () => {
  const pids: number[] = []
  const read = await readPdf(long, {}, (pid) => {
    pids.push(pid)
    killSoon(pid)
  })
  assert.deepEqual(read, { kind: 'broken', pages: null, reason: 'the process that read it ended with SIGKILL' })
  assert.equal(pids.length, 2)
  assert.equal((await readPdf(good)).kind, 'text')
})

test('reports an internal error during reading, and reads the next file in another process', async () => {
  const pids = new Set<number>()
  // The type is wrong on purpose, to cause an internal error: no code of the reader can calculate with it.
  const read = await readPdf(good, { characters: 1n as unknown as number }, (pid) => pids.add(pid))
  assert.match(read.kind === 'broken' ? read.reason : '', /^the reader gave up: Cannot mix BigInt/)
  assert.equal((await readPdf(good, {}, (pid) => pids.add(pid))).kind, 'text')
  assert.equal(pids.size, 2)
})

test('a file is reported as `excessive` if the reading process, or the conversion of its text to Markdown, exceeds the memory limit', async () => {
  const process = await readPdf(long, { memory: 110_000_000 })
  assert.deepEqual([process.kind, reasonOf(process)], ['excessive', 'it needs more than 110 MB of memory'])
  const crowded = Array.from({ length: 7_000 }, (_, i) => textAt(36, 780 - i / 10, String(i).repeat(30), 1)).join('')
  const heap = await readPdf(pagesPdf([crowded]), { memory: 480_000_000 })
  assert.equal(heap.kind, 'excessive')
  // Whether the heap is exhausted first or the memory watch stops the process first is not fixed.
  assert.match(reasonOf(heap), /^it needs more than (320|480) MB of memory$/)
})

test('more files than processes are all read, each with its own result', async () => {
  const reads = await Promise.all(Array.from({ length: 12 }, (_, i) => readPdf(i % 3 === 0 ? pagesPdf(['']) : good)))
  assert.deepEqual(
    reads.map(({ kind }) => kind),
    Array.from({ length: 12 }, (_, i) => (i % 3 === 0 ? 'scanned' : 'text')),
  )
})

test('a file that takes too long is ended at the time limit', async () => {
  const read = await readPdf(endless, { milliseconds: 500 })
  assert.deepEqual(read, { kind: 'excessive', pages: null, reason: 'it takes more than 0.5 s to read' })
})

test('PDFs are also read if the package is installed below node_modules', async (t) => {
  const modules = path.join(await temporaryFolder(t), 'node_modules')
  for (const part of ['package.json', 'bin/types.mjs', 'src/read'])
    await cp(path.join(checkout, part), path.join(modules, 'openfilings', part), { recursive: true })
  await symlink(path.join(checkout, 'node_modules/@embedpdf'), path.join(modules, '@embedpdf'), 'junction')
  const program = `
    import './openfilings/bin/types.mjs'
    const { readPdf } = await import('./openfilings/src/read/pdf.ts')
    const read = await readPdf(Buffer.from('${good.toString('base64')}', 'base64'))
    process.stdout.write(read.markdown.text)`
  await writeFile(path.join(modules, 'read.mjs'), program)
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [path.join(modules, 'read.mjs')])
  assert.deepEqual([stdout, stderr], ['What the page says\n', ''])
})
