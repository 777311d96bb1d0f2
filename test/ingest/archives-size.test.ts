/**
 * An archive as large as the archives of EDGAR is read while it arrives. This takes as little memory as a small
 * archive, and no temporary file.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { headerOf } from '../support/archives-made.ts'
import { freshDatabase } from '../support/database.ts'
import { MB, metered } from '../support/metered.ts'
import { often, soaking } from '../support/soak.ts'
import { overTcp } from '../support/tcp.ts'

/** The archive has 2.25 GB packed, as large as the largest archive of 2026. */
const COUNT = often('filings of an archive of a day, of 1.9 MB each', { usual: 0, soak: 1_550 })
/** Measured: 232 MB with all filings, and 180 MB with 100 filings. Keeping every filing in memory would take 2.9 GB. */
const MEMORY_MAX = 400 * MB

const CIK = '1968399'
const accessionOf = (n: number) => `0001968399-24-${String(n).padStart(6, '0')}`

/** A picture as in submissions: each line encodes 45 incompressible bytes in 60 characters of text. */
const picture = Buffer.from(
  Array.from({ length: 31_000 }, () => `M${randomBytes(45).toString('base64').toUpperCase()}\n`).join(''),
  'latin1',
)
const packedPicture = gzipSync(picture, { level: 1 })

const SIZE_KB = Math.round((COUNT * packedPicture.length) / 1024)

const head = (accession: string) =>
  `<SUBMISSION>\n<ACCESSION-NUMBER>${accession}\n<TYPE>8-K\n<PUBLIC-DOCUMENT-COUNT>2\n<PERIOD>20240220\n<ITEMS>8.01\n<FILING-DATE>20240220\n<FILER>\n<COMPANY-DATA>\n<CONFORMED-NAME>Model\n<CIK>000${CIK}\n</COMPANY-DATA>\n</FILER>\n<DOCUMENT>\n<TYPE>8-K\n<SEQUENCE>1\n<FILENAME>form.htm\n<TEXT>\n<html><body><p>Item 8.01 Other Events.</p><p>Number ${accession}.</p></body></html>\n</TEXT>\n</DOCUMENT>\n<DOCUMENT>\n<TYPE>GRAPHIC\n<SEQUENCE>2\n<FILENAME>picture.jpg\n<TEXT>\nbegin 644 picture.jpg\n`
const END = 'end\n</TEXT>\n</DOCUMENT>\n</SUBMISSION>\n'

/** The packed archive. Concatenated gzip is gzip of the concatenation, so the picture is packed once for all filings. */
function* archive(): Generator<Buffer> {
  for (let n = 0; n < COUNT; n++) {
    const first = Buffer.from(head(accessionOf(n)), 'latin1')
    const size = first.length + picture.length + END.length
    yield gzipSync(Buffer.concat([headerOf(`${accessionOf(n)}.nc`, size), first]), { level: 1 })
    yield packedPicture
    yield gzipSync(Buffer.concat([Buffer.from(END, 'latin1'), Buffer.alloc((512 - (size % 512)) % 512)]), { level: 1 })
  }
  yield gzipSync(Buffer.alloc(1024))
}

const files: Record<string, () => Iterable<Buffer | string>> = {
  '/Archives/edgar/full-index/2024/QTR1/master.idx': () => [
    'Description: x\nLast Data Received: March 31, 2024\n\nCIK|Company Name|Form Type|Date Filed|Filename\n',
    `${'-'.repeat(80)}\n`,
    Array.from(
      { length: COUNT },
      (_, n) => `${CIK}|Model|8-K|2024-02-20|edgar/data/${CIK}/${accessionOf(n)}.txt\n`,
    ).join(''),
  ],
  '/Archives/edgar/Feed/2024/QTR1/index.json': () => [
    JSON.stringify({ directory: { item: [{ name: '20240220.nc.tar.gz', size: `${SIZE_KB} KB` }] } }),
  ],
  '/Archives/edgar/Feed/2024/QTR1/20240220.nc.tar.gz': archive,
}

test('an archive of 2.2 GB is read in one request, in bounded memory, and only the filings that a dataset reads are written to disk', {
  skip: !soaking && '2.9 GB of submissions are for a soak',
}, async (t) => {
  const requests: string[] = []
  const sent = new Map<string, number>()
  const server = createServer((request, response) => {
    requests.push(request.url!)
    const content = files[request.url!]
    if (!content) return void response.writeHead(404).end()
    const counted = function* () {
      for (const chunk of content()) {
        sent.set(request.url!, (sent.get(request.url!) ?? 0) + chunk.length)
        yield chunk
      }
    }
    pipeline(Readable.from(counted()), response.writeHead(200)).catch(() => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const database = await freshDatabase(t)
  const { target } = await overTcp(t, database)
  const began = performance.now()
  const period = ['--from', '2024-01-01', '--to', '2024-03-31']
  const { status, stderr, peak } = await metered(t, ['ingest', 'eightk', ...period, '--base-url', url], target)
  assert.equal(status, 0, stderr)
  t.diagnostic(`${[...sent]} in ${Math.round(performance.now() - began)} ms`)
  assert.deepEqual(
    requests.filter((path) => path.endsWith('.txt')),
    [],
  )
  const [row] = await database.sql<{ filings: number; bytes: number }[]>`
    select count(*)::int as filings, sum(bytes)::float8 as bytes from edgar.submission`
  assert.equal(row!.filings, COUNT)
  const [{ n } = { n: 0 }] = await database.sql<{ n: number }[]>`
    select count(*)::int as n from edgar.task where dataset = 'eightk' and state = 'done'`
  assert.equal(n, COUNT)
  assert.ok(peak < MEMORY_MAX, `${Math.round(peak / MB)} MB`)
})
