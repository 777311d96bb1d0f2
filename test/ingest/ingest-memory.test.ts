/**
 * Memory limits of an ingest process with its default workers and hostile content from EDGAR and the adviser site.
 *
 * @early it takes 22 s of the processor
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { constants, createGzip } from 'node:zlib'
import { freshDatabase } from '../support/database.ts'
import { MB, metered } from '../support/metered.ts'
import { overTcp } from '../support/tcp.ts'
import { sample } from '../support/world.ts'

/** Maximum memory of a process. */
const MEMORY_MAX = 512 * MB

type Bytes = Iterable<string | Buffer>

/** Repeats the text in chunks up to this many bytes. */
function* repeated(text: string, bytes: number): Generator<Buffer> {
  const chunk = Buffer.from(text.repeat(Math.ceil(Math.min(MB, bytes) / Buffer.byteLength(text))))
  for (let at = 0; at < bytes; at += chunk.length) yield chunk
}

function* many(count: number, each: (n: number) => string): Generator<string> {
  for (let n = 0; n < count; n += 1000) {
    yield Array.from({ length: Math.min(1000, count - n) }, (_, at) => each(n + at)).join('')
  }
}

const model = await readFile(path.join(sample, 'Archives/edgar/data/1968399/0001968399-23-000002.txt'), 'utf8')
const PERSON = /<relatedPersonInfo>[\s\S]*<\/relatedPersonInfo>/
const person = (clarification: string) =>
  PERSON.exec(model)![0].replace(/<relationshipClarification>.*?<\/relationshipClarification>/, clarification)

/** Replaces the model's related persons with hostile content. */
const form = (middle: () => Bytes) => (model: string) => {
  const [before, after] = model.split(PERSON) as [string, string]
  return [[before], middle(), [after]]
}
/** Adds hostile content to the model at the given mark, such as in its header or after its document. */
const around = (mark: string, more: () => Bytes) => (model: string) => {
  const at = model.indexOf(mark)
  return [[model.slice(0, at)], more(), [model.slice(at)]]
}

const long = (bytes: number) => [
  '<relationshipClarification>',
  ...repeated('A text that one can read. ', bytes),
  '</relationshipClarification>',
]
const [PERSON_START, PERSON_END] = person('|').split('|') as [string, string]

const EMPTY_DOCUMENT = '<DOCUMENT>\n<TYPE>EX\n<TEXT>\n</TEXT>\n</DOCUMENT>\n'

/**
 * Hostile submissions, each with its effect as its name. `times` is how often a submission occurs; a submission with
 * `isFine` can be read nevertheless.
 */
const hostile: Record<string, { times?: number; content: (model: string) => Iterable<Bytes>; isFine?: true }> = {
  'empty elements': { content: form(() => repeated('<a/>', 40 * MB)) },
  'elements within each other': { content: form(() => repeated('<a>', 8 * MB)) },
  'pieces of text': { content: form(() => ['<a>', ...repeated('<![CDATA[x]]>', 15 * MB), '</a>']) },
  attributes: { content: form(() => ['<a ', ...many(1_000_000, (n) => `a${n}="" `), '/>']) },
  'one long text': { content: form(() => long(15 * MB)) },
  'one long comment': { content: form(() => ['<!--', ...repeated('x ', 15 * MB), '-->']), isFine: true },
  'names that are never the same': { content: form(() => many(1_000_000, (n) => `<a${n}/>`)) },
  'texts of two megabytes': {
    times: 4,
    content: form(() => Array.from({ length: 7 }, () => [PERSON_START, ...long(2 * MB), PERSON_END]).flat()),
    isFine: true,
  },
  'texts of two bytes a character': {
    times: 2,
    content: form(() =>
      Array.from({ length: 7 }, () => [
        PERSON_START,
        '<relationshipClarification>',
        ...repeated('Ω and ω. ', 2 * MB),
        '</relationshipClarification>',
        PERSON_END,
      ]).flat(),
    ),
    isFine: true,
  },
  'rows without end': { times: 4, content: form(() => repeated(`<relatedPersonInfo/>`, 0.9 * MB)), isFine: true },
  'small trees of many elements': { times: 4, content: form(() => repeated('<a/>', 0.35 * MB)), isFine: true },
  'headers of many lines': {
    times: 3,
    content: around('</SEC-HEADER>', () => many(49_000, (n) => `<SERIES-ID>S${n}\n`)),
    isFine: true,
  },
  'too long a header': { content: around('</SEC-HEADER>', () => repeated('SROS: NYSE\n', 6 * MB)) },
  'many documents': {
    times: 3,
    content: around('</SEC-DOCUMENT>', () => many(19_990, () => EMPTY_DOCUMENT)),
    isFine: true,
  },
  'too many documents': { content: around('</SEC-DOCUMENT>', () => many(30_000, () => EMPTY_DOCUMENT)) },
  'a second document of 100 MB': {
    content: around('</SEC-DOCUMENT>', () => [
      '<DOCUMENT>\n<TYPE>EX\n<TEXT>\n',
      ...repeated('</TEXT>x\n', 100 * MB),
      '</TEXT>\n</DOCUMENT>\n',
    ]),
    isFine: true,
  },
}

