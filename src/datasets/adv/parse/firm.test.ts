import assert from 'node:assert/strict'
import { createReadStream, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { createGunzip } from 'node:zlib'
import { corpus } from '../../../../test/support/corpus.ts'
import { type Element, each, parse as parseXml } from '../../../read/xml.ts'
import { firmKey, firmRows, firmVersion } from './firm.ts'

const feed = readFileSync(new URL('../fixtures/IA_FIRM_SEC_Feed_07_23_2026.xml', import.meta.url), 'latin1')

function rowOf(firm: Element) {
  const [first] = firmRows(firm)
  return first?.[1] ?? assert.fail('no row')
}

type Replaced = readonly [part: string, by: string]

/** Reads the record of CRD 361 with parts replaced; fails if a part to replace does not exist. */
function record(...replaced: Replaced[]): Element {
  let text = feed.slice(feed.indexOf('<Firm>'), feed.indexOf('</Firm>') + '</Firm>'.length)
  for (const [part, by] of replaced) {
    assert.ok(text.includes(part), part)
    text = text.replace(part, by)
  }
  return parseXml(text)
}

function read(...replaced: Replaced[]) {
  const firm = record(...replaced)
  const row = rowOf(firm)
  return { row, unread: firm.unread(), problems: firm.problems().map(({ path: at, value }) => [at, value]) }
}

test('regulatory assets are whole dollars; a blank value is null, and zero is zero', () => {
  const all = 'Q5F2A="133354336653" Q5F2B="289892273" Q5F2C="133644228926"'
  const { row, problems } = read([all, 'Q5F2A="0" Q5F2B="" Q5F2C=" "'])
  assert.deepEqual([row.raum_discretionary, row.raum_non_discretionary, row.raum_total], ['0', null, null])
  assert.deepEqual(problems, [])
})

test('an invalid amount is null and reported', () => {
  const { row, problems } = read(['Q5F2C="133644228926"', 'Q5F2C="1.33644E+11"'])
  assert.equal(row.raum_total, null)
  assert.deepEqual(problems, [['/Firm/FormInfo/Part1A/Item5F/@Q5F2C', '1.33644E+11']])
  assert.equal(row.as_filed['5F']!.Q5F2C, '1.33644E+11', 'but kept as filed')
})

test('a count too large for its column is null and reported, and does not make the whole feed fail', () => {
  const { row, problems } = read(['Q5F2F="46269"', 'Q5F2F="99999999999"'])
  assert.equal(row.accounts_total, null)
  assert.deepEqual(problems, [['/Firm/FormInfo/Part1A/Item5F/@Q5F2F', '99999999999']])
})

test('the web site is the first address that is not at a social network, and all addresses are kept', () => {
  const { row } = read()
  assert.equal(row.web_addresses.length, 4)
  assert.match(row.web_addresses[0]!, /linkedin/)
  assert.equal(row.primary_website, 'https://privatewealth.goldmansachs.com/us/en/home')
})

test('a firm with social media alone has no web site', () => {
  const { row } = read(
    ['https://privatewealth.goldmansachs.com/us/en/home', 'https://twitter.com/a'],
    ['HTTP://WWW.GOLDMANSACHS.COM', 'info@firm.example'],
  )
  assert.equal(row.primary_website, null)
  assert.equal(row.web_addresses.length, 4)
})

test('every attribute of the items of Part 1A is kept as filed, including unknown attributes', () => {
  const { row, unread } = read(['Q7B="N"', 'Q7B="N" Q7BNEW="as filed"'])
  assert.deepEqual(row.as_filed['7B'], { Q7B: 'N', Q7BNEW: 'as filed' })
  assert.deepEqual(row.as_filed['5D']!.Q5DI2, 'Fewer than 5 clients')
  assert.deepEqual(row.as_filed['3C'], { StateCD: 'NY', CntryNm: 'United States' })
  assert.deepEqual(unread, [])
})

test('items are stored in the order of the form, so another order in a feed changes no record', () => {
  const [, item] = /(<Item5F [^>]*>)/.exec(feed) ?? assert.fail('no Item5F')
  const { row, unread } = read([item!, ''], ['</Part1A>', `${item}</Part1A>`])
  assert.equal(JSON.stringify(row), JSON.stringify(read().row))
  assert.deepEqual(unread, [])
})

test('a record that has an item twice is refused, and the error names the item', () => {
  const [, item] = /(<Item5F [^>]*>)/.exec(feed) ?? assert.fail('no Item5F')
  assert.throws(
    () => read(['</Part1A>', `${item}</Part1A>`]),
    /one Item5F is allowed under \/Firm\/FormInfo\/Part1A, there are 2/,
  )
})

test('reports new parts of a feed as unread, Part 1B of the state feed among them', () => {
  const { unread } = read(
    ['<Item7B', '<Item5M Q5M1="Y"/><Item7B'],
    ['</Part1A>', '</Part1A><Part1B><ItemD Q1="Y"/></Part1B>'],
    ['SECNb="801-16048"', 'SECNb="801-16048" NewNb="1"'],
  )
  assert.deepEqual(unread, [
    '/Firm/FormInfo/Part1A/Item5M/@Q5M1',
    '/Firm/FormInfo/Part1B/ItemD/@Q1',
    '/Firm/Info/@NewNb',
  ])
})

test('each type of client has its count, box and assets, and types without an answer are left out', () => {
  const { clients } = read().row
  assert.deepEqual(clients.hnw, { count: 29104, fewer_than_5: null, raum: '50962159253' })
  assert.deepEqual(clients.state_municipal, { count: 1, fewer_than_5: true, raum: '5787207' })
  assert.deepEqual(clients.individuals, { count: 0, fewer_than_5: null, raum: '0' })
  assert.equal('banks' in clients, false)
})

test('answers to Item 5.D on forms before October 2017 are read as percentages, not as counts', () => {
  const { row, problems } = read(['FormVrsn="10/2021"', 'FormVrsn="10/2012"'], ['Q5DB1="29104"', 'Q5DB1="Up to 10%"'])
  assert.deepEqual([row.clients, problems], [{}, []])
  assert.equal(row.as_filed['5D']!.Q5DB1, 'Up to 10%')
})

test('an exempt reporting adviser, who has no Item 5, has null for the figures of Item 5 and ERA as type', () => {
  const firm = parseXml(feed.slice(feed.lastIndexOf('<Firm>'), feed.lastIndexOf('</Firm>') + '</Firm>'.length))
  const row = rowOf(firm)
  assert.equal(row.registration_type, 'ERA')
  assert.deepEqual([row.raum_total, row.employees, row.accounts_total, row.comp_pct_aum], [null, null, null, null])
  assert.deepEqual(row.clients, {})
  assert.deepEqual([firm.unread(), firm.problems()], [[], []])
})

test('a FirmType other than Registered and ERA is null and reported', () => {
  const { row, problems } = read(['FirmType="Registered"', 'FirmType="Exempt"'])
  assert.equal(row.registration_type, null)
  assert.deepEqual(problems, [['/Firm/Rgstn', 'Exempt']])
})

test('any yes in Item 11 means disciplinary; without any answer the value is null', () => {
  const answered = '<Item11 Q11="Y"/><Item11A Q11A1="N" Q11A2="Y"/>'
  assert.equal(read([answered, '<Item11 Q11="N"/><Item11H Q11H1C="Y"/>']).row.has_disciplinary, true)
  assert.equal(read([answered, '<Item11 Q11="N"/>']).row.has_disciplinary, false)
  assert.equal(read([answered, '<Item11/>']).row.has_disciplinary, null)
})

test('notice filings are sorted by state, because the feed changes their order every day', () => {
  assert.deepEqual(
    read().row.notice_filings.map(({ state }) => state),
    ['AL', 'TX', 'WY'],
  )
})

test('a missing mailing address is null', () => {
  assert.equal(read().row.mailing, null)
  const { mailing } = read(['<MailingAddr/>', '<MailingAddr Strt1="PO BOX 1" City="RENO" State="NV"/>']).row
  assert.deepEqual([mailing?.street1, mailing?.city, mailing?.postal_code], ['PO BOX 1', 'RENO', null])
})

test('the key of a firm is its CRD number without leading zeros; a record without one is an error', () => {
  assert.equal(firmKey(record(['FirmCrdNb="361"', 'FirmCrdNb="000361"'])), '361')
  for (const wrong of ['FirmCrdNb=""', 'FirmCrdNb="801-16048"', 'FirmCrdNb="0"']) {
    assert.throws(() => firmKey(record(['FirmCrdNb="361"', wrong])), /FirmCrdNb is missing or not a valid CRD number/)
  }
})

test('if a feed has two records of a firm, the one with the newer filing has the greater version', () => {
  const version = (day: string) => firmVersion(record(['Dt="2026-03-31"', `Dt="${day}"`]))
  assert.ok(version('2026-03-31') > version('2025-12-31'))
  assert.ok(version('2026-03-31') > version(''))
})

const CORPUS_FEED = 'adviserinfo/feeds/IA_FIRM_SEC_Feed_07_23_2026.xml.gz'

test('all 6,031 firms of the corpus feed are read completely and without a problem', {
  skip: corpus.skip,
}, async () => {
  const bytes = createReadStream(path.join(corpus.folder, CORPUS_FEED)).pipe(createGunzip())
  const firms = new Map<string, { raum: string | null; version: string }>()
  const unread = new Set<string>()
  const problems: unknown[] = []
  let records = 0
  for await (const firm of each(bytes, 'Firm')) {
    records++
    const version = firmVersion(firm)
    for (const [, row] of firmRows(firm)) {
      const known = firms.get(row.crd)
      if (!known || known.version < version) firms.set(row.crd, { raum: row.raum_total, version })
    }
    for (const at of firm.unread()) unread.add(at)
    problems.push(...firm.problems())
  }
  assert.deepEqual([records, [...unread], problems], [6031, [], []])
  assert.equal(firms.size, 5971)
  // Copied from the feed by hand.
  assert.equal(firms.get('361')!.raum, '133644228926')
  assert.equal(firms.get('165684')!.raum, '7905209470')
  assert.equal(firms.get('322360')!.raum, '0')
})
