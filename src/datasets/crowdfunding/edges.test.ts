/** Form C: values at the limits of its schema. Each is read exactly, or is null with a reason. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Change, rowsRead } from '../../../test/support/rows-read.ts'
import { parse } from './parse.ts'

const document = readFileSync(new URL('fixtures/9000000020-16-000001/primary_doc.xml', import.meta.url), 'utf8')

function read(...changes: Change[]) {
  const found = rowsRead(parse, document, changes)
  const problems = found.problems.map(({ path, value }) => [path.split('/').at(-1), value])
  return { ...found, problems, submission: found.of('submission')[0]! }
}

test('a second file number is reported, and the first one is kept', () => {
  const { submission, problems } = read([
    '</filer>',
    '<fileNumber>020-33631</fileNumber><fileNumber>020-33632</fileNumber></filer>',
  ])
  assert.equal(submission.file_number, '020-33631')
  assert.deepEqual(problems, [['fileNumber', '020-33632']])
  const same = read(['</filer>', '<fileNumber>020-33631</fileNumber><fileNumber>020-33631</fileNumber></filer>'])
  assert.deepEqual([same.submission.file_number, same.problems], ['020-33631', []])
})

const coIssuer = (inner: string): Change => [
  '<isCoIssuer>N</isCoIssuer>',
  `<isCoIssuer>Y</isCoIssuer><coIssuers><coIssuerInfo>${inner}</coIssuerInfo></coIssuers>`,
]

test('the answer to whether a co-issuer files with EDGAR is read in any case, and any other word is null and reported', () => {
  for (const [word, is, reported] of [
    ['EdgarFiler', true, []],
    ['EDGARFILER', true, []],
    ['nonEdgarFiler', false, []],
    ['perhaps', null, [['isEdgarFiler', 'perhaps']]],
  ] as const) {
    const { of, problems } = read(coIssuer(`<isEdgarFiler>${word}</isEdgarFiler><nameOfCoIssuer>A</nameOfCoIssuer>`))
    assert.deepEqual([of('co_issuer')[0]!.is_edgar_filer, problems], [is, reported], word)
  }
})

test('an empty co-issuer is not a row', () => {
  const { of } = read(coIssuer(''))
  assert.deepEqual(of('co_issuer'), [])
})

test('a deadline is read with dashes and slashes; 01-01-0001 is null and reported', () => {
  for (const day of ['10-31-2016', '10/31/2016']) {
    const { submission, problems } = read(['<deadlineDate>10-31-2016', `<deadlineDate>${day}`])
    assert.deepEqual([submission.deadline, problems], ['2016-10-31', []], day)
  }
  const { submission, problems } = read(['<deadlineDate>10-31-2016', '<deadlineDate>01-01-0001'])
  assert.deepEqual([submission.deadline, problems], [null, [['deadlineDate', '01-01-0001']]])
})

test('amounts with signs, exponents and separators are exact, and a text is null and reported', () => {
  for (const [filed, amount] of [
    ['$50,000.00', '50000'],
    ['-5E-2', '-0.05'],
    ['+50000', '50000'],
    ['.00', '0'],
  ] as const) {
    const { submission, problems } = read(['<offeringAmount>50000.00', `<offeringAmount>${filed}`])
    assert.deepEqual([submission.target_amount, problems], [amount, []], filed)
  }
  const { submission, problems } = read(['<offeringAmount>50000.00', '<offeringAmount>50.000,00'])
  assert.deepEqual([submission.target_amount, problems], [null, [['offeringAmount', '50.000,00']]])
})

test('an amendment without offering terms has null terms and keeps its figures', () => {
  const { submission, of, problems } = read([/<offeringInformation>[\s\S]*<\/offeringInformation>/, ''])
  assert.deepEqual([submission.target_amount, submission.deadline, submission.security_type], [null, null, null])
  assert.deepEqual([of('financial')[0]!.net_income, problems], ['-15500.75', []])
})

test('the portal’s CIK gets its leading zeros, and a CRD number of zeros or a file number "None" is null', () => {
  const { submission, problems } = read(
    ['<commissionCik>9000000021', '<commissionCik>21'],
    ['<crdNumber>000999999', '<crdNumber>000000000'],
    ['<commissionFileNumber>007-99999', '<commissionFileNumber>None'],
  )
  const { intermediary_cik, intermediary_crd, intermediary_file_number } = submission
  assert.deepEqual([intermediary_cik, intermediary_crd, intermediary_file_number], ['0000000021', null, null])
  assert.deepEqual(problems, [])
})

test('an unknown element within a known one is unread and changes no other value', () => {
  const { submission, unread } = read(['<price>', '<priceCap>9</priceCap><price>'])
  assert.deepEqual([submission.price, unread], ['2.5', ['/edgarSubmission/formData/offeringInformation/priceCap']])
})