const submissions = Object.entries(hostile)
  .flatMap(([what, { times = 1, ...rest }]) => Array.from({ length: times }, () => ({ what, ...rest })))
  .map((one, n) => ({ ...one, accession: `0001968399-24-${String(n + 1).padStart(6, '0')}` }))

const INDEX = '/Archives/edgar/full-index/2024/QTR1/master.idx'
const LISTS = '/reports/CompilationReports'
const files: Record<string, () => Iterable<Bytes>> = {
  [INDEX]: () => [
    [
      'Description: x\nLast Data Received: March 31, 2024\n\nCIK|Company Name|Form Type|Date Filed|Filename\n',
      `${'-'.repeat(80)}\n`,
    ],
    submissions.map(({ accession }, n) => {
      const day = String(1 + (n % 28)).padStart(2, '0')
      return `1968399|Model Issuer|D|2024-02-${day}|edgar/data/1968399/${accession}.txt\n`
    }),
    repeated(`${'\0garbage'.repeat(20)}\n`, 20 * MB),
    repeated('garbage without end ', 10 * MB),
  ],
  ...Object.fromEntries(
    submissions.map(({ accession, content }) => [
      `/Archives/edgar/data/1968399/${accession}.txt`,
      () => content(model.replaceAll('0001968399-23-000002', accession)),
    ]),
  ),
}

const FEED = [
  '<?xml version="1.0" encoding="ISO-8859-1"?>\n<IAPDFirmSECReport GenOn="2026-01-01"><Firms>',
  '</Firms></IAPDFirmSECReport>',
] as const
const firm = (crd: number, more = '') =>
  `<Firm><Info SECRgnCD="NYRO" FirmCrdNb="${crd}" SECNb="801-${crd}" BusNm="F ${crd}" LegalNm="F ${crd}" UmbrRgstn="N"/>${more}</Firm>`
/** Hostile feeds of one day each, by file name. */
const feeds: Record<string, () => Bytes> = {
  'IA_FIRM_SEC_Feed_01_02_2024.xml.gz': () => [
    firm(1),
    '<Firm><Info/>',
    ...repeated('<a>text</a>', 60 * MB),
    '</Firm>',
  ],
  'IA_FIRM_SEC_Feed_01_03_2024.xml.gz': () => [firm(1), `<Firm a="`, ...repeated('text ', 60 * MB), '"></Firm>'],
  'IA_FIRM_SEC_Feed_01_04_2024.xml.gz': () => many(5_000, (n) => firm(n + 1, `<MainAddr Strt1="${'x'.repeat(900)}"/>`)),
}

