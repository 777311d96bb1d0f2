/** Real texts of Schedules 13D and 13G, of 1994 to 2024, against what a person read in them. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { readText, type TextFiling, textRows } from '../src/datasets/schedule13/parse-text.ts'
import { markdownOfHtml } from '../src/read/html.ts'
import { markdownOfText } from '../src/read/plain.ts'
import { HeaderReader } from '../src/read/sgml/header.ts'
import { sniff } from '../src/read/sniff.ts'
import { corpus } from './corpus.ts'

type Row = Record<string, unknown>

interface Truth {
  file: string
  form: string
  /** What the cover states, and where it does not name the issuer what EDGAR's header says; all else is null or empty. */
  report: Row & { securities?: [string, string | null][] }
  persons: Row[]
  left_out: string[]
}

const truths = JSON.parse(readFileSync(new URL('schedule13-text-truth.json', import.meta.url), 'utf8')) as Truth[]

function filingOf(file: string, form: string): TextFiling {
  const whole = readFileSync(path.join(corpus.folder, file), 'latin1')
  const begin = whole.indexOf('<TEXT>')
  const text = whole.slice(begin + 6, whole.indexOf('</TEXT>'))
  const reader = new HeaderReader()
  for (const line of whole.slice(0, begin).split('\n')) reader.line(line)
  const header = reader.finish()
  const { text: markdown } = sniff(Buffer.from(text, 'latin1')) === 'html' ? markdownOfHtml(text) : markdownOfText(text)
  return { form, filedDate: header.filedDate!, filers: header.filers, markdown, sequence: 1 }
}

function rowsOf(file: string, form: string) {
  const filing = filingOf(file, form)
  const read = readText(filing)
  const rows = [...textRows(filing, read)] as unknown as [string, Row][]
  const of = (table: string) => rows.flatMap(([name, row]) => (name === table ? [row] : []))
  return { filing, read, report: of('report')[0]!, of }
}

const COVER = ['issuer_name', 'title_of_class', 'cusip', 'event_date', 'amendment_number', 'rules']
const PERSON = [
  ...['name', 'member_of_group', 'source_of_funds', 'legal_proceedings', 'citizenship', 'sole_voting', 'shared_voting'],
  ...['sole_dispositive', 'shared_dispositive', 'shares', 'excludes_shares', 'percent', 'types'],
]
/** The columns with what a row has, lists that are empty left out. */
const stated = (row: Row, columns: readonly string[]) =>
  Object.fromEntries(
    columns.flatMap((column) => {
      const value = row[column]
      return value === null || value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [[column, value]]
    }),
  )

for (const { file, form, report: cover, persons, left_out } of truths) {
  test(`of ${path.basename(file)} (${form}) all that its covers state is read, and nothing else`, {
    skip: corpus.skip,
  }, () => {
    const { report, of } = rowsOf(file, form)
    const { securities = cover.cusip ? [[cover.cusip, null]] : [], ...own } = cover
    assert.deepEqual(stated(report, COVER), own)
    assert.deepEqual(of('security').map(({ cusip, cusip_flag }) => [cusip, cusip_flag]), securities)
    assert.deepEqual(of('person').map((row) => stated(row, PERSON)), persons.map((row) => stated(row, PERSON)))
    assert.deepEqual(report.left_out, left_out)
  })
}
