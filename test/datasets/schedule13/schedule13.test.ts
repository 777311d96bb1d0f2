/** Schedules 13D and 13G of both eras in one list and in one chain of amendments, over a test EDGAR. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Linked, linkOf } from '../../../src/datasets/schedule13/chain.ts'
import type { Detail } from '../../../src/datasets/schedule13/queries.ts'
import { accessionOf, type MadeSchedule, text, writeSchedules, xml } from '../../support/schedule13-made.ts'
import { serveWorld } from '../../support/served.ts'
import { openWorld, temporaryFolder } from '../../support/world.ts'

const ISSUER = { cik: 9000000401, name: 'OPENFILINGS SPECIMEN BREWING & BOTTLING CORP' }
const OTHER = { cik: 9000000402, name: 'OPENFILINGS SPECIMEN LOCKS INC' }
const FUND = { cik: 9000000411, name: 'SPECIMEN VALUE PARTNERS LP' }
const BANK = { cik: 9000000412, name: 'SPECIMEN TRUST CO' }
const CUSIP = '037833100'
const OTHER_CUSIP = '88160R101'

const fund = { name: 'Specimen Value Partners, L.P.', shares: 1_200_000, percent: '6.5%' }
const general = { name: 'Specimen Value GP, LLC', shares: 1_250_000, percent: '6.8%*' }
const D = { schedule: '13D', issuer: 'Openfilings Specimen Brewing & Bottling Corp.', cusip: CUSIP } as const
const G = { schedule: '13G', issuer: 'Openfilings Specimen Locks Inc.', cusip: OTHER_CUSIP } as const
const own = { issuer: ISSUER, filer: FUND }
const data = {
  issuer: { ...ISSUER, name: 'Specimen Brewing &amp; Bottling' },
  cik: FUND.cik,
  cusip: CUSIP,
  person: 'Specimen Value Partners, L.P.',
}

const FILINGS: readonly MadeSchedule[] = [
  { ...own, n: 1, form: 'SC 13D', day: '2010-01-04', content: text({ ...D, persons: [fund, general] }) },
  { ...own, n: 2, form: 'SC 13D/A', day: '2010-01-20', content: text({ ...D, amendment: 1, persons: [fund] }) },
  // Amendment 2 is missing here.
  { ...own, n: 3, form: 'SC 13D/A', day: '2010-02-01', content: text({ ...D, amendment: 3, persons: [fund] }) },
  {
    issuer: OTHER,
    filer: BANK,
    n: 4,
    form: 'SC 13G',
    day: '2010-02-02',
    content: text({ ...G, persons: [{ ...fund, name: 'Specimen Trust Company', percent: '12.25%' }] }),
  },
  {
    issuer: OTHER,
    filer: BANK,
    n: 5,
    form: 'SC 13G/A',
    day: '2010-02-20',
    content: text({ ...G, persons: [{ ...fund, name: 'Specimen Trust Company', percent: 'less than 5%' }] }),
  },
  {
    ...own,
    n: 6,
    form: 'SCHEDULE 13D/A',
    day: '2010-03-02',
    content: xml({ ...data, form: 'SCHEDULE 13D/A', shares: 900_000, percent: '4.9', previous: accessionOf(3) }),
  },
  // As filed: an unescaped ampersand.
  {
    ...own,
    n: 7,
    form: 'SCHEDULE 13D',
    day: '2010-03-03',
    content: xml({ ...data, issuer: ISSUER, form: 'SCHEDULE 13D', shares: 5, percent: '0' }),
  },
  { ...own, n: 8, form: 'SC 13D/A', day: '2010-03-04', content: 'A letter of nobody, without a page of the form.' },
  { ...own, n: 9, form: 'SCHEDULE 13D', day: '2010-03-05', content: '<?xml version="1.0"?><edgarSubmission>' },
]

const root = await temporaryFolder({ after })
await writeSchedules(root, FILINGS)
const world = await openWorld({ after }, { root })
await world.crawl({ from: '2010-01-01', to: '2010-03-31' })
await world.drain({ datasets: ['schedule13'] })
const served = await serveWorld({ after }, world)

interface Page extends Record<string, unknown> {
  rows: Detail['other_filings']
  next_cursor: string | null
}

const list = async (query: string) => (await served.json<Page>(`/schedule13/filings?${query}`)).rows
const numbers = async (query: string) => (await list(query)).map(({ accession }) => Number(accession.slice(-6)))
const detail = (n: number) =>
  served.json<Detail & Record<string, unknown>>(`/schedule13/filings/by-accession/${accessionOf(n)}`)

test('text and XML filings are in one list, last filed first, and each row states its kind of source', async () => {
  const rows = await list('limit=50')
  assert.deepEqual(
    rows.map(({ accession, source }) => [Number(accession.slice(-6)), source]),
    [[8, 'text'], [7, 'xml'], [6, 'xml'], [5, 'text'], [4, 'text'], [3, 'text'], [2, 'text'], [1, 'text']], // biome-ignore format: a table
  )
  const first = rows.at(-1)!
  const { person_name, person_count, shares, percent, cusip, issuer_name, cik } = first
  // The largest figure of any person, and never the sum, with the name of that person.
  assert.deepEqual([person_name, person_count], [general.name, 2])
  assert.deepEqual([shares, percent, cusip, cik], ['1250000', '6.8', CUSIP, '9000000411'])
  assert.equal(issuer_name, D.issuer)
})

test('the list can be filtered by issuer, filer, CUSIP, form, schedule, percentage and dates, alone and together', async () => {
  assert.deepEqual(await numbers(`issuer_cik=${OTHER.cik}`), [5, 4])
  assert.deepEqual(await numbers(`cik=${BANK.cik}`), [5, 4])
  assert.deepEqual(await numbers(`cik=${FUND.cik}&schedule=13D`), [8, 7, 6, 3, 2, 1])
  assert.deepEqual(await numbers(`cusip=${OTHER_CUSIP.toLowerCase()}`), [5, 4])
  assert.deepEqual(await numbers('form=SC 13D/A'), [8, 3, 2])
  assert.deepEqual(await numbers('schedule=13G'), [5, 4])
  assert.deepEqual(await numbers('min_percent=6.8'), [4, 1])
  assert.deepEqual(await numbers('min_percent=12.25'), [4])
  assert.deepEqual(await numbers('from=2010-02-01&to=2010-02-28'), [5, 4, 3])
  assert.deepEqual(await numbers(`cik=${FUND.cik}&min_percent=6.5&to=2010-01-31`), [2, 1])
})

test('filings are found by names as people type them: the issuer’s in any word order, and those of all reporting persons', async () => {
  assert.deepEqual(await numbers('q=bottling brewing openfilings'), [8, 7, 3, 2, 1])
  assert.deepEqual(await numbers('q=brewing and bott'), [8, 7, 6, 3, 2, 1])
  assert.deepEqual(await numbers('q=specimen value gp'), [1])
  assert.deepEqual(await numbers('q=SPECIMEN TRUST CO'), [5, 4])
  // All words must be in one name. "locks" and "brewing" are in the names of different companies.
  assert.deepEqual(await numbers('q=locks brewing'), [])
})

test('cursor pages return each filing once, in each order', async () => {
  for (const filter of ['', `&cik=${FUND.cik}`, `&issuer_cik=${ISSUER.cik}`]) {
    const seen: string[] = []
    let query: string | null = `limit=2&paginate=cursor${filter}`
    while (query !== null) {
      const page: Page = await served.json(`/schedule13/filings?${query}`)
      seen.push(...page.rows.map(({ accession }) => accession))
      query = page.next_cursor ? `limit=2&cursor=${encodeURIComponent(page.next_cursor)}${filter}` : null
    }
    assert.deepEqual(
      seen,
      (await list(`limit=50${filter}`)).map(({ accession }) => accession),
      filter,
    )
  }
})

test('an invalid percentage, form, day or partial CUSIP is refused, and the answer names the parameter', async () => {
  for (const query of [
    'min_percent=five',
    'min_percent=101',
    'form=SC 13E',
    'schedule=13F',
    'from=yesterday',
    'cik=abc',
    'cusip=88160R10',
  ]) {
    const answer = await served.get(`/schedule13/filings?${query}`)
    assert.equal(answer.status, 400, query)
    assert.match(await answer.text(), new RegExp(query.split('=')[0]!))
  }
})

test('every fact of a text is found at the place of its evidence', async () => {
  const { facts, persons, filing } = await detail(1)
  assert.equal(facts.length, 6 + 2 * 10)
  const document = await served.json<{ text: string }>(`/doc-text/sc13/${accessionOf(1)}?sequence=1`)
  for (const { evidence } of facts) {
    const { offset, length, sentence } = evidence
    assert.equal(document.text.slice(offset, offset + length), sentence)
  }
  assert.match(
    facts.find(({ name, person_position }) => name === 'percent' && person_position === 1)!.evidence.sentence,
    /^\(13\) PERCENT.*6\.8%$/s,
  )
  assert.deepEqual(filing.left_out, [])
  assert.deepEqual(
    persons.map(({ cik, member_of_group, types }) => [cik, member_of_group, types]),
    [
      ['9000000411', 'b', ['IA']],
      [null, 'b', ['IA']],
    ],
  )
})

test('an amendment is linked to the filing that it names or that precedes it in number, or to none if this filing is missing', async () => {
  const chain = async (n: number) => {
    const { link, amends, amended_by } = await detail(n)
    const number = (row: { accession: string } | null) => (row ? Number(row.accession.slice(-6)) : null)
    return [link, number(amends), amended_by.map(number)]
  }
  assert.deepEqual(await chain(1), ['original', null, [2]])
  assert.deepEqual(await chain(2), ['sequence', 1, []])
  assert.deepEqual(await chain(3), ['not_held', null, [6]])
  assert.deepEqual(await chain(5), ['sequence', 4, []])
  assert.deepEqual(await chain(4), ['original', null, [5]])
  assert.deepEqual(await chain(6), ['stated', 3, []])
})

test('if two filings of one day could be the one that an amendment amends, neither is taken', () => {
  const filing = (n: number, day: string, more: Partial<Linked> = {}): Linked => ({
    accession: accessionOf(n),
    filed_date: day,
    schedule: '13D',
    is_amendment: true,
    ...{ amendment_number: null, previous_accession: null, cusip: null },
    ...more,
  })
  const original = filing(1, '2010-01-01', { is_amendment: false })
  const twice = [original, filing(2, '2010-02-01'), filing(3, '2010-02-01')]
  const last = filing(4, '2010-03-01')
  assert.deepEqual(linkOf(last, [...twice, last]), { link: 'ambiguous', amends: null })
  // A filing of another class, or of another schedule, is not linked.
  const classes = [filing(5, '2010-02-01', { cusip: CUSIP }), filing(6, '2010-02-01', { cusip: OTHER_CUSIP })]
  assert.equal(linkOf({ ...last, cusip: CUSIP }, classes).amends, accessionOf(5))
  assert.equal(linkOf(last, [filing(7, '2010-02-01', { schedule: '13G' })]).link, 'not_held')
  // An amendment that was filed on the day of its original, and two amendments of one day that have numbers, are
  // linked.
  assert.equal(linkOf(filing(8, '2010-01-01'), [original]).amends, original.accession)
  const numbered = [filing(9, '2010-02-01', { amendment_number: 1 }), filing(10, '2010-02-01', { amendment_number: 2 })]
  assert.equal(linkOf(numbered[1]!, [original, ...numbered]).amends, accessionOf(9))
  assert.equal(linkOf(numbered[0]!, [original, ...numbered]).amends, original.accession)
})

test('malformed XML is read with its repairs reported; XML that cannot be repaired fails alone with its position', async () => {
  const { filing } = await detail(7)
  assert.deepEqual([filing.issuer_name, filing.is_malformed], [ISSUER.name, true])
  assert.match(filing.repairs[0]!, /^line 5, column \d+: unescaped &$/)
  const [failed] = await world.sql<{ state: string; error: string }[]>`
    select state, error from edgar.task where accession = ${accessionOf(9)} and dataset = 'schedule13'`
  assert.match(failed!.error, /line \d+, column \d+/)
  assert.equal((await served.get(`/schedule13/filings/by-accession/${accessionOf(9)}`)).status, 404)
})

test('a value that cannot be read with certainty is null, and is named in `left_out` and in a problem with its words', async () => {
  const { filing, persons } = await detail(5)
  assert.deepEqual([filing.percent, persons[0]!.percent, filing.left_out], [null, null, ['percent']])
  const problems = await world.sql<{ problems: { path: string; value: string; reason: string }[] }[]>`
    select problems from edgar.task where accession = any(${[5, 8].map(accessionOf)}) order by accession`
  assert.deepEqual(
    problems.map(({ problems }) => problems),
    [
      [{ path: 'schedule.txt, person 0', value: 'less than 5%', reason: 'percent could not be read with certainty' }],
      [{ path: 'schedule.txt', value: 'SC 13D/A', reason: 'no cover page of a person was found' }],
    ],
  )
  // The header of the filing without a cover page still gives the filer and the subject.
  const empty = await detail(8)
  assert.deepEqual([empty.filing.issuer_name, empty.filing.cik, empty.persons], [ISSUER.name, '9000000411', []])
})
