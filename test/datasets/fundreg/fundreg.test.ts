/** Launches of funds over a test EDGAR: announcements, stages, and the content of prospectuses. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { advisersOf } from '../../../src/datasets/fundreg/advisers.ts'
import type { LaunchDetail, LaunchPage } from '../../../src/datasets/fundreg/answers.ts'
import { feesOf } from '../../../src/datasets/fundreg/fees/table.ts'
import fundreg from '../../../src/datasets/fundreg/index.ts'
import { stepsOf } from '../../../src/datasets/fundreg/pipeline.ts'
import { search } from '../../../src/datasets/fundreg/routes.ts'
import { testContext } from '../../support/context.ts'
import { assertQuick } from '../../support/effort.ts'
import { serveWorld } from '../../support/served.ts'
import { everyRow, openWorld, temporaryFolder, type World, writeIndex } from '../../support/world.ts'

const [TRUST, CLOSED, OLD, KNOWN] = [9000000401, 9000000402, 9000000403, 9000000404]
const NAMES: Record<number, string> = {
  [TRUST]: 'OPENFILINGS SPECIMEN TRUST',
  [CLOSED]: 'SPECIMEN CLOSED-END FUND',
  [OLD]: 'SPECIMEN FUND OF 1999',
  [KNOWN]: 'SPECIMEN FUND THAT REPORTS',
}

type Named = [id: string, name: string, classes: [id: string, name: string, ticker?: string][]]
interface Made {
  n: number
  form: string
  day: string
  cik?: number
  fresh?: Named[]
  known?: Named[]
  effective?: string
  body?: string
}

const GROWTH: Named = ['S000000401', 'Specimen Growth ETF', [['C000000401', 'Specimen Growth ETF']]]
const LISTED: Named = ['S000000401', 'Specimen Growth ETF', [['C000000401', 'Specimen Growth ETF', 'GRWT']]]
const INCOME: Named = ['S000000402', 'Specimen Income Fund', [['C000000402', 'Class A'], ['C000000403', 'Class I']]] // biome-ignore format: a table

const [FIRST, SECOND]: Named[] = [
  ['S000000411', 'Specimen Bond Fund', [['C000000411', 'Class A'], ['C000000412', 'Class I']]],
  ['S000000412', 'Specimen Stock Fund', [['C000000413', 'Specimen Stock Fund']]],
] // biome-ignore format: two series

/** Returns the expense example of a new fund with two classes. */
const exampleOf = (figure: (percent: string) => string) => {
  // A draft leaves the amounts blank too.
  const amount = (dollars: string) => (figure('1') === '1%' ? `$${dollars}` : '$[ ]')
  return `<p>Example: you invest $10,000 at 5% a year, and then redeem all of your shares.</p>
<table><tr><td></td><td>1 Year</td><td>3 Years</td></tr>
<tr><td>Class A</td><td>${amount('61')}</td><td>${amount('192')}</td></tr>
<tr><td>Class I (sold or held)</td><td>${amount('36')}</td><td>${amount('113')}</td></tr></table>`
}

/** A prospectus of both funds, each below a heading of its own; a draft leaves the figures blank. */
const ofBoth = (figure: (percent: string) => string) =>
  `<p>${'What both funds have in common is said here. '.repeat(20)}</p>
<h2>Specimen Bond Fund</h2><h3>Investment Objective</h3><p>${'The fund buys bonds of specimens. '.repeat(20)}</p>
<p>Annual Fund Operating Expenses</p><table><tr><td></td><td>Class A</td><td>Class I</td></tr>
<tr><td>Management Fees</td><td>${figure('0.30')}</td><td>${figure('0.30')}</td></tr>
<tr><td>Total Annual Fund Operating Expenses</td><td>${figure('0.60')}</td><td>${figure('0.35')}</td></tr></table>
${exampleOf(figure)}
<h2>Specimen Stock Fund</h2><h3>Investment Objective</h3><p>${'The fund buys stocks of specimens. '.repeat(20)}</p>
<p>Annual Fund Operating Expenses</p><table>
<tr><td>Management Fees</td><td>${figure('0.70')}</td></tr>
<tr><td>Total Annual Fund Operating Expenses</td><td>${figure('0.90')}</td></tr></table>`

