/** The processes in which PDFs are read: how they end, and that none is left behind. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { idleReaders, readApart } from '../src/read/pdf/process.ts'
import { LIMITS, type PdfText, readPdf } from '../src/read/pdf.ts'
import { windows } from './embedded/scene.ts'
import { documentPdf, firstFree, type Made, pagesPdf, stream, textAt } from './pdf-made.ts'
import { until } from './until.ts'
import { checkout, temporaryFolder } from './world.ts'

const good = pagesPdf([textAt(72, 700, 'What the page says')])
const job = { bytes: good, limits: LIMITS }

/** Takes half a second to read. */
const long = documentPdf({
  parts: Array.from({ length: 6_000 }, (_, i) => ({ text: `Paragraph ${i} of a long document.` })),
})
const killSoon = (pid: number) => setTimeout(() => process.kill(pid, 'SIGKILL'), 40)

/** Forms that each draw the next one: PDFium works on them for minutes, and takes 500 MB within a second or two. */
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

const lives = (pid: number) => {
  try {
    process.kill(pid, 0)
    // One that ended and was not waited for yet is none.
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    // It may go between the two looks.
    return false
  }
}

test('one process reads file after file', async () => {
  const pids = new Set<number>()
  for (let i = 0; i < 3; i++) assert.equal((await readApart(job, (pid) => pids.add(pid))).kind, 'text')
  assert.equal(pids.size, 1)
  assert.deepEqual(idleReaders(), [...pids])
})

test('a process that is killed in the middle is followed by another, which reads the file', async () => {
  const pids: number[] = []
  const read = await readApart({ bytes: long, limits: LIMITS }, (pid) => {
    pids.push(pid)
    if (pids.length === 1) killSoon(pid)
  })
  assert.equal(read.kind, 'text')
  assert.equal(new Set(pids).size, 2)
})

test('a file with which two processes die is broken, and the next is read', async () => {
  const pids: number[] = []
  const read = await readApart({ bytes: long, limits: LIMITS }, (pid) => {
    pids.push(pid)
    killSoon(pid)
  })
  assert.deepEqual(read, { kind: 'broken', pages: null, reason: 'its reader ended with SIGKILL' })
  assert.equal(pids.length, 2)
  assert.equal((await readPdf(good)).kind, 'text')
})

test('a process that was killed while it waited is not given a file', async () => {
  assert.equal((await readPdf(good)).kind, 'text')
  const [pid] = idleReaders()
  process.kill(pid!, 'SIGKILL')
  await until('it is gone', () => idleReaders().length === 0)
  const pids: number[] = []
  assert.equal((await readApart(job, (each) => pids.push(each))).kind, 'text')
  assert.ok(pids.length === 1 && pids[0] !== pid)
})

test('a process that does not answer at its deadline is ended', { skip: windows && 'no SIGSTOP' }, async () => {
  const limits = { ...LIMITS, milliseconds: 100 }
  let stopped = 0
  // A short file can be read before its process is stopped.
  const read = await readApart({ bytes: long, limits }, (pid) => {
    stopped = pid
    process.kill(pid, 'SIGSTOP')
  })
  assert.deepEqual(read, { kind: 'excessive', pages: null, reason: 'its reader did not answer within 5.1 s' })
  await until('it is gone', () => !lives(stopped))
})

test('where no process can be started it is an error, and no word on the file', {
  skip: windows && 'no /bin/false',
}, async () => {
  for (const pid of idleReaders()) process.kill(pid, 'SIGKILL')
  await until('none is left', () => idleReaders().length === 0)
  const { execPath } = process
  try {
    process.execPath = '/nowhere/node'
    await assert.rejects(readPdf(good), /^Error: the reader of PDFs does not start: spawn \/nowhere\/node ENOENT$/)
    process.execPath = '/bin/false'
    await assert.rejects(readPdf(good), /^Error: the reader of PDFs does not start: 1$/)
  } finally {
    process.execPath = execPath
  }
  assert.equal((await readPdf(good)).kind, 'text')
})

