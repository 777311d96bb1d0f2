/** Values at the limits of what the daily feeds of firms can state. Each is read exactly, or is null with a reason. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse as parseXml } from '../../../read/xml.ts'
import { firmRows } from './firm.ts'

const feed = readFileSync(new URL('../fixtures/IA_FIRM_SEC_Feed_07_23_2026.xml', import.meta.url), 'latin1')
const FIRM = feed.slice(feed.indexOf('<Firm>'), feed.indexOf('</Firm>') + '</Firm>'.length)

function read(...changes: readonly (readonly [string, string])[]) {
  const firm = parseXml(
    changes.reduce((text, [part, by]) => {
      assert.ok(text.includes(part), part)
      return text.replace(part, by)
    }, FIRM),
  )
  const [[, row] = assert.fail('no row')] = [...firmRows(firm)]
  return {
    row,
    unread: firm.unread(),
    problems: firm.problems().map(({ path, value }) => [path.split('/').at(-1), value]),
  }
}

test('the type of a firm is recognized in capitals and small letters', () => {
  for (const [filed, type] of [
    ['REGISTERED', 'Registered'],
    [' registered ', 'Registered'],
    ['era', 'ERA'],
  ] as const) {
    const { row, problems } = read(['FirmType="Registered"', `FirmType="${filed}"`])
    assert.deepEqual([row.registration_type, problems], [type, []], filed)
  }
})

test('the date of a form’s version is read in every notation, so percentages on forms of 2012 are not read as counts', () => {
  for (const version of ['9/2012', '09/2012', '9-2012', '2012-09']) {
    const { row, problems } = read(['FormVrsn="10/2021"', `FormVrsn="${version}"`], ['Q5DB1="29104"', 'Q5DB1="25"'])
    assert.deepEqual([row.clients, problems], [{}, []], version)
  }
})

test('the box for fewer than five clients is recognized in capitals and small letters, and any other text is null and reported', () => {
  const { row, problems } = read(['Q5DI2="Fewer than 5 clients"', 'Q5DI2="FEWER THAN 5 CLIENTS"'])
  assert.deepEqual([row.clients.state_municipal!.fewer_than_5, problems], [true, []])
  const other = read(['Q5DI2="Fewer than 5 clients"', 'Q5DI2="some"'])
  assert.equal(other.row.clients.state_municipal!.fewer_than_5, null)
  assert.deepEqual(
    other.problems.map(([, value]) => value),
    ['some'],
  )
})

test('a day with a time and a zone is read without them, and 0001-01-01 is null and reported', () => {
  const { row } = read(['Dt="1981-05-13"', 'Dt="1981-05-13T00:00:00-04:00"'])
  assert.equal(row.registration_date, '1981-05-13')
  const none = read(['Dt="1981-05-13"', 'Dt="0001-01-01"'])
  assert.deepEqual([none.row.registration_date, none.problems], [null, [['@Dt', '0001-01-01']]])
})

test('an empty notice filing and an empty web address are left out', () => {
  const { row } = read(
    ['<NoticeFiled>', '<NoticeFiled><States/>'],
    ['<WebAddrs>', '<WebAddrs><WebAddr/><WebAddr> </WebAddr>'],
  )
  assert.deepEqual([row.notice_filings.length, row.web_addresses.length], [3, 4])
})

test('answers are read in capitals and small letters, and an answer that is neither yes nor no is null and reported', () => {
  const { row, problems } = read(['Q5E1="Y"', 'Q5E1="y"'], ['Q5E2="N"', 'Q5E2="X"'])
  assert.deepEqual([row.comp_pct_aum, row.comp_hourly, problems], [true, null, [['@Q5E2', 'X']]])
})

test('amounts with separators and signs are exact', () => {
  for (const [filed, amount] of [
    ['$133,644,228,926.00', '133644228926'],
    ['-5', '-5'],
    ['98765432109876543210', '98765432109876543210'],
  ] as const) {
    const { row, problems } = read(['Q5F2C="133644228926"', `Q5F2C="${filed}"`])
    assert.deepEqual([row.raum_total, problems], [amount, []], filed)
  }
})

test('a firm without an address, filing or form is read with nulls', () => {
  const { row, problems } = read(
    [FIRM.slice(FIRM.indexOf('<MainAddr'), FIRM.indexOf('<Rgstn')), ''],
    [FIRM.slice(FIRM.indexOf('<Filing'), FIRM.indexOf('</Firm>')), ''],
  )
  assert.deepEqual([row.city, row.filing_date, row.raum_total, row.clients, problems], [null, null, null, {}, []])
})