const FEES = `<p><b>Annual Fund Operating Expenses</b></p><table><tr><td></td><td>Class A</td><td>Class I</td></tr>
<tr><td>Management Fees</td><td>0.50%</td><td>0.50%</td></tr><tr><td>Other Expenses</td><td>0.20%</td><td>N/A</td></tr>
<tr><td>Total Annual Fund Operating Expenses</td><td>0.70%</td><td>about 0.6%</td></tr></table>
<p>Example: you invest $10,000 at 5% a year. The costs are in the supplement.</p>
<table><tr><td>Management Fees</td><td>about 0.50%</td></tr>
<tr><td>Total Annual Fund Operating Expenses</td><td>about 0.70%</td></tr></table>`

const FILINGS: readonly Made[] = [
  { n: 1, form: '485APOS', day: '2024-01-10', fresh: [GROWTH, INCOME] },
  { n: 2, form: '485BXT', day: '2024-03-10', known: [GROWTH] },
  { n: 3, form: '485APOS', day: '2024-03-20', known: [GROWTH] },
  { n: 4, form: '485BPOS', day: '2024-04-01', known: [LISTED], effective: '2024-04-02' },
  { n: 5, form: '485APOS', day: '2024-05-01', known: [GROWTH] },
  { n: 6, form: 'RW', day: '2024-02-15', known: [INCOME] },
  { n: 7, form: '497K', day: '2024-06-01', known: [INCOME], body: FEES },
  { n: 8, form: '485APOS', day: '2024-01-02', fresh: [FIRST!, SECOND!], body: ofBoth(() => '[ ]%') },
  { n: 9, form: '485BPOS', day: '2024-05-20', known: [FIRST!, SECOND!], body: ofBoth((percent) => `${percent}%`) },
  { n: 1, form: 'N-2', day: '2024-02-01', cik: CLOSED },
  { n: 5, form: 'AW', day: '2024-02-20', cik: CLOSED },
  { n: 2, form: 'N-2/A', day: '2024-03-01', cik: CLOSED },
  { n: 3, form: 'EFFECT', day: '2024-03-05', cik: CLOSED },
  { n: 4, form: 'N-2', day: '2024-06-05', cik: CLOSED },
  { n: 1, form: 'N-1A', day: '2024-01-05', cik: OLD },
  // This filing offers more shares of a fund that reported before. It is not a launch, although the fund's first N-2 is
  // not loaded.
  { n: 1, form: 'NPORT-P', day: '2024-02-28', cik: KNOWN },
  { n: 2, form: 'N-2', day: '2024-05-05', cik: KNOWN },
]

const accessionOf = (n: number, cik = TRUST) => `${cik}-24-${String(n).padStart(6, '0')}`
const pathOf = ({ n, cik = TRUST }: Made) => `edgar/data/${cik}/${accessionOf(n, cik)}.txt`

const seriesText = (tag: string, all: readonly Named[], cik: number) =>
  all
    .map(
      ([id, name, classes]) =>
        `<${tag}>\n<OWNER-CIK>${cik}\n<SERIES-ID>${id}\n<SERIES-NAME>${name}\n${classes.map(([c, title, ticker]) => `<CLASS-CONTRACT>\n<CLASS-CONTRACT-ID>${c}\n<CLASS-CONTRACT-NAME>${title}\n${ticker ? `<CLASS-CONTRACT-TICKER-SYMBOL>${ticker}\n` : ''}</CLASS-CONTRACT>\n`).join('')}</${tag}>\n`,
    )
    .join('')

