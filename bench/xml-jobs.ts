/** Jobs that bench/xml.ts times, each in a separate process: one pass to warm up, then one pass that counts. */
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'
import { SaxesParser } from 'saxes'
import { parse as rowsOf } from '../src/datasets/formd/parse.ts'
import { type Element, each, parse } from '../src/read/xml.ts'
import { filingOf } from '../test/support/filing-made.ts'
import { seconds } from './measure.ts'

export interface Pass {
  seconds: number
  /** Number of records, or rows, in the output. */
  count: number
}

async function second(pass: () => Promise<number>): Promise<Pass> {
  await pass()
  let count = 0
  const taken = await seconds(async () => {
    count = await pass()
  })
  return { seconds: taken, count }
}

/** Reads the records of an information table as they arrive. */
export const tableByRecord = (_: unknown, file: string) =>
  second(async () => {
    let count = 0
    for await (const record of each(createReadStream(file), 'infoTable')) count += holding(record).cusip ? 1 : 0
    return count
  })

/** Reads the whole table at once. */
export const tableWhole = (_: unknown, file: string) =>
  second(async () => {
    let count = 0
    for (const record of parse(await readFile(file)).all('infoTable')) count += holding(record).cusip ? 1 : 0
    return count
  })

/** Runs saxes alone, which reports every tag and text and keeps nothing. */
export const tableBySaxes = (_: unknown, file: string) =>
  second(async () => {
    const { parser, count } = bareParser('ns1:infoTable')
    const decoder = new StringDecoder('utf8')
    for await (const chunk of createReadStream(file)) parser.write(decoder.write(chunk))
    parser.close()
    return count()
  })

/** Parses Form D documents to the rows of their tables. */
export async function noticesToRows(_: unknown, files: readonly string[]): Promise<Pass> {
  const documents = await Promise.all(files.map((file) => readFile(file)))
  return second(async () => {
    let count = 0
    for (const document of documents) for (const _row of rowsOf(filingOf(parse(document)))) count++
    return count
  })
}

export async function noticesBySaxes(_: unknown, files: readonly string[]): Promise<Pass> {
  const documents = await Promise.all(files.map((file) => readFile(file)))
  return second(async () => {
    let records = 0
    for (const document of documents) {
      const { parser, count } = bareParser('edgarSubmission')
      parser.write(document.toString()).close()
      records += count()
    }
    return records
  })
}

export function bareParser(record: string) {
  const parser = new SaxesParser({ position: false })
  let records = 0
  let length = 0
  parser.on('opentag', () => {})
  parser.on('text', (text) => {
    length += text.length
  })
  parser.on('closetag', ({ name }) => {
    if (name === record) records++
  })
  parser.on('error', (error) => {
    throw error
  })
  return { parser, count: () => (length > 0 ? records : 0) }
}

/** A record's typed values, as a dataset's parser would take them. */
function holding(record: Element) {
  return {
    issuer: record.text('nameOfIssuer'),
    title: record.text('titleOfClass'),
    cusip: record.text('cusip'),
    value: record.money('value'),
    amount: record.money('shrsOrPrnAmt/sshPrnamt'),
    kind: record.text('shrsOrPrnAmt/sshPrnamtType'),
    discretion: record.text('investmentDiscretion'),
    manager: record.text('otherManager'),
    sole: record.integer('votingAuthority/Sole'),
    shared: record.integer('votingAuthority/Shared'),
    none: record.integer('votingAuthority/None'),
  }
}
