import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CsvHeader, CsvRow } from './csv.ts'
import {
  accession,
  address,
  bigint,
  calendarDay,
  cik,
  count,
  crd,
  day,
  decimal,
  fileNumberKey,
  isNone,
  named,
  namedDay,
  stated,
} from './values.ts'
import { parse } from './xml.ts'

const NONE = ['0', '000', '0000000000', 'None', 'NONE', 'n/a', 'N/A', 'NA', 'Not applicable']

test('a CIK is read as ten digits, and a CRD number without leading zeros', () => {
  assert.deepEqual(['1', '320193', '0000320193', '9999999999'].map(cik), [
    ...['0000000001', '0000320193', '0000320193', '9999999999'],
  ])
  assert.deepEqual(['1', '000361', '000300634', '1234567890'].map(crd), ['1', '361', '300634', '1234567890'])
})

test("zeros alone, and words with which filers mean 'none', give no number and cause no error", () => {
  for (const text of NONE) assert.deepEqual([isNone(text), cik(text), crd(text)], [true, undefined, undefined], text)
})

test('distinguishes an invalid CIK or CRD number from a missing one', () => {
  for (const text of ['12345678901', '801-16048', '-1', '1.0', '1,234', '１２３', '12 3', 'x', '']) {
    assert.deepEqual([cik(text), crd(text)], [null, null], text)
  }
})

test('elements and lines of a file read numbers alike: "none" gives null, an invalid text gives null and a problem', () => {
  const texts = { one: '000361', none: '0000000000', words: 'N/A', wrong: '801-1', blank: ' ' }
  const names = Object.keys(texts) as (keyof typeof texts)[]
  const root = parse(`<r>${names.map((name) => `<${name}>${texts[name]}</${name}>`).join('')}</r>`)
  const row = new CsvRow(new CsvHeader('f.csv', names), Object.values(texts), 3)
  for (const from of [root, row]) {
    assert.deepEqual(
      names.map((name) => from.cik(name)),
      ['0000000361', null, null, null, null],
    )
    assert.deepEqual(
      names.map((name) => from.crd(name)),
      ['361', null, null, null, null],
    )
  }
  const reasons = ['is not a valid CIK', 'is not a valid CRD number']
  assert.deepEqual(
    root.problems(),
    reasons.map((reason) => ({ path: '/r/wrong', value: '801-1', reason })),
  )
  assert.deepEqual(
    row.problems(),
    reasons.map((reason) => ({ path: 'f.csv:3/wrong', value: '801-1', reason })),
  )
  assert.deepEqual([root.cik('absent'), row.crd('absent')], [null, null])
})

test('a reader that a parser defines distinguishes "none" from unreadable values, as the other readers do', () => {
  const root = parse('<r a="x"><b>NONE</b><c>7</c></r>')
  const seven = (text: string) => (isNone(text) ? undefined : text === '7' ? 7 : null)
  assert.deepEqual([root.value('b', seven, 'no seven'), root.value('c', seven, 'no seven')], [null, 7])
  assert.deepEqual(root.problems(), [])
  assert.equal(root.value('@a', seven, 'no seven'), null)
  assert.deepEqual(root.problems(), [{ path: '/r/@a', value: 'x', reason: 'no seven' }])
})

test('an accession gets its dashes and leading zeros if they are missing', () => {
  for (const text of ['0001193125-24-000001', '000119312524000001', '1193125-24-1', '0001193125-24-1']) {
    assert.equal(accession(text), '0001193125-24-000001', text)
  }
  assert.equal(accession('1-1-1'), '0000000001-01-000001')
  for (const text of ['', '0001193125', '0001193125-2024-000001', '0001193125-24-0000012', '0001193125_24_000001']) {
    assert.equal(accession(text), null, text)
  }
})