function submission(made: Made): string {
  const { n, form, day, cik = TRUST, fresh = [], known = [], effective, body = '<p>A prospectus.</p>' } = made
  const date = day.replaceAll('-', '')
  const named = [
    known.length > 0
      ? `<EXISTING-SERIES-AND-CLASSES-CONTRACTS>\n${seriesText('SERIES', known, cik)}</EXISTING-SERIES-AND-CLASSES-CONTRACTS>\n`
      : '',
    fresh.length > 0
      ? `<NEW-SERIES-AND-CLASSES-CONTRACTS>\n${seriesText('NEW-SERIES', fresh, cik)}</NEW-SERIES-AND-CLASSES-CONTRACTS>\n`
      : '',
  ].join('')
  return `<SEC-DOCUMENT>${accessionOf(n, cik)}.txt : ${date}
<SEC-HEADER>${accessionOf(n, cik)}.hdr.sgml : ${date}
ACCESSION NUMBER:\t\t${accessionOf(n, cik)}
CONFORMED SUBMISSION TYPE:\t${form}
PUBLIC DOCUMENT COUNT:\t\t1
FILED AS OF DATE:\t\t${date}
${effective ? `EFFECTIVENESS DATE:\t\t${effective.replaceAll('-', '')}\n` : ''}
FILER:

\tCOMPANY DATA:
\t\tCOMPANY CONFORMED NAME:\t\t\t${NAMES[cik]}
\t\tCENTRAL INDEX KEY:\t\t\t${cik}

\tFILING VALUES:
\t\tFORM TYPE:\t\t${form}
\t\tSEC ACT:\t\t1933 Act
\t\tSEC FILE NUMBER:\t333-990400

${named ? `<SERIES-AND-CLASSES-CONTRACTS-DATA>\n${named}</SERIES-AND-CLASSES-CONTRACTS-DATA>\n` : ''}</SEC-HEADER>
<DOCUMENT>
<TYPE>${form}
<SEQUENCE>1
<FILENAME>fund.htm
<TEXT>
<html><body>${body}</body></html>
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
`
}

async function write(root: string): Promise<void> {
  for (const made of FILINGS) {
    const file = path.join(root, 'Archives', pathOf(made))
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, submission(made))
  }
}

/** Lists and reads these filings, and an earlier N-1A if `past` is true. */
async function load({ crawl, drain }: World, root: string, filings: readonly Made[], past = false): Promise<void> {
  for (const [quarter, first, last] of [
    ['2024/QTR1', '01', '03'],
    ['2024/QTR2', '04', '06'],
  ] as const) {
    const own = filings.filter(({ day }) => day.slice(5, 7) >= first && day.slice(5, 7) <= last)
    const lines = own.map((made) =>
      [made.cik ?? TRUST, NAMES[made.cik ?? TRUST], made.form, made.day, pathOf(made)].join('|'),
    )
    await writeIndex(root, quarter, lines)
  }
  await writeIndex(
    root,
    '1999/QTR1',
    past ? [`${OLD}|${NAMES[OLD]}|N-1A|1999-02-02|edgar/data/${OLD}/${OLD}-99-000001.txt`] : [],
  )
  if (past) await crawl({ from: '1999-01-01', to: '1999-03-31', again: true })
  await crawl({ from: '2024-01-01', to: '2024-06-30', again: true })
  await drain({ datasets: ['fundreg', 'offerings', 'documents'] })
}

const root = await temporaryFolder({ after })
await write(root)
const world = await openWorld({ after }, { root })
await load(world, root, FILINGS)
const served = await serveWorld({ after }, world)

const rows = async (query = '') =>
  (await served.json<LaunchPage & Record<string, unknown>>(`/fund-launches?limit=50${query}`)).rows
const detail = (n: number, cik = TRUST) =>
  served.json<LaunchDetail & Record<string, unknown>>(`/fund-launches/by-accession/${accessionOf(n, cik)}`)

test('new series of a 485APOS and a first N-2 are launches; existing series, a later N-2, and the N-2 of a fund that already reports are not', async () => {
  assert.deepEqual(
    (await rows()).map(({ series_name, bucket, form }) => [series_name, bucket, form]),
    [
      ['SPECIMEN CLOSED-END FUND', 'CEF', 'N-2'],
      ['Specimen Income Fund', 'ETF/OEF', '485APOS'],
      ['Specimen Growth ETF', 'ETF/OEF', '485APOS'],
      ['SPECIMEN FUND OF 1999', 'ETF/OEF', 'N-1A'],
      ['Specimen Stock Fund', 'ETF/OEF', '485APOS'],
      ['Specimen Bond Fund', 'ETF/OEF', '485APOS'],
    ],
  )
})

