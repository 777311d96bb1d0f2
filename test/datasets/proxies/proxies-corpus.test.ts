/** Real proxy statements of five eras, compared with a person's reading. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { type Pay, payOf } from '../../../src/datasets/proxies/pay.ts'
import { statementOf } from '../../../src/datasets/proxies/statement.ts'
import { textOf } from '../../../src/read/encoding.ts'
import { markdownOfHtml } from '../../../src/read/html.ts'
import { markdownOfText } from '../../../src/read/plain.ts'
import { sniff } from '../../../src/read/sniff.ts'
import { corpus } from '../../support/corpus.ts'

interface Truth {
  /** `YYYY-MM-DD`; for documents without their header, a date near the date in the document. */
  filed: string
  meeting_date: string | null
  meeting_kind: string | null
  record_date: string | null
  /** Beginning of the title, and the board's recommendation; null if the statement gives no recommendation. */
  proposals: [title: string, recommendation: string | null][]
  left_out?: string[]
}

const truths = JSON.parse(readFileSync(new URL('proxies-truth.json', import.meta.url), 'utf8')) as Record<string, Truth>

function markdownOf(file: string): string {
  const whole = textOf(readFileSync(path.join(corpus.folder, file)))
  const text = file.startsWith('sec/') ? whole.slice(whole.indexOf('<TEXT>') + 6, whole.indexOf('</TEXT>')) : whole
  return (sniff(Buffer.from(text)) === 'html' ? markdownOfHtml(text) : markdownOfText(text)).text
}

let [stated, found] = [0, 0]

for (const [file, truth] of Object.entries(truths)) {
  test(`reads from ${path.basename(file)} the meeting and its proposals, and nothing that is not stated`, {
    skip: corpus.skip,
  }, () => {
    const markdown = markdownOf(file)
    const { facts, proposals, leftOut } = statementOf(markdown, { filedDate: truth.filed })
    const value = (name: string) => facts.find((fact) => fact.name === name)?.value ?? null
    const { meeting_date, meeting_kind, record_date } = truth
    assert.deepEqual(
      [value('meeting_date'), value('meeting_kind'), value('record_date')],
      [meeting_date, meeting_kind, record_date],
    )
    assert.deepEqual(leftOut, truth.left_out ?? [])
    assert.equal(proposals.length, truth.proposals.length)
    for (const [i, [title, recommendation]] of truth.proposals.entries()) {
      assert.ok(proposals[i]!.title.value.startsWith(title), proposals[i]!.title.value)
      const read = proposals[i]!.recommendation?.value ?? null
      if (read !== null) assert.equal(read, recommendation, title)
      stated += Number(recommendation !== null)
      found += Number(read !== null)
    }
    const places = [...facts, ...proposals.flatMap(({ title, recommendation }) => recommendation ?? title)]
    for (const { start, end } of places) {
      const sentence = markdown.slice(start, end)
      assert.ok(sentence.length > 3 && sentence.trim() === sentence, sentence)
    }
  })
}

test('nearly every recommendation that a person found is read', { skip: corpus.skip }, () => {
  assert.equal(Object.keys(truths).length, 24)
  assert.ok(stated >= 75, String(stated))
  assert.ok(found / stated >= 0.95, `${found} of ${stated}`)
})

/** Typed from the pay-versus-performance tables. */
const PAY: Record<string, [year: string, Partial<Pay>][]> = {
  'documents/DEF-14A/apple_def14a.html': [
    ['2024-09-28', { peo_name: 'Mr. Cook', peo_total: '74609802', peo_actually_paid: '168980568', others_average_total: '27178896', others_average_actually_paid: '58633525', shareholder_return: '207.59', peer_shareholder_return: '198.69', net_income: '93736000000', measure_name: 'Net Sales', measure: '391035000000', measure_unit: 'USD' }],
    ['2023-09-30', { peo_total: '63209845', peo_actually_paid: '106643588' }],
    ['2022-09-24', { peo_total: '99420097', shareholder_return: '135.59' }],
    ['2021-09-25', { peo_actually_paid: '311845801', net_income: '94680000000' }],
  ],
  'documents/DEF-14A/cabot.DEF14A.ixbrl.html': [
    ['2023-09-30', { peo_name: 'Sean D. Keohane', peo_total: '7791510', peo_actually_paid: '8106840', others_average_total: '2247211', shareholder_return: '206', net_income: '445000000', measure_name: 'Adjusted EBIT', measure: '553000000' }],
    ['2022-09-30', { peo_total: '7948029', peo_actually_paid: '17160056', peer_shareholder_return: '117' }],
    ['2021-09-30', { others_average_actually_paid: '3758111', measure: '492000000' }],
  ],
} // biome-ignore format: a table

test('pay versus performance of real statements equals their tables, year by year', { skip: corpus.skip }, () => {
  for (const [file, years] of Object.entries(PAY)) {
    const { rows, problems } = payOf(readFileSync(path.join(corpus.folder, file), 'utf8'))
    assert.deepEqual(problems, [])
    assert.deepEqual(
      rows.map(({ fiscal_year_end }) => fiscal_year_end),
      years.map(([year]) => year),
    )
    for (const [i, [, expected]] of years.entries()) {
      for (const [column, value] of Object.entries(expected))
        assert.equal(rows[i]![column as keyof Pay], value, `${file} ${column}`)
    }
  }
  assert.deepEqual(payOf(readFileSync(path.join(corpus.folder, 'documents/DEF-14A/troweprice.DEF14A.html'), 'utf8')), {
    rows: [],
    problems: [],
  })
})
