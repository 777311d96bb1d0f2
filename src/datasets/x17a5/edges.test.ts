/** X-17A-5: values at the limits of the cover's schema. Each is read exactly, or is null with a reason. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Change, rowsRead } from '../../../test/support/rows-read.ts'
import { parse } from './parse.ts'

const document = readFileSync(new URL('fixtures/9000000017-24-000002/primary_doc.xml', import.meta.url), 'utf8')

function read(...changes: Change[]) {
  const found = rowsRead(parse, document, changes)
  const problems = found.problems.map(({ path, value }) => [path.split('/').at(-1), value])
  return { ...found, problems, report: found.of('report')[0]! }
}

test('a period is read with dashes and slashes; 01-01-0001 is null and reported', () => {
  for (const day of ['12-31-2022', '12/31/2022', ' 12-31-2022 ']) {
    const { report, problems } = read(['<periodEnd>12-31-2022', `<periodEnd>${day}`])
    assert.deepEqual([report.period_end, problems], ['2022-12-31', []], day)
  }
  const { report, problems } = read(['<periodBegin>01-01-2022', '<periodBegin>01-01-0001'])
  assert.deepEqual([report.period_begin, problems], [null, [['periodBegin', '01-01-0001']]])
})

test('the word in a box is read in capitals and small letters, and any other word is null and reported', () => {
  for (const [word, is, reported] of [
    ['y', true, []],
    ['NO', false, []],
    ['1', true, []],
    ['none noted', null, [['materialWeakness', 'none noted']]],
  ] as const) {
    const { report, problems } = read(['<materialWeakness>N', `<materialWeakness>${word}`])
    assert.deepEqual([report.material_weakness, problems], [is, reported], word)
  }
})

test('the name of a broker is read whole if it contains a comment, an entity or CDATA', () => {
  const { report, unread } = read([
    '<brokerDealerName>OpenFilings Specimen Securities LLC',
    '<brokerDealerName>A<!-- & --> &amp; <![CDATA[B <Sons>]]> LLC',
  ])
  assert.deepEqual([report.broker_name, unread], ['A & B <Sons> LLC', []])
})

test('an empty broker is refused, and an empty accountant is null', () => {
  assert.throws(() => read(['<brokerDealerName>OpenFilings Specimen Securities LLC', '<brokerDealerName> ']))
  const { report, problems } = read([
    /<accountantIdentification>[\s\S]*<\/accountantIdentification>/,
    '<accountantIdentification/>',
  ])
  assert.deepEqual([report.auditor, report.auditor_state, problems], [null, null, []])
})

test('several types of registrant, filled with blanks, are kept in their order', () => {
  const { report } = read([
    '<typeOfBDRegistrant>Broker-dealer</typeOfBDRegistrant>',
    '<typeOfBDRegistrant> Broker-dealer\n</typeOfBDRegistrant><typeOfSDRegistrant> </typeOfSDRegistrant><typeOfSDRegistrant>X</typeOfSDRegistrant>',
  ])
  assert.deepEqual(report.registrant_types, ['Broker-dealer', 'X'])
})

test('a report without a filer, or whose filer has no CIK, has a null CIK', () => {
  for (const filer of ['', '<filer/>', '<filer><filerCredentials><filerCik>0</filerCik></filerCredentials></filer>']) {
    const { report, problems } = read([/<filer>[\s\S]*<\/filer>/, filer])
    assert.deepEqual([report.cik, report.file_numbers, problems], [null, [], []])
  }
})

test('an unknown element within a known part is unread and changes no other value', () => {
  const { report, unread } = read(['<periodBegin>', '<isFinal>Y</isFinal><periodBegin>'])
  assert.equal(report.period_begin, '2022-01-01')
  assert.deepEqual(unread, ['/edgarSubmission/formData/submissionInformation/isFinal'])
})