test('a launch passes through its stages, each with its filing, and ends on the day on which it becomes effective', async () => {
  const { stages, filing, focus_series } = await detail(1)
  assert.equal(focus_series!.series_id, 'S000000401')
  assert.deepEqual(
    stages!.map(({ stage, date, accession }) => [stage, date, Number(accession.slice(-6))]),
    [
      ['filed', '2024-01-10', 1],
      ['delayed', '2024-03-10', 2],
      ['amended', '2024-03-20', 3],
      ['effective', '2024-04-02', 4],
    ],
  )
  assert.deepEqual([filing.stage, filing.stage_date, filing.new_series_count], ['effective', '2024-04-02', 2])
  const [growth] = await rows('&q=growth')
  assert.deepEqual(growth!.tickers, ['GRWT'], 'tickers come with the prospectus')
})

test('a withdrawal that names a series ends only its launch; a notice of effectiveness ends the launch of a closed-end fund', async () => {
  const stages = new Map(
    (await rows()).map(({ series_name, stage, stage_date }) => [series_name, `${stage} ${stage_date}`]),
  )
  assert.equal(stages.get('Specimen Income Fund'), 'withdrawn 2024-02-15')
  assert.equal(stages.get('Specimen Growth ETF'), 'effective 2024-04-02')
  assert.equal(stages.get('SPECIMEN CLOSED-END FUND'), 'effective 2024-03-05')
})

test('fees have their evidence and class, an invalid percentage is null with the reason, and a launch shows the fees of its prospectus', async () => {
  const { fees } = await detail(7)
  assert.deepEqual(
    fees!.map(({ item, class_name, class_id, value, reason }) => [item, class_name, class_id, value, reason]),
    [
      ['management', 'Class A', 'C000000402', '0.50', null],
      ['management', 'Class I', 'C000000403', '0.50', null],
      ['other', 'Class A', 'C000000402', '0.20', null],
      ['other', 'Class I', 'C000000403', null, 'stated as not applicable'],
      ['total', 'Class A', 'C000000402', '0.70', null],
      ['total', 'Class I', 'C000000403', null, 'is not a valid percentage'],
    ].map(([item, name, id, value, reason]) => [item, name, id, value && String(Number(value)), reason]),
  )
  const { text } = await served.json<{ text: string }>(`/doc-text/fundreg/${accessionOf(7)}`)
  for (const { evidence } of fees!)
    assert.equal(text.slice(evidence.offset!, evidence.offset! + evidence.length!), evidence.sentence)
  assert.equal((await detail(1)).fees, undefined, 'fees of another series are not those of this filing')
  const ofGrowth = await detail(3)
  assert.deepEqual([ofGrowth.fees, ofGrowth.narrative, ofGrowth.stages], [undefined, undefined, undefined])
})

test('a launch shows the expense examples of its prospectus by class and case, each with its row, and a draft shows none', async () => {
  const { expense_examples: examples, expense_examples_accession: source } = await detail(8)
  assert.equal(source, accessionOf(9), 'the draft leaves its amounts blank')
  assert.deepEqual(
    examples!.map(({ class_id, years, is_redeemed, value, investment }) => [
      class_id,
      years,
      is_redeemed,
      value,
      investment,
    ]),
    [
      ['C000000411', 1, true, '61', '10000'],
      ['C000000411', 3, true, '192', '10000'],
      ['C000000412', 1, true, '36', '10000'],
      ['C000000412', 1, false, '36', '10000'],
      ['C000000412', 3, true, '113', '10000'],
      ['C000000412', 3, false, '113', '10000'],
    ],
  )
  const { text } = await served.json<{ text: string }>(`/doc-text/fundreg/${accessionOf(9)}`)
  for (const { evidence } of examples!)
    assert.equal(text.slice(evidence.offset!, evidence.offset! + evidence.length!), evidence.sentence)
  assert.equal((await detail(3)).expense_examples, undefined, 'no filing about the fund has an example')
  const [draft] = await world.sql<[{ reasons: string[] }]>`
    select array_agg(distinct reason) as reasons from fundreg.expense_example where accession = ${accessionOf(8)}`
  assert.deepEqual(draft.reasons, ['left blank'])
})

