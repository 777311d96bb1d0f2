/** Proxy statements over a test EDGAR: their company, their facts about the meeting, and missing values. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import type { ProxyPage } from '../../../src/datasets/proxies/answers.ts'
import { CATEGORY_OF } from '../../../src/datasets/proxies/forms.ts'
import proxies from '../../../src/datasets/proxies/index.ts'
import { payOf } from '../../../src/datasets/proxies/pay.ts'
import type { ProxyDetail } from '../../../src/datasets/proxies/queries.ts'
import { statementOf } from '../../../src/datasets/proxies/statement.ts'
import { assertQuick } from '../../support/effort.ts'
import { serveWorld } from '../../support/served.ts'
import { everyRow, openWorld, temporaryFolder, writeIndex } from '../../support/world.ts'

const [COMPANY, OTHER, RIVAL, JOINT] = [9000000301, 9000000302, 9000000303, 9000000304]
const NAMES = {
  [COMPANY]: 'OPENFILINGS SPECIMEN VOTERS INC',
  [OTHER]: 'ÄNDERS SPECIMEN CORP',
  [RIVAL]: 'SPECIMEN RIVAL LP',
  [JOINT]: 'SPECIMEN SEQUOIA TRUST',
}

interface Made {
  n: number
  form: string
  day: string
  cik?: number
  /** Another company, if the statement is a joint one. */
  with?: number
  /** The filer, if it is not the company. */
  by?: number
  body: string
}

const accessionOf = (n: number) => `9000000301-24-${String(n).padStart(6, '0')}`
const paragraphs = (...texts: string[]) => texts.map((text) => `<p>${text}</p>`).join('\n')

const NOTICE = paragraphs(
  'NOTICE OF ANNUAL MEETING OF STOCKHOLDERS',
  'The annual meeting of stockholders of the company will be held on Thursday, May 16, 2024, at 9 a.m. in St. Paul, for the following purposes:',
  '1. To elect two directors;',
  '2. To ratify the appointment of Specimen Auditors LLP; and',
  '3. To vote on a stockholder proposal on paper; and',
  '4. To transact such other business as may properly come before the meeting.',
  'Only holders of record at the close of business on March 18, 2024 may vote. Our board recommends a vote FOR Items 1 and 2 and AGAINST Item 3.',
  'The dividend is paid to holders of record at the close of business on April 2, 2024. Our next meeting will be held on May 15, 2026.',
)
const party = (role: string, cik: number) => `${role}:

\tCOMPANY DATA:
\t\tCOMPANY CONFORMED NAME:\t\t\t${NAMES[cik]}
\t\tCENTRAL INDEX KEY:\t\t\t${cik}
\t\tSTANDARD INDUSTRIAL CLASSIFICATION:\tPAPER MILLS [2621]
\t\tFISCAL YEAR END:\t\t\t1231

\tBUSINESS ADDRESS:
\t\tCITY:\t\t\tBOSTON
`

const FILINGS: readonly Made[] = [
  { n: 1, form: 'DEF 14A', day: '2024-04-01', body: NOTICE },
  { n: 2, form: 'PRE 14A', day: '2024-03-20', body: NOTICE.replace('May 16, 2024', 'May 17, 2024') },
  {
    n: 3,
    form: 'DFAN14A',
    day: '2024-04-10',
    by: RIVAL,
    body: paragraphs(
      'Vote our card. The Annual Meeting is scheduled for May 16, 2024.',
      'Proposal 1: Election of directors',
      'We recommend a vote “FOR” our nominees in Proposal 1: our board of advisers recommends a vote FOR Proposal 1.',
    ),
  },
  { n: 4, form: 'DEFA14A', day: '2024-04-12', body: paragraphs('A letter.') },
  { n: 5, form: 'DEF 14C', day: '2024-02-01', cik: OTHER, body: paragraphs('No proxy is asked for.') },
  {
    n: 6,
    form: 'DEFM14A',
    day: '2024-06-01',
    cik: OTHER,
    body: paragraphs(
      'NOTICE OF SPECIAL MEETING',
      'A special meeting will be held on July 9, 2024 to vote on the merger.',
      'The special meeting will be held on July 10, 2024.',
      'The record date is June 3, 2024.',
    ),
  },
  { n: 7, form: 'DEF 14A', day: '2024-04-03', cik: OTHER, body: '' },
  { n: 8, form: 'DEFA14A', day: '2024-05-02', with: JOINT, body: paragraphs('A letter of two funds.') },
]

