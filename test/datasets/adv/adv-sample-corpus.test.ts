/** The sample's real advisers, compared answer by answer with their source records. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import Papa from 'papaparse'
import { isSocialMedia } from '../../../src/datasets/adv/parse/web.ts'
import { factsOf } from '../../support/adv/feed-facts.ts'
import { DAYS, sampleOn } from '../../support/adv/sample.ts'
import { REAL } from '../../support/adv/sample-real.ts'
import { firmXml } from '../../support/adv/xml.ts'
import { corpus } from '../../support/corpus.ts'

type Facts = Map<string, string>

const read = (file: string) => readFileSync(path.join(corpus.folder!, file))
const linesOf = (file: string) =>
  Papa.parse<Record<string, string>>(read(file).toString(), { header: true, skipEmptyLines: true }).data
/** Parses lists that a collector wrote in Python notation: `[{'Dt': '2023-09-25'}]`. */
const listOf = (text: string): Record<string, string>[] => (text === '' ? [] : JSON.parse(text.replaceAll("'", '"')))
/** Columns of counts that the conversion wrote as `2.0`. */
const whole = (value: string) => value.replace(/^(\d+)\.0$/, '$1')

/** A flattened record of the feed: columns are paths, `FormInfo.Part1A.Item5F.Q5F2C`. */
function flattened(line: Record<string, string>): Facts {
  const facts: Facts = new Map()
  for (const [column, value] of Object.entries(line)) {
    const [name, element] = column.split('.').reverse()
    if (value.trim() === '' || element === undefined || element === 'NoticeFiled' || element === 'WebAddrs') continue
    facts.set(`${element}@${name}`, element.startsWith('Item') ? whole(value) : value)
  }
  for (const element of ['Rgstn', 'Filing']) {
    for (const [name, value] of Object.entries(listOf(line[element]!)[0]!)) facts.set(`${element}@${name}`, value)
  }
  const notices = listOf(line['NoticeFiled.States']!).map(({ RgltrCd, Dt, St }) => `${RgltrCd}${Dt} ${St}`)
  if (notices.length > 0) facts.set('NoticeFiled', notices.sort().join('\n'))
  const web = line['FormInfo.Part1A.Item1.WebAddrs.WebAddr']!
  if (web !== '') facts.set('WebAddrs', web)
  return facts
}

const MONTHS = 'Jan,Feb,Mar,Apr,May,Jun,Jul,Aug,Sep,Oct,Nov,Dec'.split(',')
const iso = (day: string) => {
  const [month, date, year] = day.split('/')
  return `${year}-${month!.padStart(2, '0')}-${date!.padStart(2, '0')}`
}
const ROSTER: Record<string, string> = {
  'SEC Region': 'Info@SECRgnCD',
  'Organization CRD#': 'Info@FirmCrdNb',
  'SEC#': 'Info@SECNb',
  'Primary Business Name': 'Info@BusNm',
  'Legal Name': 'Info@LegalNm',
  'Umbrella Registration': 'Info@UmbrRgstn',
  'Main Office Street Address 1': 'MainAddr@Strt1',
  'Main Office Street Address 2': 'MainAddr@Strt2',
  'Main Office City': 'MainAddr@City',
  'Main Office State': 'MainAddr@State',
  'Main Office Country': 'MainAddr@Cntry',
  'Main Office Postal Code': 'MainAddr@PostlCd',
  'Main Office Telephone Number': 'MainAddr@PhNb',
  'Main Office Facsimile Number': 'MainAddr@FaxNb',
  'Firm Type': 'Rgstn@FirmType',
  'Total number of offices, other than your Principal Office and place of business': 'Item1@Q1F5',
  '3A': 'Item3A@OrgFormNm',
  '3C-State': 'Item3C@StateCD',
  '3C-Country': 'Item3C@CntryNm',
  '5A': 'Item5A@TtlEmp',
  '5D(n)(3) - Other': 'Item5D@Q5DN3Oth',
  '5E(7)-Other': 'Item5E@Q5E7Oth',
  '5G(12)-Other': 'Item5G@Q5G12Oth',
}

