/** The individual feed: values that are read, values that are left out, and placeholders. */
import assert from 'node:assert/strict'
import { createReadStream, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { editionOf } from '../../declare/series.ts'
import { type Element, each, parse as parseXml } from '../../read/xml.ts'
import reps from './index.ts'
import { key, rows } from './parse.ts'
import { person, registration } from './tables.ts'

const fixture = new URL('fixtures/IA_INDVL_Feed_07_23_2026/', import.meta.url)

interface Truth {
  key: string
  person: object
  registrations: object[]
}

async function recordsOf(file: URL): Promise<Element[]> {
  const found: Element[] = []
  for await (const record of each(createReadStream(file), 'Indvl')) found.push(record)
  return found
}

/** One person: attributes of Info, then the elements after it. */
function read(info: string, inner = '') {
  const record = parseXml(`<Indvl><Info ${info}/>${inner}</Indvl>`)
  const found = [...rows(record)]
  return {
    person: found.find(([table]) => table === 'person')![1],
    registrations: found.flatMap(([table, row]) => (table === 'registration' ? [row] : [])),
    unread: record.unread(),
    problems: record.problems().map(({ path, value, reason }) => [path, value, reason]),
  }
}

const previous = (attributes: string) => `<PrevRgstns><PrevRgstn orgNm="SPECIMEN" ${attributes}/></PrevRgstns>`
const current = (attributes: string) =>
  `<CrntEmps><CrntEmp orgNm="SPECIMEN" orgPK="7"><CrntRgstns><CrntRgstn ${attributes}/></CrntRgstns></CrntEmp></CrntEmps>`

test('every attribute of the fixture is read or left out by name, and the values equal those typed by hand', async () => {
  const truth = JSON.parse(readFileSync(new URL('truth.json', fixture), 'utf8')) as Truth[]
  const records = await recordsOf(new URL('IA_Indvl_Feeds1.xml', fixture))
  assert.deepEqual(
    records.map(key),
    truth.map((t) => t.key),
  )
  for (const [at, record] of records.entries()) {
    const { key: indvl_pk, person: name, registrations } = truth[at]!
    assert.deepEqual(
      [...rows(record)],
      [['person', { indvl_pk, ...name }], ...registrations.map((row) => ['registration', { indvl_pk, ...row }])],
    )
    assert.deepEqual([record.unread(), record.problems()], [[], []])
    for (const [table, row] of rows(record)) {
      if (table === 'person') person.parsed.strict().parse(row)
      else registration.parsed.strict().parse(row)
    }
  }
})

test('keeps only the name, the page and the registrations of a person', () => {
  const text = JSON.stringify([
    ...rows(
      parseXml(
        readFileSync(new URL('IA_Indvl_Feeds1.xml', fixture))
          .toString('latin1')
          .replace(/^[\s\S]*?<Indvls>\s*/, '')
          .replace(/<\/Indvl>[\s\S]*$/, '</Indvl>'),
      ),
    ),
  ])
  for (const left of ['STREET', 'ALBANY', 'BOSTON', '10001', 'OTHER', 'S65', 'Chartered', 'BAKERY', 'business']) {
    assert.ok(!text.includes(left), left)
  }
})

test('blank middle names and suffixes are null, and so are words that mean "none"', () => {
  const name = (info: string) => {
    const { first_nm, last_nm, mid_nm, suf_nm, link } = read(`indvlPK="1" ${info}`).person as Record<string, unknown>
    return [first_nm, last_nm, mid_nm, suf_nm, link]
  }
  assert.deepEqual(name('firstNm="SAMPLE" lastNm="P" midNm="" sufNm=" "'), ['SAMPLE', 'P', null, null, null])
  assert.deepEqual(name('firstNm="SAMPLE" lastNm="P" midNm="None" sufNm="N/A"'), ['SAMPLE', 'P', null, null, null])
  assert.deepEqual(name('lastNm="P"'), [null, 'P', null, null, null])
})

test('a record without a CRD number is refused', () => {
  for (const info of ['', 'indvlPK=""', 'indvlPK="12A"', 'indvlPK="-3"', 'indvlPK="12345678901"'])
    assert.throws(() => key(parseXml(`<Indvl><Info ${info}/></Indvl>`)), /indvlPK/, info)
  assert.throws(() => key(parseXml('<Indvl/>')), /indvlPK/)
})

test('a record with two sections of one name may mix two people, so it is refused: it has no key', () => {
  for (const section of ['OthrNms', 'CrntEmps', 'Exms', 'Dsgntns', 'PrevRgstns', 'EmpHss', 'OthrBuss', 'DRPs'])
    assert.throws(
      () => key(parseXml(`<Indvl><Info indvlPK="1"/><${section}/><Other/><${section}/></Indvl>`)),
      new RegExp(section),
    )
})

test('a CRD number is the same with and without leading zeros', () => {
  const found = read('indvlPK="0012"', previous('orgPK="0034"'))
  assert.deepEqual([found.person.indvl_pk, found.registrations[0]!.org_pk], ['12', '34'])
})

test('a terminated registration in the list of current employers is not current, and its date is stored as its last day', () => {
  const [found] = read('indvlPK="1"', current('regAuth="NJ" regCat="RA" st="TERMED" stDt="2022-12-31"')).registrations
  assert.deepEqual([found!.is_current, found!.begin_date, found!.end_date], [false, null, '2022-12-31'])
})

test('an unknown status counts as a registration in force and is reported', () => {
  const found = read('indvlPK="1"', current('st="NOVEL" stDt="2022-12-31"'))
  assert.deepEqual([found.registrations[0]!.is_current, found.registrations[0]!.status], [true, 'NOVEL'])
  assert.deepEqual(found.problems, [
    ['/Indvl/CrntEmps/CrntEmp/CrntRgstns/CrntRgstn', 'NOVEL', 'not a known status of a registration'],
  ])
})

test('an employer without registrations yields no registration', () => {
  assert.deepEqual(read('indvlPK="1"', '<CrntEmps><CrntEmp orgNm="A" orgPK="7"/></CrntEmps>').registrations, [])
})

test('invalid days, days before 1934 or after 2099, and days in the wrong order are null and reported', () => {
  const days = (attributes: string) => {
    const { registrations, problems } = read('indvlPK="1"', previous(`orgPK="7" ${attributes}`))
    return [registrations[0]!.begin_date, registrations[0]!.end_date, problems.map(([, value]) => value)]
  }
  assert.deepEqual(days('regBeginDt="2012-02-30" regEndDt="2013-01-01"'), [null, '2013-01-01', ['2012-02-30']])
  assert.deepEqual(days('regBeginDt="0201-02-03" regEndDt="9999-12-31"'), [null, null, ['0201-02-03', '9999-12-31']])
  assert.deepEqual(days('regBeginDt="2013-01-01" regEndDt="2012-01-01"'), [null, null, ['2013-01-01 to 2012-01-01']])
  assert.deepEqual(days('regBeginDt="2013-01-01" regEndDt="2013-01-01"'), ['2013-01-01', '2013-01-01', []])
  assert.deepEqual(days('regBeginDt=" "'), [null, null, []])
})

test('a registration whose firm has no number keeps the name of the firm and is reported', () => {
  const found = read('indvlPK="1"', previous('regBeginDt="2013-01-01"'))
  assert.deepEqual([found.registrations[0]!.org_pk, found.registrations[0]!.org_nm], [null, 'SPECIMEN'])
  assert.deepEqual(found.problems, [['/Indvl/PrevRgstns/PrevRgstn', '', 'orgPK is missing']])
})

test('reports elements that the documented feed does not have as unread', () => {
  const { unread } = read('indvlPK="1" birthYear="1970"', '<Phone nb="1"/>')
  assert.deepEqual(unread, ['/Indvl/Info/@birthYear', '/Indvl/Phone/@nb'])
})

test('the feed of a day is recognized by its file name, in both spellings that such names have', () => {
  const series = reps.source.series.IA_INDVL!
  for (const name of ['IA_INDVL_Feed_07_23_2026.xml.zip', 'IA_Indvl_Feeds_07_23_2026.xml.zip']) {
    assert.deepEqual(editionOf('IA_INDVL', series, name), {
      edition: { series: 'IA_INDVL', name, from: '2026-07-23', to: '2026-07-23' },
      part: 0,
    })
  }
  for (const name of ['IA_FIRM_SEC_Feed_07_23_2026.xml.gz', 'IA_INDVL_Feed_07_23_2026.xml.zip.part'])
    assert.equal(editionOf('IA_INDVL', series, name), null)
})
