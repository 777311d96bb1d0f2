import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsRead } from '../../../test/support/rows-read.ts'
import { parse } from './parse.ts'

const HEADER = { form: '25-NSE', cik: '0000000111' }

const notice = (rule: string, state = '') => `<notificationOfRemoval>
  <exchange><cik>0000000222</cik></exchange>
  <issuer><cik>111</cik><entityName>Alpha Inc</entityName><address>${state}</address></issuer>
  <ruleProvision>${rule}</ruleProvision>
</notificationOfRemoval>`

function read(text: string, header = HEADER) {
  const { rows, unread, problems } = rowsRead(parse, text, [], header)
  const [[, row] = assert.fail('no row')] = rows
  return { row, unread, problems }
}

test('each paragraph of the rule is read', () => {
  for (const rule of ['(a)(1)', '(a)(2)', '(a)(3)', '(a)(4)', '(b)', '(c)']) {
    const { row, problems } = read(notice(`17 CFR 240.12d2-2${rule}`))
    assert.deepEqual([row.rule, problems], [rule, []])
  }
})

test('a paragraph that the rule does not have is null with a problem', () => {
  for (const rule of ['17 CFR 240.12d2-2(a)(5)', '17 CFR 240.12d2-2', 'Section 802.01D']) {
    const { row, problems } = read(notice(rule))
    assert.equal(row.rule, null)
    assert.deepEqual(
      problems.map(({ value, reason }) => [value, reason]),
      [[rule, 'is not a paragraph of Rule 12d2-2']],
    )
  }
})

test('the form of the header decides whether a notice amends another, and parts that a notice lacks are null', () => {
  const { row, unread, problems } = read(notice('17 CFR 240.12d2-2(b)'), { ...HEADER, form: '25-NSE/A' })
  assert.deepEqual([row.submission_type, row.is_amendment], ['25-NSE/A', true])
  assert.deepEqual([row.exchange_name, row.issuer_zip, row.security_class, row.signed], [null, null, null, null])
  assert.deepEqual([unread, problems], [[], []])
})

test('the state is stored as its code, an unknown code as null, and its name is kept', () => {
  const codes = (code: string) => `<stateOrCountryCode>${code}</stateOrCountryCode><stateOrCountry>X1</stateOrCountry>`
  assert.deepEqual(
    ['TX', 'XX'].map((code) => read(notice('17 CFR 240.12d2-2(b)', codes(code))).row.issuer_state),
    ['TX', null],
  )
  assert.equal(read(notice('17 CFR 240.12d2-2(b)', codes('TX'))).row.issuer_state_name, 'X1')
})

test('a document in the format in which exchanges submit to EDGAR, or on another form, is refused, and the error names its root', () => {
  assert.throws(() => read('<edgarSubmission/>'), /not a Form 25-NSE: <edgarSubmission>/)
})
