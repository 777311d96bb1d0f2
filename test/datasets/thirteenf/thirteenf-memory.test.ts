/** The memory of an ingest process that reads an information table of 105 MB. A soak reads 150 MB. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type TestContext, test } from 'node:test'
import { freshDatabase } from '../../support/database.ts'
import { MB, metered } from '../../support/metered.ts'
import { often } from '../../support/soak.ts'
import { overTcp } from '../../support/tcp.ts'
import { checkout } from '../../support/world.ts'

// In ten runs of one day, 245 to 270 MB were measured. A process that keeps the bytes of the table takes 100 MB more.
const MEMORY_MAX = 300 * MB
const LINES = often('lines of an information table', { usual: 280_000, soak: 400_000 })
/** A line has some 405 characters. */
const SIZE_MIN = LINES * 400
const SECURITIES = 12_000
const FIXTURE = path.join(checkout, 'src/datasets/thirteenf/fixtures/9000000041-24-000001')
const ACCESSION = '9000000041-24-000077'
const FILE = `edgar/data/9000000041/${ACCESSION}.txt`

const line = (n: number) =>
  `<infoTable><nameOfIssuer>SPECIMEN ${n % SECURITIES} INC</nameOfIssuer><titleOfClass>COM</titleOfClass><cusip>${String(n % SECURITIES).padStart(9, '1')}</cusip><value>${n * 20}</value><shrsOrPrnAmt><sshPrnamt>${n}</sshPrnamt><sshPrnamtType>SH</sshPrnamtType></shrsOrPrnAmt><investmentDiscretion>SOLE</investmentDiscretion><otherManager>1,2</otherManager><votingAuthority><Sole>${n}</Sole><Shared>0</Shared><None>0</None></votingAuthority></infoTable>\n`

function* submission(): Generator<string> {
  yield `<SEC-DOCUMENT>${ACCESSION}.txt : 20240214\n<SEC-HEADER>${ACCESSION}.hdr.sgml : 20240214\nACCESSION NUMBER:\t\t${ACCESSION}\nCONFORMED SUBMISSION TYPE:\t13F-HR\nFILED AS OF DATE:\t\t20240214\n</SEC-HEADER>\n`
  yield `<DOCUMENT>\n<TYPE>13F-HR\n<SEQUENCE>1\n<FILENAME>primary_doc.xml\n<TEXT>\n<XML>\n${readFileSync(path.join(FIXTURE, 'primary_doc.xml'), 'utf8').trim()}\n</XML>\n</TEXT>\n</DOCUMENT>\n`
  yield '<DOCUMENT>\n<TYPE>INFORMATION TABLE\n<SEQUENCE>2\n<FILENAME>table.xml\n<TEXT>\n<XML>\n<informationTable xmlns="http://www.sec.gov/edgar/document/thirteenf/informationtable">\n'
  for (let n = 0; n < LINES; n += 1000) yield Array.from({ length: 1000 }, (_, at) => line(n + at + 1)).join('')
  yield '</informationTable>\n</XML>\n</TEXT>\n</DOCUMENT>\n</SEC-DOCUMENT>\n'
}

async function hosting(t: TestContext): Promise<string> {
  const index = [
    'Description: x\nLast Data Received: March 31, 2024\n\nCIK|Company Name|Form Type|Date Filed|Filename\n',
    `${'-'.repeat(80)}\n9000000041|SPECIMEN|13F-HR|2024-02-14|${FILE}\n`,
  ]
  const files: Record<string, () => Iterable<string>> = {
    '/Archives/edgar/full-index/2024/QTR1/master.idx': () => index,
    [`/Archives/${FILE}`]: submission,
  }
  const server = createServer((request, response) => {
    const content = files[request.url ?? '']
    if (!content) return void response.writeHead(404).end()
    pipeline(Readable.from(content()), response.writeHead(200)).catch(() => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

// Takes some 15 s: 280,000 lines pass through one process. The rollups for 12,000 securities take some seconds of it.
test('an information table of more than 100 MB is loaded completely by a process that stays under 300 MB', async (t) => {
  const size = [...submission()].reduce((sum, part) => sum + part.length, 0)
  assert.ok(size > SIZE_MIN, `${size}`)
  const database = await freshDatabase(t)
  const { target } = await overTcp(t, database)
  const url = await hosting(t)
  const period = ['--from', '2024-01-01', '--to', '2024-03-31']
  const start = performance.now()
  const { status, stderr, peak } = await metered(t, ['ingest', 'thirteenf', ...period, '--base-url', url], target)
  t.diagnostic(`${Math.round(performance.now() - start)} ms`)
  assert.equal(status, 0, stderr)
  const [row] = await database.sql`
    select r.position_count, r.value::text as value, (select count(*)::int from thirteenf.position) as lines,
      (select count(*)::int from thirteenf.security) as securities
    from thirteenf.report r where accession = ${ACCESSION}`
  const value = String(BigInt(LINES) * BigInt(LINES + 1) * 10n)
  assert.deepEqual({ ...row }, { position_count: LINES, value, lines: LINES, securities: SECURITIES })
  assert.ok(peak < MEMORY_MAX, `${Math.round(peak / MB)} MB`)
})