test('a count that does not fit its column gives null, and a problem with its path', () => {
  assert.deepEqual(['2147483647', '-2147483647', '1,000', '5.0'].map(count), [2_147_483_647, -2_147_483_647, 1000, 5])
  assert.deepEqual(['2147483648', '99999999999', '1.5', 'x', ''].map(count), [null, null, null, null, null])
  assert.deepEqual(['99999999999', '007', '-0', '9007199254740992', 'x'].map(bigint), [
    '99999999999',
    '7',
    '0',
    null,
    null,
  ])
  const root = parse('<r><n>2147483648</n></r>')
  assert.deepEqual([root.count('n'), root.bigint('n')], [null, '2147483648'])
  assert.deepEqual(root.problems(), [{ path: '/r/n', value: '2147483648', reason: 'not an integer below 2147483648' }])
})

test('accepts only days that exist, however they are written', () => {
  assert.deepEqual([calendarDay('2024', '2', '29'), calendarDay('2023', '02', '29')], ['2024-02-29', null])
  assert.deepEqual([calendarDay('1900', '2', '29'), calendarDay('2000', '2', '29')], [null, '2000-02-29'])
  for (const [y, m, d] of [
    ['0000', '1', '1'],
    ['24', '1', '1'],
    ['2024', '13', '1'],
    ['2024', '0', '1'],
    ['2024', '1', '0'],
  ]) {
    assert.equal(calendarDay(y, m, d), null, `${y}-${m}-${d}`)
  }
  assert.equal(calendarDay(undefined, undefined, undefined), null)
  assert.deepEqual(
    [namedDay('2013', 'MAR', '31'), namedDay('1998', 'December', '31'), namedDay('2024', 'Sept', '5')],
    ['2013-03-31', '1998-12-31', '2024-09-05'],
  )
  assert.deepEqual([namedDay('2013', 'FEB', '30'), namedDay('2013', 'MZR', '1'), namedDay()], [null, null, null])
})

test('a person may be called Na; a firm, a street and a state may not', () => {
  assert.deepEqual(['None', 'N/A', 'n/a', 'Na', 'Nona'].map(named), [null, null, null, 'Na', 'Nona'])
  assert.deepEqual(['None', 'N/A', 'NA', 'not applicable', 'Nona'].map(stated), [null, null, null, null, 'Nona'])
  assert.deepEqual([named(null), stated(null)], [null, null])
})

test('an address has null for parts that are not stated, and for the code of an unknown state', () => {
  const filed: Record<string, string> = { street1: '1 Main St', street2: 'N/A', city: 'None', stateOrCountry: 'XX' }
  const read = (part: string) => filed[part] ?? null
  assert.deepEqual(address(read), { street1: '1 Main St', street2: null, city: null, state: null, zip: null })
  assert.equal(address((part) => (part === 'stateOrCountry' ? 'X1' : null)).state, 'X1')
})

/** Every text of up to `length` of these characters. */
function* texts(characters: string, length: number): Generator<string> {
  yield ''
  if (length === 0) return
  for (const begun of texts(characters, length - 1)) for (const next of characters) yield begun + next
}

test('the reader of numbers agrees with the regular expression that defines a number', () => {
  const expected = (text: string): string | null => {
    const found = /^([+-]?)\$? ?([+-]?)(\d{1,3}(?:,\d{3})+|\d*)(?:\.(\d*))?$/.exec(text)
    if (found === null || (found[1] && found[2]) || !/\d/.test(text)) return null
    const whole = found[3]!.replaceAll(',', '').replace(/^0+(?=\d)/, '') || '0'
    const cents = (found[4] ?? '').replace(/0+$/, '')
    const amount = cents === '' ? whole : `${whole}.${cents}`
    return found[1]! + found[2]! === '-' && /[1-9]/.test(amount) ? `-${amount}` : amount
  }
  let read = 0
  for (const text of texts('01.,-$ x', 6)) {
    const value = decimal(text)
    assert.equal(value, expected(text), JSON.stringify(text))
    if (value !== null) read++
  }
  assert.ok(read > 1_000, `${read} of them are numbers`)
  assert.deepEqual(['1000000.10', '5.', '9,999.00', '/', ':', '1/'].map(decimal), [
    ...['1000000.1', '5', '9999', null, null, null],
  ])
})