const root = await temporaryFolder({ after })
for (const made of FILINGS) {
  const { n, form, day, cik = COMPANY, with: joint, by, body } = made
  const file = path.join(root, 'Archives', pathOf(made))
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(
    file,
    `<SEC-DOCUMENT>${accessionOf(n)}.txt : ${day.replaceAll('-', '')}
<SEC-HEADER>${accessionOf(n)}.hdr.sgml : ${day.replaceAll('-', '')}
ACCESSION NUMBER:\t\t${accessionOf(n)}
CONFORMED SUBMISSION TYPE:\t${form}
PUBLIC DOCUMENT COUNT:\t\t1
FILED AS OF DATE:\t\t${day.replaceAll('-', '')}

${by ? party('FILED BY', by) + party('SUBJECT COMPANY', cik) : party('FILER', cik)}
${joint ? party('FILER', joint) : ''}
</SEC-HEADER>
<DOCUMENT>
<TYPE>${form}
<SEQUENCE>1
<FILENAME>statement.htm
<TEXT>
${body && `<html><body>${body}</body></html>`}
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
`,
  )
}
function pathOf({ n, cik = COMPANY }: Made) {
  return `edgar/data/${cik}/${accessionOf(n)}.txt`
}
for (const [quarter, months] of [
  ['2024/QTR1', ['01', '02', '03']],
  ['2024/QTR2', ['04', '05', '06']],
] as const) {
  const own = FILINGS.filter(({ day }) => months.some((month) => month === day.slice(5, 7)))
  await writeIndex(
    root,
    quarter,
    own.map((made) => [made.cik ?? COMPANY, NAMES[made.cik ?? COMPANY], made.form, made.day, pathOf(made)].join('|')),
  )
}
const world = await openWorld({ after }, { root })
await world.crawl({ from: '2024-01-01', to: '2024-06-30' })
await world.drain({ datasets: ['proxies', 'documents'] })
const served = await serveWorld({ after }, world)

const rows = async (query = '') =>
  (await served.json<ProxyPage & Record<string, unknown>>(`/proxies?limit=50${query}`)).rows
const numbers = async (query: string) => (await rows(query)).map(({ accession }) => Number(accession.slice(-6)))
const detail = (n: number) =>
  served.json<ProxyDetail & Record<string, unknown>>(`/proxies/by-accession/${accessionOf(n)}`)

test("reads a statement's meeting, its proposals, and the board's recommendation on each", async () => {
  const { meeting, proposals, filing, issuer } = await detail(1)
  assert.deepEqual(meeting, { date: '2024-05-16', kind: 'annual', record_date: '2024-03-18' })
  assert.deepEqual(
    proposals.map(({ number, title, recommendation }) => [number, title, recommendation]),
    [
      [1, 'To elect two directors', 'for'],
      [2, 'To ratify the appointment of Specimen Auditors LLP', 'for'],
      [3, 'To vote on a stockholder proposal on paper', 'against'],
    ],
  )
  assert.deepEqual([filing.proposal_count, filing.left_out], [3, []])
  assert.deepEqual([issuer.sic, issuer.fiscal_year_end, issuer.address?.city], ['2621', '1231', 'BOSTON'])
})

test('every fact is found in the text of the document at the place of its evidence', async () => {
  const { facts } = await detail(1)
  assert.equal(facts.length, 9)
  const { text } = await served.json<{ text: string }>(`/doc-text/proxies/${accessionOf(1)}`)
  for (const { evidence, name } of facts) {
    const { sequence, offset, length, sentence } = evidence
    assert.deepEqual([sequence, text.slice(offset, offset + length)], [1, sentence], name)
  }
})