test('an example or a fee table that cannot be read is a problem of the filing, and `left_out` says so', async () => {
  assert.deepEqual((await detail(7)).filing.left_out, ['fee', 'expense_example'])
  assert.deepEqual((await detail(9)).filing.left_out, [])
  const [task] = await world.sql<[{ problems: { path: string; reason: string }[] }]>`
    select problems from edgar.task where accession = ${accessionOf(7)} and dataset = 'fundreg'`
  assert.deepEqual(
    task.problems.flatMap(({ path: at, reason }) => (at === 'expense example' ? [reason] : [])),
    ['no amounts by year were found'],
  )
  assert.deepEqual(
    task.problems.flatMap(({ path: at, reason }) => (at.startsWith('fee table at ') ? [reason] : [])),
    ['has the items of a fee table, but no fee could be read'],
  )
})

test('if a filing announces several series, each series has a detail with its own stages and fees', async () => {
  const of = (series: string) =>
    served.json<LaunchDetail & Record<string, unknown>>(
      `/fund-launches/by-accession/${accessionOf(8)}?series=${series}`,
    )
  for (const [id, figures] of [
    [
      'S000000411',
      [
        ['management', 'C000000411', '0.3'],
        ['management', 'C000000412', '0.3'],
        ['total', 'C000000411', '0.6'],
        ['total', 'C000000412', '0.35'],
      ],
    ],
    [
      'S000000412',
      [
        ['management', 'C000000413', '0.7'],
        ['total', 'C000000413', '0.9'],
      ],
    ],
  ] as const) {
    // biome-ignore format: two series
    const { focus_series, stages, fees, fees_accession } = await of(id)
    assert.equal(focus_series!.series_id, id)
    assert.deepEqual(
      stages!.map(({ stage }) => stage),
      ['filed', 'effective'],
    )
    assert.deepEqual(
      fees!.map(({ item, class_id, value }) => [item, class_id, value]),
      figures,
    )
    assert.equal(fees_accession, accessionOf(9), 'the draft leaves its figures blank')
  }
  assert.equal(
    (await detail(8)).focus_series!.series_id,
    'S000000411',
    'without a series of its own, the filing shows the series that was announced first',
  )
  const { narrative } = await detail(8)
  assert.deepEqual(
    narrative!.map(({ kind, series_id }) => [kind, series_id]),
    [
      ['objective', 'S000000411'],
      ['objective', 'S000000412'],
    ],
  )
  const unknown = await served.get(`/fund-launches/by-accession/${accessionOf(8)}?series=S000000401`)
  assert.equal(unknown.status, 404)
})

test('a fund is not a launch if the index of an earlier year, loaded later, shows that it was registered before', async (t) => {
  const own = await temporaryFolder(t)
  await write(own)
  const other = await openWorld(t, { root: own })
  const names = async () =>
    ((await search.run(search.input.parse({}), testContext(other.sql))) as LaunchPage).rows.map(
      ({ series_name }) => series_name,
    )
  await load(
    other,
    own,
    FILINGS.filter(({ cik }) => cik === OLD),
  )
  assert.deepEqual(await names(), ['SPECIMEN FUND OF 1999'])
  await load(
    other,
    own,
    FILINGS.filter(({ cik }) => cik === OLD),
    true,
  )
  assert.deepEqual(await names(), [])
})

test('launches and their stages do not depend on the order in which filings are listed and read', async (t) => {
  const of = async ({ sql }: World) => {
    const { 'fundreg.launch': launches, 'fundreg.step': steps } = await everyRow(sql)
    return { launches, steps }
  }
  const wanted = await of(world)
  assert.equal(wanted.steps!.length, 14)
  const own = await temporaryFolder(t)
  await write(own)
  const other = await openWorld(t, { root: own })
  for (const most of [3, 7, 10, FILINGS.length]) await load(other, own, FILINGS.toReversed().slice(0, most))
  assert.deepEqual(await of(other), wanted)
})

