/**
 * Compares our strict XML reader with `xmllint --stream`, which checks and builds nothing, and with saxes, the tests'
 * reference.
 */
import { createWriteStream } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { apart } from './apart.ts'
import { formD, informationTable } from './documents.ts'
import { alternate, median } from './measure.ts'
import { hasProgram, secondsOf } from './program.ts'
import { Random } from './random.ts'
import type { Row } from './report.ts'
import { folder, type Scope } from './scope.ts'
import { part } from './share.ts'
import type { Pass } from './xml-jobs.ts'

const TABLE_ROWS = 55_000
const NOTICES = 2000
const ROUNDS = 5

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  const at = await folder(scope)
  const xmllint = await hasProgram('xmllint')
  return [...(await table(at, xmllint, share)), ...(await notices(at, xmllint, share))]
}

async function table(at: string, xmllint: boolean, share: number): Promise<Row[]> {
  const lines = part(TABLE_ROWS, share)
  const file = path.join(at, 'infotable.xml')
  await pipeline(Readable.from(informationTable(lines, 1)), createWriteStream(file))
  const megabytes = (await stat(file)).size / 1e6
  const found = await alternate(part(ROUNDS, share), {
    each: () => apart<Pass>('xml-jobs.ts', 'tableByRecord', file),
    parse: () => apart<Pass>('xml-jobs.ts', 'tableWhole', file),
    saxes: () => apart<Pass>('xml-jobs.ts', 'tableBySaxes', file),
    lint: xmllint ? () => lint([file]) : undefined,
  })
  for (const { value } of [...found.each, ...found.parse, ...found.saxes]) {
    if (value.count !== lines) throw new Error(`${value.count} of ${lines} records were read`)
  }
  const speed = (passes: Passes) => megabytes / timeOf(passes)
  const records = (passes: Passes) => lines / timeOf(passes)
  const memory = (passes: Passes) => median(passes.map(({ rssMaxMb }) => rssMaxMb))
  const what = `13F table of ${Math.round(megabytes)} MB`
  return [
    ...against(`${what}, each`, speed(found.each), xmllint ? speed(found.lint) : null, speed(found.saxes)),
    ...against(`${what}, parse`, speed(found.parse), xmllint ? speed(found.lint) : null, speed(found.saxes)),
    row(`${what}, each`, records(found.each), records(found.saxes), 'rows/s', 'saxes alone, counting records'),
    row(`${what}, each: memory`, memory(found.each), memory(found.saxes), 'MB', 'maximum of the process; saxes alone'),
    row(`${what}, parse: memory`, memory(found.parse), memory(found.each), 'MB', 'maximum of the process; each'),
  ]
}

async function notices(at: string, xmllint: boolean, share: number): Promise<Row[]> {
  const count = part(NOTICES, share)
  const random = new Random(2)
  const files: string[] = []
  let bytes = 0
  for (let i = 0; i < count; i++) {
    const text = formD(random, { cik: String(9_000_000_000 + i), name: `Generated Fund ${i}, L.P.` })
    const file = path.join(at, `${i}.xml`)
    await writeFile(file, text)
    bytes += text.length
    files.push(file)
  }
  const found = await alternate(part(ROUNDS, share), {
    rows: () => apart<Pass>('xml-jobs.ts', 'noticesToRows', files),
    saxes: () => apart<Pass>('xml-jobs.ts', 'noticesBySaxes', files),
    lint: xmllint ? () => lint(files) : undefined,
  })
  const speed = (passes: Passes) => bytes / 1e6 / timeOf(passes)
  const what = `${count} Form D documents`
  return [
    ...against(`${what} to rows`, speed(found.rows), xmllint ? speed(found.lint) : null, speed(found.saxes)),
    row(
      `${what} to rows`,
      found.rows[0]!.value.count / timeOf(found.rows),
      null,
      'rows/s',
      `${Math.round(count / timeOf(found.rows)).toLocaleString('en-US')} documents/s`,
    ),
  ]
}

type Passes = readonly { value: Pass; rssMaxMb: number }[]

const timeOf = (passes: Passes) => median(passes.map(({ value }) => value.seconds))

const row = (what: string, ours: number, peer: number | null, unit: string, note: string): Row => ({
  section: 'xml',
  what,
  ours,
  peer,
  unit,
  note,
})

function against(what: string, ours: number, lint: number | null, saxes: number): Row[] {
  return [
    row(what, ours, lint, 'MB/s', lint ? 'xmllint --stream --noout' : 'xmllint is not installed (libxml2-utils)'),
    row(what, ours, saxes, 'MB/s', 'saxes alone, its namespace check off, building nothing'),
  ]
}

async function lint(files: readonly string[]): Promise<{ value: Pass; rssMaxMb: number }> {
  return { value: { seconds: await secondsOf('xmllint', ['--stream', '--noout', ...files]), count: 0 }, rssMaxMb: 0 }
}