/** A line of the monthly roster, as changed by spreadsheets: `Oct-21` was 10/2021, `2903` was the ZIP 02903. */
function listed(line: Record<string, string>): Facts {
  const facts: Facts = new Map()
  for (const [column, value] of Object.entries(line)) {
    const at = ROSTER[column] ?? question(column)
    if (value !== '' && at) facts.set(at, /^[\d,]+(\.00)?$/.test(value) ? value.replace(/\.00$|,/g, '') : value)
  }
  facts.set('MainAddr@PostlCd', facts.get('MainAddr@PostlCd')!.padStart(5, '0'))
  const [month, year] = (line['9E'] || '-').split('-')
  if (year) facts.set('Item9E@Q9E', `20${year}-${String(MONTHS.indexOf(month!) + 1).padStart(2, '0')}`)
  facts.set('Rgstn@St', line['SEC Current Status']!.toUpperCase())
  facts.set('Rgstn@Dt', iso(line['SEC Status Effective Date']!))
  facts.set('Filing@Dt', iso(line['Latest ADV Filing Date']!))
  assert.equal(line['Form Version'], 'Oct-21')
  facts.set('Filing@FormVrsn', '10/2021')
  facts.set('WebAddrs', line['Website Address']!)
  const notices = line['Jurisdiction Notice Filed-Effective Date']!.split(', ').map((notice) => {
    return `${notice.slice(0, 2)}${iso(notice.slice(3))} FILED`
  })
  return facts.set('NoticeFiled', notices.sort().join('\n'))
}

/** `5D(a)(1)` is Q5DA1 of item 5D. */
function question(column: string): string | null {
  if (!/^\d+[A-Z]?(?:\(\w+\))*$/.test(column)) return null
  const [item] = /^(?:1(?=[A-P])|\d+[A-L]?)/.exec(column)!
  return `Item${item}@Q${column.replace(/[()]/g, '').toUpperCase()}`
}

/** Returns the complete records of a firm in the feed of 2026-07-23. */
function shown(crd: number): Facts[] {
  const feed = gunzipSync(read('adviserinfo/feeds/IA_FIRM_SEC_Feed_07_23_2026.xml.gz')).toString('latin1')
  const records = feed
    .split('<Firm>')
    .filter((record) => record.includes(`FirmCrdNb="${crd}"`) && record.includes('Q5E1='))
  return records.map(factsOf)
}

/** Free text of the filer; the sample paraphrases the long texts. */
const OTHER = /@Q(?:5DN3|5E7|5G12|6A14)Oth$/

test('each answer of a real adviser in the sample equals that of its record, and no answer is missing', {
  skip: corpus.skip,
}, () => {
  const sources = [
    ...linesOf('bulk/iapd/big_firms.csv').map(flattened),
    ...linesOf('bulk/iapd/ia-sample-2022-04.csv').map(listed),
    ...shown(361),
  ]
  const key = (facts: Facts) => `${facts.get('Info@FirmCrdNb')} ${facts.get('Filing@Dt')}`
  const known = new Map(sources.map((facts) => [key(facts), facts]))
  let compared = 0
  const firms = DAYS.flatMap((day) => sampleOn(day).firms).filter(({ crd }) => REAL.has(crd))
  for (const facts of new Map(
    firms.map((firm) => factsOf(firmXml(firm, 'SEC'))).map((facts) => [key(facts), facts]),
  ).values()) {
    const source = known.get(key(facts)) ?? assert.fail(`${key(facts)} is in no file of the corpus`)
    for (const at of new Set([...facts.keys(), ...source.keys()])) {
      const [ours, theirs] = [facts.get(at), source.get(at)]
      if (OTHER.test(at) && theirs && theirs.length > 60) assert.notEqual(ours ?? theirs, theirs, `${key(facts)} ${at}`)
      // Only the first address is available: with a social-media page as the only address, the feed would imply that
      // there is no other.
      else if (at === 'WebAddrs' && ours === undefined) assert.notEqual(isSocialMedia(theirs!), false, key(facts))
      else assert.equal(ours, theirs, `${key(facts)} ${at}`)
    }
    compared += facts.size
  }
  assert.ok(compared > 10_000, `${compared} answers`)
})

test('assets, accounts and clients of each real adviser in the sample add up', () => {
  for (const firm of sampleOn(DAYS[1]).firms.filter(({ crd }) => REAL.has(crd))) {
    const answers = firm.answers()
    const sum = (...columns: string[]) => columns.reduce((all, column) => all + Number(answers[column] ?? 0), 0)
    assert.equal(sum('5F2a', '5F2b'), answers['5F2c'], firm.legal)
    assert.equal(sum('5F2d', '5F2e'), answers['5F2f'], firm.legal)
    assert.equal(sum(...[...'abcdefghijklmn'].map((letter) => `5D3${letter}`)), answers['5F2c'], firm.legal)
    for (const column of ['5B1', '5B2', '5B3', '5B4', '5B5'])
      assert.ok(sum(column) <= sum('5A'), `${firm.legal} ${column}`)
  }
})
