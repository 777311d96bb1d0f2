/** Values at the limits of what the individual feed can state. Each is read exactly, or is null with a reason. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse as parseXml } from '../../read/xml.ts'
import { rows } from './parse.ts'

function read(inner: string, info = 'indvlPK="1" lastNm="P"') {
  const record = parseXml(`<Indvl><Info ${info}/>${inner}</Indvl>`)
  const found = [...rows(record)]
  return {
    person: found.flatMap(([table, row]) => (table === 'person' ? [row] : []))[0]!,
    registrations: found.flatMap(([table, row]) => (table === 'registration' ? [row] : [])),
    unread: record.unread(),
    problems: record.problems().map(({ path, value }) => [path.split('/').at(-1), value]),
  }
}

const current = (attributes: string) =>
  `<CrntEmps><CrntEmp orgNm="A" orgPK="7"><CrntRgstns><CrntRgstn ${attributes}/></CrntRgstns></CrntEmp></CrntEmps>`
const previous = (attributes: string) => `<PrevRgstns><PrevRgstn ${attributes}/></PrevRgstns>`

test('a status in small letters or with blanks is the same status', () => {
  for (const status of ['termed', ' TERMED ', 'Termed']) {
    const { registrations, problems } = read(current(`regAuth="NJ" regCat="RA" st="${status}" stDt="2022-12-31"`))
    const { is_current, end_date, status: stored } = registrations[0]!
    assert.deepEqual([is_current, end_date, stored, problems], [false, '2022-12-31', 'TERMED', []], status)
  }
})

test('a day with a time or a time zone is read without it, and 0001-01-01 is null and reported once', () => {
  const { registrations } = read(
    previous('orgPK="7" orgNm="A" regBeginDt="2012-02-01T00:00:00-05:00" regEndDt="2013-01-01Z"'),
  )
  assert.deepEqual([registrations[0]!.begin_date, registrations[0]!.end_date], ['2012-02-01', '2013-01-01'])
  const none = read(previous('orgPK="7" orgNm="A" regBeginDt="0001-01-01" regEndDt="2013-01-01"'))
  assert.deepEqual([none.registrations[0]!.begin_date, none.problems.length], [null, 1])
})

test('an empty former registration is not a row', () => {
  for (const empty of [
    '<PrevRgstns/>',
    '<PrevRgstns><PrevRgstn/></PrevRgstns>',
    '<PrevRgstns><PrevRgstn orgNm=" "/></PrevRgstns>',
  ]) {
    const { registrations, problems } = read(empty)
    assert.deepEqual([registrations, problems], [[], []], empty)
  }
})

test('an empty registration of a current employer is not a row', () => {
  const { registrations } = read(
    '<CrntEmps><CrntEmp orgNm="A" orgPK="7"><CrntRgstns><CrntRgstn/></CrntRgstns></CrntEmp></CrntEmps>',
  )
  assert.deepEqual(registrations, [])
})

test('a firm number that is not a number is null and reported, and zeros are reported as missing', () => {
  const wrong = read(previous('orgPK="801-7" orgNm="A" regEndDt="2013-01-01"'))
  assert.deepEqual([wrong.registrations[0]!.org_pk, wrong.problems], [null, [['@orgPK', '801-7']]])
  assert.equal(read(previous('orgPK="0" orgNm="A" regEndDt="2013-01-01"')).registrations[0]!.org_pk, null)
})

test('names keep their entities and letters of other languages', () => {
  const { person } = read(
    '',
    'indvlPK="1" firstNm="&#201;LISE" lastNm="O&apos;NEILL &amp; SØN" midNm="n/a" sufNm="III"',
  )
  assert.deepEqual(
    [person.first_nm, person.last_nm, person.mid_nm, person.suf_nm],
    ['ÉLISE', "O'NEILL & SØN", null, 'III'],
  )
})

test('an unknown attribute of a registration is unread', () => {
  const { unread } = read(current('regAuth="NJ" st="APPROVED" stDt="2022-12-31" limit="x"'))
  assert.deepEqual(unread, ['/Indvl/CrntEmps/CrntEmp/CrntRgstns/CrntRgstn/@limit'])
})
