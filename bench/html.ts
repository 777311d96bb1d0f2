/**
 * Compares the conversion of filings from HTML to Markdown with two well-known converters, by processor time and
 * memory.
 */
import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { apart } from './apart.ts'
import { annualReport } from './filing-html.ts'
import type { Pass } from './html-jobs.ts'
import { alternate, median } from './measure.ts'
import { Random } from './random.ts'
import type { Row } from './report.ts'
import { folder, type Scope } from './scope.ts'
import { part } from './share.ts'

/**
 * Megabytes of the two documents that turndown converts too. node-html-markdown gets a document of `SMALL` megabytes,
 * since it takes minutes for a larger one.
 */
const SIZES = [4, 12]
const SMALL = 1
const ROUNDS = 3

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  const at = await folder(scope)
  const found: Row[] = []
  for (const size of SIZES) found.push(...(await against(at, size, 'turndown', share)))
  return [...found, ...(await against(at, SMALL, 'nodeHtmlMarkdown', share))]
}

async function against(
  at: string,
  whole: number,
  peer: 'turndown' | 'nodeHtmlMarkdown',
  share: number,
): Promise<Row[]> {
  const bytes = part(whole * 1e6, share)
  const size = bytes / 1e6
  const file = path.join(at, `${peer}-${size}.htm`)
  await pipeline(Readable.from(annualReport(new Random(3), bytes)), createWriteStream(file))
  const passes = await alternate(part(ROUNDS, share), {
    ours: () => apart<Pass>('html-jobs.ts', 'ours', file, share),
    peer: () => apart<Pass>('html-jobs.ts', peer, file, share),
  })
  const speed = (of: typeof passes.ours) => size / median(of.map(({ value }) => value.seconds))
  const memory = (of: typeof passes.ours) => median(of.map(({ rssMaxMb }) => rssMaxMb))
  const what = `inline XBRL of ${size} MB`
  const name = peer === 'turndown' ? 'turndown' : 'node-html-markdown'
  return [
    row(what, speed(passes.ours), speed(passes.peer), 'MB/s', `of processor time; ${name}`),
    row(`${what}: memory`, memory(passes.ours), memory(passes.peer), 'MB', `maximum of the process; ${name}`),
  ]
}

const row = (what: string, ours: number, peer: number, unit: string, note: string): Row => ({
  section: 'html',
  what,
  ours,
  peer,
  unit,
  note,
})
