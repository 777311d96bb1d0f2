/** Malformed XML of Schedules 13D and 13G: repairs, refusals, and the time that each takes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLeniently } from '../../../src/datasets/schedule13/filing-xml.ts'
import { parse } from '../../../src/datasets/schedule13/parse.ts'
import { assertQuick } from '../../support/effort.ts'

const document = (comment: string, name = 'Specimen Inc.') => `<?xml version="1.0"?>
<edgarSubmission xmlns="http://www.sec.gov/edgar/schedule13D"><headerData><submissionType>SCHEDULE 13D</submissionType>
</headerData><formData><coverPageHeader><issuerInfo><issuerCIK>0000000009</issuerCIK><issuerName>${name}</issuerName>
</issuerInfo></coverPageHeader><items1To7><item1><commentText>${comment}</commentText></item1></items1To7></formData>
</edgarSubmission>`

function read(text: string) {
  const { doc, repairs } = readLeniently(Buffer.from(text))
  const rows: (readonly [string, Record<string, unknown>])[] = [...parse(doc, repairs)]
  const [report] = rows.flatMap(([table, row]) => (table === 'report' ? [row] : []))
  return { report: report!, answers: rows.flatMap(([table, row]) => (table === 'item' ? [row.answer] : [])) }
}

/** Returns line and column, from 1, of a text that occurs once in a document. */
function placeOf(text: string, what: string): string {
  const line = text.split('\n').findIndex((each) => each.includes(what))
  return `line ${line + 1}, column ${text.split('\n')[line]!.indexOf(what) + 1}`
}

test('a well-formed document is not reported as malformed', () => {
  const { report } = read(document('A &amp; B &#38; <![CDATA[C & D < E]]>'))
  assert.deepEqual([report.is_malformed, report.repairs], [false, []])
})

test('an ampersand or a less-than sign that begins no markup is read literally and reported with its position', () => {
  const text = document('less than < 5% &amp; more', 'Johnson & Johnson')
  const { report, answers } = read(text)
  assert.deepEqual([report.issuer_name, answers], ['Johnson & Johnson', ['less than < 5% & more']])
  assert.equal(report.is_malformed, true)
  assert.deepEqual(report.repairs, [
    `${placeOf(text, '& Johnson')}: unescaped &`,
    `${placeOf(text, '< 5%')}: unescaped <`,
  ])
})

test('text in comments, CDATA and processing instructions is not a fault and stays as it is', () => {
  const text = document('<!-- a & b --><![CDATA[c & d < e]]> f & g')
  const { report, answers } = read(text)
  assert.deepEqual(answers, ['c & d < e f & g'])
  assert.deepEqual(report.repairs, [`${placeOf(text, '& g')}: unescaped &`])
})

test('refuses other faults with the position that the strict reader names', () => {
  assert.throws(
    () => read(document('A & B').replace('</issuerInfo>', '')),
    /line 4, column 18.*unexpected close tag.*issuerInfo/,
  )
  assert.throws(() => read(document('fine').replace('</issuerInfo>', '')), /issuerInfo/)
  assert.throws(() => read('no XML at all'), /XmlError|root|element|character/i)
})

test('a document that consists of faults, never ends or is nested without bounds is refused in linear time', async () => {
  const MB = 1024 * 1024
  const hostile = [
    '&'.repeat(10 * MB),
    '<a>'.repeat(3 * MB),
    '<!--'.repeat(2 * MB),
    '<![CDATA['.repeat(MB),
    '</a '.repeat(2 * MB),
    `</a${' '.repeat(10 * MB)}`,
    `<a>${'\n'.repeat(10 * MB)}&`,
    document('&'.repeat(1_001)),
  ]
  for (const text of hostile) {
    await assertQuick(text, () => assert.throws(() => read(text)))
  }
})
