/**
 * Compares parsing a portfolio of 143 MB, as large as the largest real N-PORT, to rows of its tables with `xmllint
 * --stream`.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parse } from '../src/datasets/nport/filing.ts'
import { headerWith } from '../test/support/filing-made.ts'
import { portfolio } from '../test/support/nport/portfolio.ts'
import { apart } from './apart.ts'
import { alternate, median, seconds } from './measure.ts'
import { hasProgram, secondsOf } from './program.ts'
import type { Row } from './report.ts'
import { folder, type Scope } from './scope.ts'
import { part } from './share.ts'
import type { Pass } from './xml-jobs.ts'

const SIZE = 143e6
const ROUNDS = 3

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  const file = path.join(await folder(scope), 'portfolio.xml')
  await pipeline(Readable.from(portfolio(part(SIZE, share))), createWriteStream(file))
  const megabytes = (await stat(file)).size / 1e6
  const xmllint = await hasProgram('xmllint')
  const found = await alternate(part(ROUNDS, share), {
    rows: () => apart<Pass>('nport.ts', 'toRows', file),
    lint: xmllint ? () => lintOnce(file) : undefined,
  })
  const timeOf = (passes: Passes) => median(passes.map(({ value }) => value.seconds))
  const ours = timeOf(found.rows)
  const holdings = found.rows[0]!.value.count
  const lint = xmllint ? megabytes / timeOf(found.lint) : null
  const what = `portfolio of ${Math.round(megabytes)} MB to rows`
  const row = (value: number, peer: number | null, unit: string, note: string): Row => ({
    section: 'nport',
    what,
    ours: value,
    peer,
    unit,
    note,
  })
  return [
    row(
      megabytes / ours,
      lint,
      'MB/s',
      xmllint ? 'xmllint --stream --noout' : 'xmllint is not installed (libxml2-utils)',
    ),
    row(holdings / ours, null, 'rows/s', 'holdings, with the rows of details that only some holdings have'),
    row(median(found.rows.map(({ rssMaxMb }) => rssMaxMb)), null, 'MB', 'maximum memory of the process'),
  ]
}

type Passes = { value: Pass; rssMaxMb: number }[]

const lintOnce = async (file: string) => ({
  value: { seconds: await secondsOf('xmllint', ['--stream', '--noout', file]), count: 0 },
  rssMaxMb: 0,
})

/** One pass; returns the number of holdings as the count. */
export async function toRows(_: unknown, file: string): Promise<Pass> {
  let count = 0
  const header = headerWith({ form: 'NPORT-P' })
  const taken = await seconds(async () => {
    for await (const [table] of parse({ documents: { portfolio: createReadStream(file) }, header, tell() {} })) {
      if (table === 'holding') count++
    }
  })
  return { seconds: taken, count }
}