/** Starts a host that generates its content while a client reads it. */
async function hosting(
  t: { after(fn: () => Promise<void>): void },
  feeds: Readonly<Record<string, () => Bytes>>,
  level: number = constants.Z_BEST_SPEED,
): Promise<string> {
  const list = { files: Object.keys(feeds).map((name, n) => ({ name, size: `${n}`, date: `${n}` })) }
  const all: Record<string, () => Iterable<Bytes>> = {
    ...files,
    [`${LISTS}/CompilationReports.manifest.json`]: () => [[JSON.stringify(list)]],
    ...Object.fromEntries(
      Object.entries(feeds).map(([name, content]) => [`${LISTS}/${name}`, () => [[FEED[0]], content(), [FEED[1]]]]),
    ),
  }
  const server = createServer((request, response) => {
    const content = all[request.url ?? '']
    if (!content) return void response.writeHead(404).end()
    const source = Readable.from(flat(content()))
    const packed = /\.gz$/.test(request.url!) ? [createGzip({ level })] : []
    pipeline([source, ...packed, response.writeHead(200)]).catch(() => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function* flat(parts: Iterable<Bytes>): Generator<string | Buffer> {
  for (const part of parts) yield* part
}

// This takes half a minute: half a gigabyte must go through one process to show that memory does not grow.
test('an ingest process stays under 512 MB of memory with any content, and reads all readable filings', async (t) => {
  const database = await freshDatabase(t)
  const { target } = await overTcp(t, database)
  const url = await hosting(t, feeds)
  const period = ['--from', '2024-01-01', '--to', '2024-03-31']
  const { status, stderr, peak } = await metered(t, ['ingest', 'all', ...period, '--base-url', url], target)
  assert.equal(status, 1, stderr)
  const tasks = await database.sql<{ accession: string; state: string; error: string | null }[]>`
    select accession, state, error from edgar.task order by accession`
  for (const { what, accession, isFine } of submissions) {
    const task = tasks.find((row) => row.accession === accession)!
    assert.equal(task.state, isFine ? 'done' : 'failed', `${what}: ${task.error}`)
  }
  const editions = await database.sql`select name, state, records, error from bulk.edition order by name`
  assert.deepEqual(
    editions.map(({ state, records }) => [state, records]),
    [
      ['failed', 0],
      ['failed', 0],
      ['done', 5_000],
    ],
    JSON.stringify(editions),
  )
  assert.ok(peak < MEMORY_MAX, `${Math.round(peak / MB)} MB`)
})

test('a firm of 200 MB fails with file name and reason, the other files are read, and the process stays under 320 MB', async (t) => {
  const database = await freshDatabase(t)
  const { target } = await overTcp(t, database)
  const few = () => many(3, (n) => firm(n + 1))
  const element = `<a>${'A text that one can read. '.repeat(40)}</a>`
  function* giant() {
    yield `${firm(1)}<Firm><Info/>`
    yield* repeated(element, 200 * MB)
    yield '</Firm>'
  }
  // The file is not packed, so that all 200 MB come over the connection and are archived.
  const url = await hosting(
    t,
    {
      'IA_FIRM_SEC_Feed_01_02_2024.xml.gz': few,
      'IA_FIRM_SEC_Feed_01_03_2024.xml.gz': giant,
      'IA_FIRM_SEC_Feed_01_04_2024.xml.gz': few,
    },
    constants.Z_NO_COMPRESSION,
  )
  const { status, stdout, stderr, peak } = await metered(t, ['ingest', 'adv', '--from', '2024-01-01'], target, {
    ADVISERINFO_BASE_URL: url,
  })
  assert.equal(status, 1, stderr)
  const editions = await database.sql`select name, state, records, error from bulk.edition order by name`
  assert.deepEqual(
    editions.map(({ state, records }) => [state, records]),
    [
      ['done', 3],
      ['failed', 0],
      ['done', 3],
    ],
    JSON.stringify(editions),
  )
  assert.match(editions[1]!.error, /IA_FIRM_SEC_Feed_01_03_2024\.xml\.gz: .*larger than 16777216 bytes/)
  assert.match(stdout + stderr, /larger than 16777216 bytes/)
  // The measured peak is 190 MB, and the same for a firm of twice the size. With the whole firm in memory, the peak
  // would be 390 MB.
  assert.ok(peak < 320 * MB, `${Math.round(peak / MB)} MB`)
})