test('reads thousands apostrophes, minus signs and exponents as numbers, but not numbers that have lost digits', () => {
  const read: Readonly<Record<string, string | null>> = {
    "5'288'262.00": '5288262',
    '5\u2018288\u2018262': '5288262',
    '5`288`262.50': '5288262.5',
    '5\u202f288\u202f262': '5288262',
    '5\u00a0288': '5288',
    '5\u00a0288\u00a02': null,
    '0\u00a0288': null,
    '5’288’262': '5288262',
    "-1'000": '-1000',
    "5'28": null,
    "5'288,262": null,
    '−12.50': '-12.5',
    '–7': '-7',
    '－3': '-3',
    '−': null,
    '5.0065137e-05': '0.000050065137',
    '2.5E-4': '0.00025',
    '1.25e4': '12500',
    '1.25E4': '12500',
    '-1e3': '-1000',
    '1e+05': '100000',
    '1.33644E11': '133644000000',
    '133644.5E+1': '1336445',
    '0e0': '0',
    // 133644228926, first as a spreadsheet shows it, then as a program shortens it.
    '1.33644E+11': null,
    '1.336440e+11': null,
    '1E+05': null,
    '1e99': null,
    e5: null,
    '1e': null,
    '1,000e3': null,
  }
  const found = Object.fromEntries(Object.keys(read).map((text) => [text, decimal(text)]))
  assert.deepEqual(found, read)
})

test('the reader of days agrees with the regular expressions that define the notations of days', () => {
  const written = {
    iso: /^(?<y>\d{4})-(?<m>\d\d)-(?<d>\d\d)(?:T[\d:.]+)?(?:Z|[+-]\d\d:\d\d)?$/,
    mdy: /^(?<m>\d{1,2})(?<mark>[-/])(?<d>\d{1,2})\k<mark>(?<y>\d{4})$/,
  }
  const parts = ['0', '1', '00', '02', '04', '12', '13', '28', '29', '30', '31', '32', '1x', '0000', '1900', '2024']
  let read = 0
  for (const first of parts) {
    for (const second of parts) {
      for (const third of parts) {
        for (const [one, other] of ['--', '//', '-/', '..', '/-']) {
          const text = first + one + second + other + third
          for (const format of ['iso', 'mdy'] as const) {
            const groups = written[format].exec(text)?.groups
            const value = day(text, format)
            assert.equal(value, groups === undefined ? null : calendarDay(groups.y, groups.m, groups.d), text)
            if (value !== null) read++
          }
        }
      }
    }
  }
  assert.ok(read > 100, `${read} of them are days`)
  assert.deepEqual([day('2024-02-29T00:00:00Z', 'iso'), day('2024-02-30Z', 'iso')], ['2024-02-29', null])
})

test('file numbers are compared without blanks and leading zeros; an invalid one has no key', () => {
  for (const text of ['801-16048', ' 801- 016048 ', '0801-16048']) assert.equal(fileNumberKey(text), '801-16048', text)
  assert.equal(fileNumberKey('84-5467'), '084-5467')
  for (const text of [
    null,
    '',
    'N/A',
    '801',
    '801-',
    '801-000',
    '1-2',
    '801-16048-2',
    `801-${'1'.repeat(20)}`,
    'see note',
  ])
    assert.equal(fileNumberKey(text), null, text ?? '')
})

test('a day before the year 1000 is not a day: programs write 0001-01-01 into an empty field', () => {
  assert.deepEqual(
    [day('0001-01-01', 'iso'), day('0999-12-31Z', 'iso'), day('01/01/0001', 'mdy'), day('1/1/0024', 'mdy')],
    [null, null, null, null],
  )
  assert.deepEqual([day('1000-01-01', 'iso'), day('01-01-1784', 'mdy')], ['1000-01-01', '1784-01-01'])
})
