/** Current reports from their submissions to the answers, over a test EDGAR. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Detail, Page } from '../../../src/datasets/eightk/answers.ts'
import { exhibitsIn } from '../../../src/datasets/eightk/sections.ts'
import { rebuild } from '../../../src/ingest/rebuild.ts'
import registry from '../../../src/registry.ts'
import { accessionOf, listReports, type MadeReport, writeReports } from '../../support/eightk/made.ts'
import { REPORTS } from '../../support/eightk/reports.ts'
import { serveWorld } from '../../support/served.ts'
import { openWorld, temporaryFolder } from '../../support/world.ts'

const root = await temporaryFolder({ after })
await writeReports(root, REPORTS)
const world = await openWorld({ after }, { root })
await load(REPORTS)
const served = await serveWorld({ after }, world)

async function load(reports: readonly MadeReport[]) {
  await listReports(root, reports)
  await world.crawl({ from: '2004-01-01', to: '2010-03-31', again: true })
  await world.drain({ datasets: ['eightk'] })
}

const events = async (query: string) => {
  const { rows } = await served.json<Page & Record<string, unknown>>(`/eightk/events?limit=50&${query}`)
  return rows.map(({ accession, ...row }) => ({ ...row, n: Number(accession.slice(-6)) }))
}
const detail = (n: number) => served.json<Detail & Record<string, unknown>>(`/eightk/by-accession/${accessionOf(n)}`)
const withItem = async (item: string) => {
  const { rows } = await served.json<{ rows: { accession: string }[] }>(`/filings?item=${item}`)
  return rows.map(({ accession }) => Number(accession.slice(-6)))
}

test('each item states whether the header, the text or both name it, in any order of the text', async () => {
  const sources = async (n: number) => (await detail(n)).items.map(({ item, source }) => [item, source])
  assert.deepEqual(await sources(1), [
    ['1.01', 'text'],
    ['5.02', 'text'],
  ])
  assert.deepEqual(
    (await detail(1)).sections.map(({ item }) => item),
    ['5.02', '1.01'],
  )
  assert.deepEqual(await sources(2), [
    ['2.02', 'both'],
    ['8.01', 'header'],
  ])
  assert.deepEqual(await sources(4), [
    ['5', 'both'],
    ['9', 'text'],
  ])
  assert.deepEqual(await sources(5), [['5.02', 'header']])
  assert.deepEqual([(await detail(1)).filing.items_differ, (await detail(2)).filing.items_differ], [false, true])
})

test('text that an exhibit quotes from another report is not an item', async () => {
  assert.deepEqual(
    (await detail(3)).items.map(({ item }) => item),
    ['7.01'],
  )
  assert.deepEqual(await withItem('4.02'), [])
})

test('an item that only the text names is found by /filings, also after a rebuild and a second reading', async () => {
  const found = async () => [
    await withItem('1.01'),
    await withItem('5.02'),
    await withItem('8.01'),
    await withItem('9'),
  ]
  const wanted = [[1], [8, 5, 1], [2], [4]]
  assert.deepEqual(await found(), wanted)
  await world.sql`update edgar.task set state = 'pending' where dataset = 'eightk'`
  await world.drain({ datasets: ['eightk'] })
  assert.deepEqual(await found(), wanted)
  // Makes the state that another version would leave if it had found a wrong item and missed the right ones.
  await world.sql`delete from edgar.filing_item where not in_header`
  await world.sql`insert into edgar.filing_item values (${accessionOf(2)}, '1.03', '2010-01-05', false, true)`
  await rebuild(world, registry.filings.find(({ slug }) => slug === 'eightk')!)
  await served.known()
  assert.deepEqual([...(await found()), await withItem('1.03')], [...wanted, []])
})

test('an item that the header no longer names stays if the text names it', async () => {
  const [filing] = await world.sql<{ accession: string; form_type: string; filed_date: string; path: string }[]>`
    select accession, form_type, filed_date, path from edgar.filing where accession = ${accessionOf(2)}`
  const submission = (await world.submissions.get(accessionOf(2)))!
  const record = (items: string[]) =>
    world.sql.begin((tx) =>
      world.submissions.record(tx, [
        { filing: filing!, submission: { ...submission, header: { ...submission.header, items } } },
      ]),
    )
  const stored = async () => [
    ...(await world.sql`
      select item, in_header, in_text from edgar.filing_item where accession = ${accessionOf(2)} order by item`),
  ]
  const before = await stored()
  await record([])
  assert.deepEqual(await stored(), [{ item: '2.02', in_header: false, in_text: true }])
  await record(submission.header.items)
  assert.deepEqual(await stored(), before)
})

test('a filing that EDGAR lists under another form loses the items found in its text', async () => {
  await load(REPORTS.map((report) => (report.n === 3 ? { ...report, form: '10-Q' } : report)))
  assert.deepEqual(await withItem('7.01'), [])
  await load(REPORTS)
  assert.deepEqual(await withItem('7.01'), [3])
})

test('officers, results and notices have their facts, each with its sentence in the text of the document', async () => {
  const [officer, results, notice] = await Promise.all([detail(1), detail(2), detail(6)])
  assert.deepEqual(
    officer.officers.map(({ name, title, event, event_date, effective_date }) => [
      name,
      title,
      event,
      event_date,
      effective_date,
    ]),
    [
      ['Ada M. Sample', 'Chief Financial Officer', 'appointed', '2010-01-04', '2010-02-01'],
      ['Ada M. Sample', 'Chief Financial Officer', 'compensation', null, null],
    ],
  )
  assert.deepEqual([officer.filing.left_out_count, officer.filing.left_out], [2, ['officer', 'agreement_amount']])
  assert.deepEqual(results.earnings, {
    item: '2.02',
    period: 'quarter',
    period_end: '2009-12-31',
    release_sequence: 3,
    release_exhibit: '99.2',
    revenue: '12500000',
    net_income: '2250000',
    eps_diluted: '0.1',
    periods: [
      {
        ...{ period: 'quarter', period_end: '2009-12-31' },
        ...{ revenue: '12500000', net_income: '2250000', eps_diluted: '0.1' },
      },
    ],
  })
  assert.deepEqual(notice.delisting, {
    exchange: 'NYSE',
    rules: ['802.01E'],
    reason: 'late_report',
    notice_date: '2010-01-06',
    deadline: '2010-07-06',
  })
  const holders = await detail(30)
  const counts = { votes_for: '1200300', votes_against: '40000', votes_withheld: null, abstained: '1500' }
  const others = { broker_non_votes: null, one_year: null, two_years: null, three_years: null }
  assert.deepEqual(
    holders.votes.map(({ evidence: _, ...vote }) => vote),
    [{ n: 1, proposal: '1', title: 'Approval of the 2010 plan', nominee: null, ...counts, ...others }],
  )
  for (const { filing, officers, facts, votes, sections } of [officer, results, notice, holders]) {
    const stated = [...officers, ...facts, ...votes].map(({ evidence }) => evidence)
    for (const { sequence, offset, length, sentence } of stated) {
      const address = `/doc-text/eightk/${filing.accession}?sequence=${sequence}`
      assert.equal((await served.json<{ text: string }>(address)).text.slice(offset, offset + length), sentence)
    }
    for (const { sequence, text_start, stop, text } of sections) {
      const address = `/doc-text/eightk/${filing.accession}?sequence=${sequence}`
      assert.equal((await served.json<{ text: string }>(address)).text.slice(text_start, stop).trim(), text)
    }
  }
})

test('a section names its exhibits, and the exhibits that were filed are listed', async () => {
  const { sections, exhibits } = await detail(1)
  assert.deepEqual(
    sections.map(({ exhibits }) => exhibits),
    [[], ['10.1']],
  )
  assert.deepEqual(
    exhibits.map(({ sequence, type }) => [sequence, type]),
    [[2, 'EX-10.1']],
  )
})

test('the letter of an exhibit number belongs to the number, in sentences and in lists', () => {
  const found = (text: string) => exhibitsIn(text, true)
  assert.deepEqual(found('| Exhibit 99(b) | Balance sheet |'), ['99(b)'])
  assert.deepEqual(found('| Exhibit 10.16a | Lease |'), ['10.16a'])
  assert.deepEqual(found('The sheet is filed as Exhibit 99(b).\n| 99(b) | Balance sheet |'), ['99(b)'])
  assert.deepEqual(found('See Exhibits 10.16a and 10.16b, and Exhibit 99 attached.'), ['10.16a', '10.16b', '99'])
  assert.deepEqual(found('Exhibit 10.1Employment Agreement'), ['10.1'])
})

test('a list of events has only the requested kind, last filed first, and cursor pages equal offset pages', async () => {
  assert.deepEqual(
    (await events('kind=officer')).map(({ n, officers }) => [n, officers?.length]),
    [
      [8, 0],
      [5, undefined],
      [1, 2],
    ],
  )
  assert.deepEqual(
    (await events('kind=earnings')).map(({ n, earnings }) => [n, earnings?.revenue]),
    [
      [8, undefined],
      [2, '12500000'],
      [9, null],
    ],
  )
  assert.deepEqual(
    (await events('kind=delisting')).map(({ n, delisting }) => [n, delisting?.exchange]),
    [
      [10, 'Nasdaq'],
      [6, 'NYSE'],
    ],
  )
  const items = await events('kind=item&item=5.02')
  assert.deepEqual(
    items.map(({ n, source, officers }) => [n, source, officers]),
    [
      [8, 'text', null],
      [5, 'header', null],
      [1, 'text', null],
    ],
  )
  assert.match(items[2]!.excerpt!, /^On January 4, 2010, the Board appointed Ada M\. Sample/)
  assert.deepEqual(
    (await events('kind=item&item=5')).map(({ n }) => n),
    [4],
  )
  type CursorPage = Page & Record<string, unknown>
  const first: CursorPage = await served.json('/eightk/events?kind=item&item=5.02&limit=1&paginate=cursor')
  const second: CursorPage = await served.json(
    `/eightk/events?kind=item&item=5.02&limit=1&cursor=${encodeURIComponent(first.next_cursor!)}`,
  )
  assert.deepEqual(
    [...first.rows, ...second.rows].map(({ accession }) => Number(accession.slice(-6))),
    [8, 5],
  )
})

test('`kind=item` lists every filing with the item, whatever its text states, also by pages', async () => {
  const of = async (query: string) => (await events(query)).map(({ n }) => n)
  assert.deepEqual(await of('kind=officer'), await of('kind=item&item=5.02'))
  assert.deepEqual(await of('kind=earnings'), [
    ...(await of('kind=item&item=2.02')),
    ...(await of('kind=item&item=12')),
  ])
  assert.deepEqual(await of('kind=delisting'), await of('kind=item&item=3.01'))
  assert.deepEqual([await of('kind=earnings&offset=1'), await of('kind=earnings&offset=2')], [[2, 9], [9]])
  const pages: number[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page & Record<string, unknown> = await served.json(
      `/eightk/events?kind=earnings&limit=1&paginate=cursor${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    pages.push(...page.rows.map(({ accession }) => Number(accession.slice(-6))))
    cursor = page.next_cursor ?? null
  }
  assert.deepEqual(pages, [8, 2, 9])
})

test('a notice of regained compliance has its own day and no deadline', async () => {
  const { delisting } = await detail(10)
  assert.deepEqual(delisting, {
    exchange: 'Nasdaq',
    rules: ['5550(a)(2)'],
    reason: 'compliance_regained',
    notice_date: '2010-01-09',
    deadline: null,
  })
})

test('an unknown kind, `kind=item` without a valid item, an item with another kind, and an invalid accession are refused', async () => {
  for (const query of ['kind=bogus', 'kind=item', 'kind=officer&item=5.02', 'kind=item&item=13', 'kind=item&item=x']) {
    assert.equal((await served.get(`/eightk/events?${query}`)).status, 400, query)
  }
  assert.equal((await served.get(`/eightk/by-accession/${accessionOf(1).replaceAll('-', '')}`)).status, 400)
  assert.equal((await served.get('/eightk/by-accession/0000000000-00-000000')).status, 404)
})

test('an item whose facts are worded uncertainly is reported and counted', async () => {
  const [task] = await world.sql<{ problems: { path: string; reason: string }[] }[]>`
    select problems from edgar.task where accession = ${accessionOf(7)} and dataset = 'eightk'`
  assert.deepEqual(
    task!.problems.map(({ path, reason }) => `${path}: ${reason}`),
    ['item 4.01: new_auditor could not be read with certainty'],
  )
  const { left_out_count, left_out } = (await detail(7)).filing
  assert.deepEqual([left_out_count, left_out], [1, ['new_auditor']])
})

test('facts of a notice have their sentence, and a value that is left out has its reason', async () => {
  const { facts } = await detail(1)
  assert.deepEqual(
    facts.map(({ item, name, value }) => [item, name, value]),
    [
      ['1.01', 'agreement', 'Loan Agreement'],
      ['1.01', 'agreement_kind', 'credit'],
      ['1.01', 'agreement_date', '2010-01-04'],
      ['1.01', 'agreement_party', 'Harbor Bank, N.A.'],
    ],
  )
  for (const { evidence } of facts) assert.match(evidence.sentence, /^On January 4, 2010, .* \$2 million\.$/)
  const [task] = await world.sql<{ problems: { path: string; reason: string }[] }[]>`
    select problems from edgar.task where accession = ${accessionOf(1)} and dataset = 'eightk'`
  assert.deepEqual(
    task!.problems.map(({ path, reason }) => `${path}: ${reason}`),
    ['item 1.01: agreement_amount is left out: the words state several amounts'],
  )
})

test('reports a document without text, and words of a header that name no item', async () => {
  const [task] = await world.sql<{ problems: { path: string; reason: string }[] }[]>`
    select problems from edgar.task where accession = ${accessionOf(5)} and dataset = 'eightk'`
  assert.deepEqual(
    task!.problems.map(({ path, reason }) => [path, reason]),
    [
      ['document1.htm', 'it is empty'],
      ['items', 'the text has no item'],
      ['ITEM INFORMATION', 'not an item of the form'],
    ],
  )
})