test('a joint statement is found by the CIK and the name of each company, and is shown under the name of the requested one', async () => {
  const found = async (query: string) =>
    (await rows(query)).map(({ accession, cik, company_name, company_count }) => [
      Number(accession.slice(-6)),
      ...[Number(cik), company_name, company_count],
    ])
  const joint = [8, JOINT, NAMES[JOINT], 2]
  assert.deepEqual(await found(`&cik=${JOINT}`), [joint])
  assert.deepEqual(await found('&q=sequoia'), [[8, COMPANY, NAMES[COMPANY], 2]])
  assert.deepEqual(
    (await found(`&cik=${COMPANY}`)).filter(([n]) => n === 8),
    [[8, COMPANY, NAMES[COMPANY], 2]],
  )
  assert.deepEqual(
    (await found(`&cik=${OTHER}`)).map(([n, , , count]) => [n, count]),
    [
      [6, 1],
      [7, 1],
      [5, 1],
    ],
  )
  assert.deepEqual(await found(`&cik=${RIVAL}`), [], 'a filer who opposes the board is not the company')
})

test("a recommendation of a filer who opposes the board is not read as the board's", async () => {
  const { proposals } = await detail(3)
  assert.deepEqual(
    proposals.map(({ title, recommendation }) => [title, recommendation]),
    [['Election of directors', null]],
  )
  const text = 'Proposal 1: Election of directors\n\nThe board recommends a vote FOR Proposal 1.'
  const vote = (isOfCompany: boolean) =>
    statementOf(text, { filedDate: '2024-04-01', isOfCompany }).proposals[0]!.recommendation
  assert.deepEqual([vote(true)?.value, vote(false)], ['for', null])
})

test('a filing by another person about the company is listed under the company and names its filer', async () => {
  const [row] = await rows('&category=dissident')
  assert.deepEqual(
    [row!.company_name, row!.cik, row!.filed_by_name, row!.filed_by_cik, row!.meeting_date],
    [NAMES[COMPANY], String(COMPANY), NAMES[RIVAL], String(RIVAL), '2024-05-16'],
  )
  assert.deepEqual(
    (await detail(1)).other_filings.map(({ accession }) => Number(accession.slice(-6))),
    [8, 4, 3, 2],
  )
  assert.equal((await detail(1)).filing.filed_by_cik, null)
})

test('leaves out two contradicting meeting dates, names the omitted fact, and reads the facts next to them', async () => {
  const { meeting, filing } = await detail(6)
  assert.deepEqual(meeting, { date: null, kind: 'special', record_date: '2024-06-03' })
  assert.deepEqual(filing.left_out, ['meeting_date'])
})

test('a document without text gives a row without facts, with the reason among the problems', async () => {
  const { meeting, proposals } = await detail(7)
  assert.deepEqual([meeting, proposals], [{ date: null, kind: null, record_date: null }, []])
  const [task] = await world.sql<{ problems: { reason: string }[] }[]>`
    select problems from edgar.task where accession = ${accessionOf(7)} and dataset = 'proxies'`
  assert.match(JSON.stringify(task!.problems), /empty|no document has text|no text/)
})

test('rereading filings from cached texts gives the same rows, also for documents whose bytes are needed', async () => {
  const own = async () =>
    Object.entries(await everyRow(world.sql, { slices: [proxies] })).filter(([name]) => name.startsWith('proxies.'))
  const before = await own()
  assert.ok(before.some(([name, rows]) => name === 'proxies.proposal' && rows.length > 0))
  await world.sql`truncate proxies.statement, proxies.company, proxies.fact, proxies.proposal, proxies.pay`
  await world.sql`update edgar.task set state = 'pending' where dataset = 'proxies'`
  const { failed } = await world.drain({ datasets: ['proxies'] })
  assert.equal(failed, 0)
  assert.deepEqual(await own(), before)
})