test('`bucket` and `q` filter the list, each order lists all rows, and cursor pages equal offset pages', async () => {
  assert.deepEqual(
    (await rows('&bucket=cef')).map(({ bucket }) => bucket),
    ['CEF'],
  )
  assert.equal((await rows('&bucket=etf')).length, 5)
  assert.equal((await rows('&q=specimen trust')).length, 4, 'the trust finds its series')
  for (const sort of ['date', 'name', 'stage_date']) {
    for (const dir of ['asc', 'desc']) {
      const all = (await rows(`&sort=${sort}&dir=${dir}`)).map(({ series_name }) => series_name)
      const walked: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const address = `/fund-launches?limit=1&paginate=cursor&sort=${sort}&dir=${dir}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
        const page: LaunchPage & Record<string, unknown> = await served.json(address)
        walked.push(...page.rows.map(({ series_name }) => series_name))
        cursor = page.next_cursor ?? null
      }
      assert.deepEqual(walked, all, `${sort} ${dir}`)
      assert.equal(all.length, 6)
    }
  }
})

test('filings before the announcement or after the end of a launch do not belong to it', () => {
  const filing = (n: number, form: string, filed_date: string) => ({
    accession: accessionOf(n),
    form,
    filed_date,
    effective_date: null,
  })
  const steps = stepsOf(filing(5, '485APOS', '2024-03-01'), [
    filing(1, '485BPOS', '2024-01-01'),
    filing(6, '497K', '2024-03-02'),
    filing(8, '485BPOS', '2024-05-01'),
    filing(7, 'AW', '2024-04-01'),
  ])
  assert.deepEqual(
    steps.map(({ stage, form }) => `${stage} ${form}`),
    ['filed 485APOS', 'withdrawn AW'],
  )
  assert.ok(fundreg.source.kind === 'filings')
})

test('a header that names two thousand new series, one of them twice, gives as many launches, each with its own stage', async (t) => {
  const own = await temporaryFolder(t)
  const many = Array.from(
    { length: 2_000 },
    (_, i): Named => [
      `S${String(500_000 + i).padStart(9, '0')}`,
      `Specimen Fund ${i}`,
      [[`C${String(500_000 + i).padStart(9, '0')}`, 'Class A']],
    ],
  )
  const filings: Made[] = [
    { n: 20, form: '485APOS', day: '2024-01-10', fresh: [...many, many[0]!] },
    { n: 21, form: '485APOS', day: '2024-02-10', known: [many[0]!, many[0]!] },
  ]
  for (const made of filings) {
    const file = path.join(own, 'Archives', pathOf(made))
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, submission(made))
  }
  const other = await openWorld(t, { root: own })
  await load(other, own, filings)
  const [counted] = await other.sql<[{ launches: number; steps: number; amended: number }]>`
    select (select count(*)::int from fundreg.launch) as launches, (select count(*)::int from fundreg.step) as steps,
      (select count(*)::int from fundreg.step where stage = 'amended') as amended`
  assert.deepEqual(counted, { launches: 2_000, steps: 2_001, amended: 1 })
})

test('hostile prospectuses are read in bounded time', async () => {
  const caption = 'Annual Fund Operating Expenses\n\n'
  const hostile = [
    `${caption}${'|'.repeat(1_000_000)}`,
    `${caption}| Management Fees | ${'0.1% | '.repeat(200_000)}`,
    `${caption}${`| Management Fees${' '.repeat(3_000)}| 1% |\n`.repeat(60)}`,
    caption.repeat(50_000),
    `${caption}| Total annual ${'x '.repeat(1_900)} | 1% |\n`.repeat(200),
    `${'Aaaa Bbbb '.repeat(100_000)}LLC serves`,
    `${'Specimen Advisers LLC serves as '.repeat(30_000)}`,
    `${'Adviser: '.repeat(100_000)}`,
    `${'A '.repeat(500_000)}`,
    `| ${'(1)'.repeat(1_000)} | 1% |`,
  ]
  for (const text of hostile) {
    await assertQuick(text, () => {
      feesOf(text)
      advisersOf(text)
    })
  }
})
