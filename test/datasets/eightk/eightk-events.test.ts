/**
 * Events of current reports by kind, over a test EDGAR. The facts and votes of a report decide which kinds of events it
 * has.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Detail, Page } from '../../../src/datasets/eightk/answers.ts'
import { request } from '../../../src/ingest/queue.ts'
import { daysOfFilings } from '../../../src/products/textsearch/queries.ts'
import registry from '../../../src/registry.ts'
import { CIK, listReports, type MadeReport, writeReports } from '../../support/eightk/made.ts'
import { serveWorld } from '../../support/served.ts'
import { openWorld, temporaryFolder } from '../../support/world.ts'

const report = (n: number, item: string, ...paragraphs: string[]): MadeReport => ({
  n,
  day: `2010-02-${String(n).padStart(2, '0')}`,
  paragraphs: [`# Item ${item}`, ...paragraphs, '# SIGNATURES', 'Signed.'],
})

const REPORTS: readonly MadeReport[] = [
  report(
    1,
    '1.01 Entry into a Material Definitive Agreement',
    'On January 4, 2010, the Company entered into a Loan Agreement with Harbor Bank, N.A. for a term loan of $5 million.',
  ),
  report(
    2,
    '1.01 Entry into a Material Definitive Agreement',
    'On January 4, 2010, the Company entered into a Loan Agreement.',
  ),
  report(
    3,
    '1.02 Termination of a Material Definitive Agreement',
    'On January 5, 2010, the Company terminated its Credit Agreement with Harbor Bank, N.A.',
  ),
  report(
    4,
    '2.01 Completion of Acquisition or Disposition of Assets',
    'On January 6, 2010, the Company completed its acquisition of Delta Industries, Inc. for $20 million in cash.',
  ),
  report(
    5,
    '2.05 Costs Associated with Exit or Disposal Activities',
    'On January 7, 2010, the Board of Directors of the Company approved a plan to close its plant. The Company expects to incur total charges of approximately $3 million.',
  ),
  report(
    6,
    '3.02 Unregistered Sales of Equity Securities',
    'On January 8, 2010, the Company sold 1,000,000 shares of its common stock for $2,000,000 in cash.',
  ),
  report(
    7,
    '5.03 Amendments to Articles of Incorporation or Bylaws; Change in Fiscal Year',
    'On January 9, 2010, the Board of Directors amended the Bylaws of the Company, effective January 9, 2010.',
  ),
  report(
    8,
    '8.01 Other Events',
    'On January 10, 2010, the Board of Directors authorized the repurchase of up to $10 million of the Company’s common stock.',
    'On January 11, 2010, the Board of Directors declared a quarterly cash dividend of $0.10 per share of common stock, payable on February 15, 2010 to holders of record on February 1, 2010.',
  ),
  report(9, '8.01 Other Events', 'The Company opened a plant for pumps.'),
  report(
    10,
    '5.07 Submission of Matters to a Vote of Security Holders',
    'Proposal 1: Approval of the 2010 plan',
    'The holders approved it, with 1,200,300 shares in favor, 40,000 shares against and 1,500 shares abstaining.',
  ),
  {
    ...report(11, '7.01 Regulation FD Disclosure', 'The parent showed slides about its subsidiary.'),
    jointly: [[9000000302, 'OPENFILINGS SPECIMEN SUBSIDIARY LLC']],
  },
]

const root = await temporaryFolder({ after })
await writeReports(root, REPORTS)
const world = await openWorld({ after }, { root })
await listReports(root, REPORTS)
await world.crawl({ from: '2004-01-01', to: '2010-03-31', again: true })
const documents = registry.filings.find(({ slug }) => slug === 'documents')!
await request(world.sql, documents, { from: '2010-02-01', to: '2010-02-28' })
await world.drain({ datasets: ['eightk', 'documents'] })
const served = await serveWorld({ after }, world)

const events = (query: string) => served.json<Page & Record<string, unknown>>(`/eightk/events?${query}`)
const numbersOf = ({ rows }: Page) => rows.map(({ accession }) => Number(accession.slice(-6)))

test('each kind lists exactly the reports whose text names the event, with its facts and their sentences', async () => {
  const expected: [kind: string, n: number, item: string, facts: string[][]][] = [
    [
      'agreement',
      1,
      '1.01',
      [
        ['agreement', 'Loan Agreement'],
        ['agreement_kind', 'credit'],
        ['agreement_date', '2010-01-04'],
        ['agreement_party', 'Harbor Bank, N.A.'],
        ['agreement_amount', '5000000'],
      ],
    ],
    [
      'termination',
      3,
      '1.02',
      [
        ['agreement', 'Credit Agreement'],
        ['agreement_kind', 'credit'],
        ['termination_date', '2010-01-05'],
        ['agreement_party', 'Harbor Bank, N.A.'],
      ],
    ],
    [
      'deal',
      4,
      '2.01',
      [
        ['acquired', 'Delta Industries, Inc.'],
        ['completion_date', '2010-01-06'],
        ['consideration', '20000000'],
      ],
    ],
    [
      'exit',
      5,
      '2.05',
      [
        ['exit_date', '2010-01-07'],
        ['exit_cost', '3000000'],
      ],
    ],
    [
      'sale',
      6,
      '3.02',
      [
        ['sale_date', '2010-01-08'],
        ['security', 'common_stock'],
        ['securities_sold', '1000000'],
        ['sale_amount', '2000000'],
      ],
    ],
    [
      'amendment',
      7,
      '5.03',
      [
        ['amended', 'bylaws'],
        ['amendment_date', '2010-01-09'],
        ['amendment_effective_date', '2010-01-09'],
      ],
    ],
    ['repurchase', 8, '8.01', [['repurchase_amount', '10000000']]],
    [
      'dividend',
      8,
      '8.01',
      [
        ['dividend', '0.1'],
        ['dividend_record_date', '2010-02-01'],
        ['dividend_payment_date', '2010-02-15'],
      ],
    ],
  ]
  for (const [kind, n, item, facts] of expected) {
    const page = await events(`kind=${kind}`)
    assert.deepEqual(numbersOf(page), [n], kind)
    const [row] = page.rows
    assert.equal(row!.item, item)
    assert.deepEqual(
      row!.facts!.map(({ name, value }) => [name, value]),
      facts,
      kind,
    )
    for (const { evidence } of row!.facts!) assert.match(evidence.sentence, /^(?:On January|The Company expects)/)
    assert.deepEqual([row!.officers, row!.earnings, row!.delisting, row!.votes], [null, null, null, null])
  }
})

test('votes are an event with the votes of each proposal', async () => {
  const { rows } = await events('kind=vote')
  assert.deepEqual(
    rows.map(({ item, votes, facts }) => [item, facts, votes!.map(({ votes_for }) => votes_for)]),
    [['5.07', null, ['1200300']]],
  )
})

test('a list of events of one kind can be filtered, paged and counted, and refuses the filters of other kinds', async () => {
  const of = async (query: string) => numbersOf(await events(query))
  assert.deepEqual(await of(`kind=deal&cik=${CIK}`), [4])
  assert.deepEqual(await of('kind=deal&cik=320193'), [])
  assert.deepEqual(await of('kind=dividend&from=2010-02-09'), [])
  assert.deepEqual(await of('kind=dividend&from=2010-02-08&to=2010-02-08'), [8])
  assert.deepEqual(await of('kind=vote&offset=1'), [])
  const counted = await events('kind=agreement&count=exact')
  assert.equal(counted.total, 1)
  for (const query of ['kind=deal&item=2.01', 'kind=deal&event=resigned', 'kind=vote&count=event', 'kind=deals']) {
    assert.equal((await served.get(`/eightk/events?${query}`)).status, 400, query)
  }
})

test('a joint report is found by each of its filers, under the name of that filer, and says how many filed it', async () => {
  const rowsOf = async (query: string) =>
    (await events(`kind=item&item=7.01&${query}`)).rows.map(({ accession, cik, company_name, filer_count }) => [
      Number(accession.slice(-6)),
      ...[cik, company_name, filer_count],
    ])
  const parent = [11, '9000000301', 'OPENFILINGS SPECIMEN CURRENT REPORTS INC', 2]
  const subsidiary = [11, '9000000302', 'OPENFILINGS SPECIMEN SUBSIDIARY LLC', 2]
  assert.deepEqual(await rowsOf(''), [parent])
  assert.deepEqual(await rowsOf('cik=9000000301'), [parent])
  assert.deepEqual(await rowsOf('cik=9000000302'), [subsidiary])
  const detail = await served.json<Detail>(`/eightk/by-accession/9000000301-10-000011`)
  assert.deepEqual([detail.filing.cik, detail.filing.filer_count], ['9000000301', 2])
  const { rows } = await events('kind=item&item=8.01&cik=9000000301')
  assert.deepEqual([...new Set(rows.map(({ filer_count }) => filer_count))], [1])
})

test('the text of a joint report is found by each of its filers, under the name of that filer', async () => {
  const found = async (query: string) => {
    const { rows } = await served.json<{ rows: Record<string, unknown>[] }>(`/text-search?q=slides&${query}`)
    return rows.map(({ accession, cik, company_name }) => [accession, cik, company_name])
  }
  const parent = ['9000000301-10-000011', '9000000301', 'OPENFILINGS SPECIMEN CURRENT REPORTS INC']
  assert.deepEqual(await found(''), [parent])
  assert.deepEqual(await found('cik=9000000301'), [parent])
  assert.deepEqual(await found('cik=9000000302'), [
    ['9000000301-10-000011', '9000000302', 'OPENFILINGS SPECIMEN SUBSIDIARY LLC'],
  ])
  assert.deepEqual(await found('cik=9000000303'), [])
  const days = (cik: string) => daysOfFilings(world.sql, { cik }, ['9000000301-10-000011', '9000000301-10-000001'])
  assert.deepEqual(await days('9000000302'), { first: '2010-02-11', last: '2010-02-11' })
  assert.deepEqual(await days('9000000301'), { first: '2010-02-01', last: '2010-02-11' })
})

test('a list of events of one kind is also a feed', async () => {
  const response = await served.get('/eightk/events?kind=deal&format=atom')
  assert.equal(response.status, 200)
  assert.match(await response.text(), /<entry>[\s\S]*9000000301-10-000004/)
})
