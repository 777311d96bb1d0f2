/** Compares splitting submissions and decoding their documents with reading the same bytes and doing nothing else. */
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { apart } from './apart.ts'
import { alternate, median } from './measure.ts'
import type { Row } from './report.ts'
import { folder, type Scope } from './scope.ts'
import { part } from './share.ts'
import { largeSubmission, smallSubmission } from './submissions.ts'

const SMALL = 1000
const ROUNDS = 5

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  const at = await folder(scope)
  const small: string[] = []
  const count = part(SMALL, share)
  for (let i = 1; i <= count; i++) small.push(await written(path.join(at, `${i}.txt`), smallSubmission(i)))
  const large = await written(path.join(at, 'large.txt'), largeSubmission(1, share))
  return [
    ...(await measured(`${count} submissions of ${Math.round((await bytesOf(small)) / count / 1e3)} KB`, small, share)),
    ...(await measured(`one submission of ${Math.round((await bytesOf([large])) / 1e6)} MB`, [large], share)),
  ]
}

async function measured(what: string, files: string[], share: number): Promise<Row[]> {
  const job = (name: string) => () => apart<number>('sgml-jobs.ts', name, files)
  const found = await alternate(part(ROUNDS, share), {
    split: job('split'),
    raw: job('raw'),
    decode: job('decode'),
    rawDocuments: job('rawDocuments'),
  })
  const megabytes = (await bytesOf(files)) / 1e6
  const speed = (name: keyof typeof found) => megabytes / median(found[name].map(({ value }) => value))
  const memory = (name: keyof typeof found) => median(found[name].map(({ rssMaxMb }) => rssMaxMb))
  const row = (part: string, ours: number, peer: number, unit: string, note: string): Row => ({
    section: 'sgml',
    what: `${what}, ${part}`,
    ours,
    peer,
    unit,
    note,
  })
  return [
    row('readSubmission', speed('split'), speed('raw'), 'MB/s', 'reading the file'),
    row('decodeDocument of each', speed('decode'), speed('rawDocuments'), 'MB/s', 'reading the same parts of the file'),
    row('memory of readSubmission', memory('split'), memory('raw'), 'MB', 'maximum of the process; reading the file'),
    row('memory of decodeDocument', memory('decode'), memory('rawDocuments'), 'MB', 'maximum of the process; reading'),
  ]
}

async function written(file: string, content: Iterable<Buffer>): Promise<string> {
  await pipeline(Readable.from(content), createWriteStream(file))
  return file
}

async function bytesOf(files: readonly string[]): Promise<number> {
  let bytes = 0
  for (const file of files) bytes += (await stat(file)).size
  return bytes
}