test('name, CIK and category filter the list, each order lists all rows, and cursor pages equal offset pages', async () => {
  assert.deepEqual(await numbers(''), [6, 8, 4, 3, 7, 1, 2, 5])
  assert.deepEqual(await numbers('&q=anders'), [6, 7, 5])
  assert.deepEqual(await numbers(`&cik=${COMPANY}`), [8, 4, 3, 1, 2])
  assert.deepEqual(await numbers('&category=definitive'), [7, 1])
  assert.deepEqual(
    await numbers('&sort=name&dir=asc'),
    [5, 6, 7, 1, 2, 3, 4, 8].sort((a, b) => order(a) - order(b) || a - b),
  )
  for (const sort of ['date', 'name']) {
    for (const dir of ['asc', 'desc']) {
      const all = await numbers(`&sort=${sort}&dir=${dir}`)
      const walked: number[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const address = `/proxies?limit=2&paginate=cursor&sort=${sort}&dir=${dir}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
        const page: ProxyPage & Record<string, unknown> = await served.json(address)
        walked.push(...page.rows.map(({ accession }) => Number(accession.slice(-6))))
        cursor = page.next_cursor ?? null
      }
      assert.deepEqual(walked, all)
    }
  }
})
/** Returns the position of a filing's company in the order of names: Anders comes before OpenFilings. */
function order(n: number) {
  return FILINGS.find((made) => made.n === n)!.cik === OTHER ? 0 : 1
}

test('every form of the family has a category, and a filing is found with and without dashes', async () => {
  assert.ok(proxies.source.kind === 'filings' && proxies.source.forms.every((form) => CATEGORY_OF[form]))
  const plain = accessionOf(1).replaceAll('-', '')
  assert.deepEqual(await served.json(`/proxies/by-accession/${plain}`), await detail(1))
})

const proxyOf = (text: string, filed = '2024-04-01') => {
  const { facts, proposals, leftOut } = statementOf(text, { filedDate: filed })
  return { facts: facts.map(({ name, value }) => `${name} ${value}`), proposals, leftOut }
}

test('dates of other meetings, of dividends and of splits are not taken as the date of this meeting', () => {
  assert.deepEqual(proxyOf('The annual meeting will be held on May 16, 2019.').facts, ['meeting_kind annual'])
  assert.deepEqual(proxyOf('The record date for the dividend is March 18, 2024.').facts, [])
  assert.deepEqual(proxyOf('Holders of record at the close of business on March 18, 2024 receive the split.').facts, [])
  assert.deepEqual(proxyOf('The meeting will be held on February 30, 2024.').facts, [])
})

test('if a proxy has two meeting dates, the date that is the period in EDGAR’s header is taken', () => {
  const text = 'The annual meeting will be held on May 16, 2024.\n\nThe annual meeting will be held on May 17, 2024.'
  assert.deepEqual(proxyOf(text).leftOut, ['meeting_date'])
  const { facts } = statementOf(text, { filedDate: '2024-04-01', period: '2024-05-17' })
  assert.equal(facts.find(({ name }) => name === 'meeting_date')?.value, '2024-05-17')
})

test('a list of proposals is read only up to a gap, a row for several proposals is not read, and a missing proposal is named', () => {
  const list = (...items: string[]) => `The meeting is for the following purposes:\n\n${items.join('\n\n')}`
  assert.deepEqual(proxyOf(list('1. To elect directors', '3. To ratify the auditors')).proposals.length, 1)
  assert.deepEqual(
    proxyOf('| 1 | Election of directors | FOR |\n| --- | --- | --- |\n| 2-4 | Shareholder proposals | AGAINST |')
      .proposals,
    [],
  )
  const beyond = proxyOf(
    `${list('1. To elect directors')}\n\nThe board recommends a vote FOR Item 1 and AGAINST Item 2.`,
  )
  assert.deepEqual(beyond.leftOut, ['proposal'])
})

test('contradicting recommendations are left out, and the omission is named', () => {
  const { proposals, leftOut } = proxyOf(
    'For the following purposes:\n\n1. To elect directors\n\nThe board recommends a vote FOR Item 1.\n\nThe board recommends a vote AGAINST Item 1.',
  )
  assert.deepEqual([proposals[0]!.recommendation, leftOut], [null, ['recommendation']])
})

const context = (id: string, end: string, member = '') =>
  `<xbrli:context id="${id}"><xbrli:segment>${member && `<xbrldi:explicitMember dimension="ecd:IndividualAxis">${member}</xbrldi:explicitMember>`}</xbrli:segment><xbrli:period><xbrli:startDate>2023-01-01</xbrli:startDate><xbrli:endDate>${end}</xbrli:endDate></xbrli:period></xbrli:context>`
const tag = (name: string, of: string, value: string) =>
  `<ix:${/Name/.test(name) ? 'nonNumeric' : 'nonFraction'} name="${name}" contextRef="${of}">${value}</ix:${/Name/.test(name) ? 'nonNumeric' : 'nonFraction'}>`

test('each of two principal executive officers of a year has a row, and a value that is tagged twice with different amounts is null', () => {
  const contexts = context('y', '2023-12-31') + context('a', '2023-12-31', 'co:A') + context('b', '2023-12-31', 'co:B')
  const { rows: read, problems } = payOf(
    `<html>${contexts}${[
      tag('ecd:PeoTotalCompAmt', 'a', '100'),
      tag('ecd:PeoTotalCompAmt', 'b', '50'),
      tag('ecd:PeoName', 'a', 'Ada Specimen'),
      tag('ecd:PeoName', 'b', 'Ben Specimen'),
      tag('ecd:TotalShareholderRtnAmt', 'y', '120.5'),
      tag('us-gaap:NetIncomeLoss', 'y', '7'),
      tag('us-gaap:NetIncomeLoss', 'y', '8'),
    ].join('')}</html>`,
  )
  assert.deepEqual(
    read.map(({ peo_name, peo_total, shareholder_return, net_income }) => [
      peo_name,
      peo_total,
      shareholder_return,
      net_income,
    ]),
    [
      ['Ada Specimen', '100', '120.5', null],
      ['Ben Specimen', '50', '120.5', null],
    ],
  )
  assert.match(problems[0]!.reason, /differs for 2023-12-31/)
})

test('a name applies to every year only if one officer was paid in all of them', () => {
  const named = (contexts: string, ...facts: string[]) =>
    payOf(`<html>${contexts}${facts.join('')}</html>`).rows.map(({ fiscal_year_end, peo_name, net_income }) => [
      fiscal_year_end,
      peo_name,
      net_income,
    ])
  const years = context('y', '2023-12-31') + context('x', '2022-12-31') + context('a', '2022-12-31', 'co:A')
  const name = tag('ecd:PeoName', 'y', 'Ada Specimen')
  const both = [tag('us-gaap:ProfitLoss', 'y', '9'), tag('us-gaap:NetIncomeLoss', 'y', '7')]
  assert.deepEqual(named(years, name, ...both, tag('ecd:PeoTotalCompAmt', 'y', '1'), tag('ecd:PeoTotalCompAmt', 'x', '2')), [
    ['2023-12-31', 'Ada Specimen', '7'],
    ['2022-12-31', 'Ada Specimen', null],
  ]) // biome-ignore format: two years
  assert.deepEqual(named(years, name, tag('ecd:PeoTotalCompAmt', 'y', '1'), tag('ecd:PeoTotalCompAmt', 'a', '2'), tag('ecd:PeoTotalCompAmt', 'x', '3')).map(([, who]) => who), [
    'Ada Specimen',
    null,
    null,
  ]) // biome-ignore format: one line each
})

test('hostile statements are read in bounded time', async () => {
  const hostile = [
    'meeting '.repeat(200_000),
    `meeting will be held${' '.repeat(500_000)}`,
    'will be held '.repeat(100_000),
    'record date '.repeat(100_000),
    `of record ${'close of business '.repeat(100_000)}`,
    '| '.repeat(500_000),
    `${'| 1 '.repeat(100_000)}\n`.repeat(3),
    'FOR proposals 1, 2, '.repeat(50_000),
    `FOR ${'x '.repeat(500_000)}(Proposal 1)`,
    'recommends '.repeat(100_000),
    `For the following purposes:\n\n1. To elect\n\n2. To ratify\n\n${'ISS does not recommend FOR Proposal 1 and not recommending '.repeat(20_000)}`,
    'meeting scheduled for May 16, 2024 was '.repeat(30_000),
    '1. To elect\n\n'.repeat(50_000),
    'Proposal 1: To elect directors\n\n'.repeat(50_000),
    `For the following purposes:\n\n${Array.from({ length: 60 }, (_, i) => `${i + 1}. To elect`).join('\n\n')}\n\n${'The board recommends a vote FOR this.\n\n'.repeat(20_000)}`,
    `${'May 16, 2024 '.repeat(50_000)}`,
    '\n'.repeat(1_000_000),
    'recommends that you vote:\n\n'.repeat(30_000),
    `1. ${'('.repeat(300_000)}`,
    `[${'['.repeat(300_000)}`,
  ]
  for (const text of hostile) {
    await assertQuick(text, () => statementOf(text, { filedDate: '2024-04-01' }))
  }
})