test('a fault of our own while a file is read is told, and the next file has another process', async () => {
  const pids = new Set<number>()
  const limits = { ...LIMITS, characters: 1n as unknown as number }
  const read = await readApart({ bytes: good, limits }, (pid) => pids.add(pid))
  assert.match(read.kind === 'broken' ? read.reason : '', /^the reader gave up: Cannot mix BigInt/)
  assert.equal((await readApart(job, (pid) => pids.add(pid))).kind, 'text')
  assert.equal(pids.size, 2)
})

test('a file that takes more memory than it may is too much: of the process, and of what is made of its text', async () => {
  const process = await readPdf(long, { memory: 110_000_000 })
  assert.deepEqual([process.kind, reasonOf(process)], ['excessive', 'it needs more than 110 MB of memory'])
  const crowded = Array.from({ length: 7_000 }, (_, i) => textAt(36, 780 - i / 10, String(i).repeat(30), 1)).join('')
  const heap = await readPdf(pagesPdf([crowded]), { memory: 480_000_000 })
  assert.deepEqual([heap.kind, reasonOf(heap)], ['excessive', 'it needs more than 60 MB of memory'])
})

test('more files than processes are all read, each as what it is', async () => {
  const reads = await Promise.all(Array.from({ length: 12 }, (_, i) => readPdf(i % 3 === 0 ? pagesPdf(['']) : good)))
  assert.deepEqual(
    reads.map(({ kind }) => kind),
    Array.from({ length: 12 }, (_, i) => (i % 3 === 0 ? 'scanned' : 'text')),
  )
  assert.equal(idleReaders().length, 1)
})

test('a file that takes long ends at its limit of time', async () => {
  const read = await readPdf(endless, { milliseconds: 500 })
  assert.deepEqual(read, { kind: 'excessive', pages: null, reason: 'it takes more than 0.5 s to read' })
})

test('a parent that is killed leaves no reader behind, neither a waiting one nor a busy one', async (t) => {
  for (const bytes of [good, endless]) {
    const { parent, reader } = await parentReading(t, bytes)
    assert.ok(lives(reader))
    process.kill(parent, 'SIGKILL')
    await until('the reader is gone', () => !lives(reader))
  }
})

test('a parent that has read its last file ends at once', async () => {
  const begun = performance.now()
  const program = `
    import { readPdf } from './src/read/pdf.ts'
    import { pagesPdf, textAt } from './test/pdf-made.ts'
    const read = await readPdf(pagesPdf([textAt(72, 700, 'What the page says')]))
    process.stdout.write(read.kind)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: checkout })
  let told = ''
  child.stdout.on('data', (chunk) => {
    told += chunk
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  assert.deepEqual([code, told], [0, 'text'])
  assert.ok(performance.now() - begun < 10_000, 'it did not wait for its reader')
})

test('PDFs are read where the package is installed, below node_modules', async (t) => {
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

/** Another process that reads these bytes, and the process in which it has them read. */
async function parentReading(t: TestContext, bytes: Buffer): Promise<{ parent: number; reader: number }> {
  const program = `
    import { LIMITS } from './src/read/pdf.ts'
    import { readApart } from './src/read/pdf/process.ts'
    process.stdin.resume()
    const parts = []
    for await (const part of process.stdin) parts.push(part)
    const told = (pid) => process.stdout.write(pid + '\\n')
    // With less memory a quick machine has ended the reader before its parent is killed.
    await readApart({ bytes: Buffer.concat(parts), limits: { ...LIMITS, memory: 4e9 } }, told)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: path.resolve(checkout),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  child.stdin.end(bytes)
  let told = ''
  child.stdout.on('data', (chunk) => {
    told += chunk
  })
  await until('it reads', () => told.includes('\n'))
  // The file is in the other process, and the watch of its main thread is set.
  await new Promise((resolve) => setTimeout(resolve, 700))
  return { parent: child.pid!, reader: Number(told) }
}
