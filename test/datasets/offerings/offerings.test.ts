/** Initial public offerings through their stages, over a test EDGAR. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import companies from '../../../src/datasets/companies/index.ts'
import type { IpoDetail, IpoPage } from '../../../src/datasets/offerings/answers.ts'
import { KIND_OF } from '../../../src/datasets/offerings/forms.ts'
import { offeringsOf } from '../../../src/datasets/offerings/pipeline.ts'
import { detail as detailRoute, search } from '../../../src/datasets/offerings/routes.ts'
import { testContext } from '../../support/context.ts'
import {
  accessionOf,
  cover,
  form8a,
  list,
  type MadeOffering,
  notice,
  writeOfferings,
} from '../../support/offerings-made.ts'
import { serveWorld } from '../../support/served.ts'
import { everyRow, openWorld, temporaryFolder, type World } from '../../support/world.ts'

const FIRST = '333-900001'
const preliminary = cover({
  preliminary: true,
  title: '4,000,000 Shares',
  paragraphs: [
    'This is our initial public offering. We expect the initial public offering price to be between $9.00 and $11.00 per share.',
    'We have applied to list our common stock on the Nasdaq Global Market under the symbol “SPCM.”',
  ],
  foot: ['Stifel'],
})
const blank = cover({
  preliminary: true,
  title: 'Shares',
  paragraphs: ['This is our initial public offering. We expect a price between $ and $ per share.'],
})
/** A cover that does not state whether the offering is the company's first. */
const blankly = cover({
  preliminary: true,
  title: '1,000,000 Shares',
  paragraphs: ['We expect a price between $9.00 and $11.00 per share.'],
})
const priced = cover({
  title: '4,000,000 Shares',
  paragraphs: ['The initial public offering price is $10.00 per share.'],
  rows: [
    ['Initial public offering price', '$10.00', '$40,000,000'],
    ['Proceeds, before expenses, to us', '$9.30', '$37,200,000'],
  ],
  foot: ['Stifel Canaccord Genuity'],
})
const spac = cover({
  preliminary: true,
  title: '5,000,000 Units',
  paragraphs: [
    'Specimen Blank Check Inc. is a newly organized blank check company. Each unit has an offering price of $10.00.',
  ],
})
const listed = cover({
  preliminary: true,
  title: '1,000,000 Shares',
  paragraphs: [
    'Our common stock is listed on the NYSE American under the symbol “OLD.” The last reported sale price was $2.00.',
  ],
})

const quoted = cover({
  preliminary: true,
  title: '1,000,000 Shares',
  paragraphs: [
    'Our common stock is quoted on the OTCQB under the symbol “OTCS.” There is no public market for our common stock elsewhere.',
  ],
})
const seeking = cover({
  preliminary: true,
  title: '1,000,000 Shares',
  paragraphs: [
    'We have applied to list our common stock on the NYSE under the symbol “REIT.” There is no public market for it yet.',
  ],
})

const company = (n: number, name: string) => ({ cik: 9000000200 + n, name: `OPENFILINGS SPECIMEN ${name} INC` })
const A = company(1, 'OFFERINGS')
const B = company(2, 'WITHDRAWN')
const C = company(3, 'REPORTING')
const D = company(4, 'LISTED')
const E = company(5, 'BLANK CHECK')
const F = company(6, 'RETURNING')
const G = company(7, 'UNDECIDED')
const H = company(8, 'UNLISTED TRUST')
const I = company(9, 'COMING BACK')
const JOINT = company(10, 'GUARANTEEING SUBSIDIARY')

/** A company whose header has no name. */
const NAMELESS = { cik: 9000000211, name: '' }

const FILINGS: readonly MadeOffering[] = [
  // The whole course of an offering: the Form 8-A comes before effectiveness, and an enlargement has a file number of
  // its own.
  { ...A, n: 1, form: 'S-1', day: '2010-01-15', file: FIRST, content: blank },
  // A subsidiary joins the registration; its header in the next filing has no name.
  {
    ...A,
    n: 2,
    form: 'S-1/A',
    day: '2010-02-15',
    file: FIRST,
    content: preliminary,
    jointly: [[JOINT.cik, JOINT.name]],
  },
  {
    ...A,
    n: 3,
    form: 'S-1/A',
    day: '2010-03-01',
    file: FIRST,
    content: preliminary,
    jointly: [
      [JOINT.cik, ''],
      [NAMELESS.cik, NAMELESS.name],
    ],
  },
  { ...A, n: 4, form: '8-A12B', day: '2010-03-02', file: '001-90001', content: form8a(FIRST) },
  {
    ...A,
    n: 5,
    form: 'EFFECT',
    day: '2010-03-05',
    file: FIRST,
    effective: '2010-03-04',
    content: notice('S-1', '2010-03-04'),
  },
  { ...A, n: 6, form: '424B4', day: '2010-03-05', file: FIRST, content: priced },
  { ...A, n: 7, form: 'S-1MEF', day: '2010-03-05', file: '333-900002' },
  {
    ...A,
    n: 8,
    form: 'EFFECT',
    day: '2010-06-01',
    file: FIRST,
    effective: '2010-06-01',
    content: notice('POS AM', '2010-06-01'),
  },
  // Withdrawn after its class was registered.
  { ...B, n: 1, form: 'F-1', day: '2010-01-20', file: '333-900003', content: preliminary },
  { ...B, n: 2, form: '8-A12B', day: '2010-02-01', file: '001-90003', content: form8a('333-900003') },
  { ...B, n: 3, form: 'RW', day: '2010-05-01', file: '333-900003' },
  // Public by its reports, and by its cover.
  { ...C, n: 1, form: '10-K', day: '2010-01-05' },
  { ...C, n: 2, form: 'S-1', day: '2010-04-05', file: '333-900004', content: quoted },
  { ...D, n: 1, form: 'S-1', day: '2010-04-06', file: '333-900005', content: listed },
  // This company files reports although it is not listed: its first listing is an initial offering, and its other
  // sales are not.
  { ...H, n: 1, form: '10-K', day: '2010-01-06' },
  { ...H, n: 2, form: 'S-11', day: '2010-01-10', file: '333-900010', content: quoted },
  { ...H, n: 3, form: 'S-11', day: '2010-02-10', file: '333-900011', content: seeking },
  { ...H, n: 4, form: '8-A12B', day: '2010-03-10', file: '001-90011', content: form8a('333-900011') },
  { ...H, n: 5, form: 'S-11', day: '2010-04-10', file: '333-900012', content: listed },
  // Was listed once, and states again that this is the initial offering.
  { ...I, n: 1, form: '8-A12B', day: '2010-01-03', file: '001-90013' },
  { ...I, n: 2, form: '10-Q', day: '2010-01-07' },
  { ...I, n: 3, form: 'S-1', day: '2010-05-03', file: '333-900013', content: preliminary },
  // Blank check companies, by the code and by the words.
  { ...E, n: 1, form: 'S-1', day: '2010-04-07', file: '333-900006', content: spac },
  // Withdrawn, and begun again. The Form 8-A names nothing, and can concern only one offering.
  { ...F, n: 1, form: 'S-1', day: '2010-01-08', file: '333-900007', content: blank, sic: 'BLANK CHECKS [6770]' },
  { ...F, n: 2, form: 'RW', day: '2010-02-08', file: '333-900007' },
  { ...F, n: 3, form: 'RW WD', day: '2010-02-20', file: '333-900007' },
  { ...F, n: 4, form: '424B1', day: '2010-04-20', file: '333-900007', content: priced },
  { ...F, n: 5, form: '8-A12G', day: '2010-04-20', file: '000-90007' },
  // Two offerings at the same time, and a Form 8-A that can concern either.
  { ...G, n: 1, form: 'S-11', day: '2010-05-01', file: '333-900008', content: preliminary },
  { ...G, n: 2, form: 'SB-2', day: '2010-05-02', file: '333-900009', content: preliminary },
  { ...G, n: 3, form: '8-A12B', day: '2010-05-10', file: '001-90008' },
]

const root = await temporaryFolder({ after })
await writeOfferings(root, FILINGS)
const world = await openWorld({ after }, { root })
/** The report is listed last, as by an index of an earlier day that is loaded later. */
const WITHOUT_REPORT = FILINGS.filter(({ form }) => form !== '10-K' && form !== '10-Q')
await load(world, root, WITHOUT_REPORT)
const served = await serveWorld({ after }, world)

/** Lists these filings and reads them. */
async function load({ crawl, drain }: World, root: string, filings: readonly MadeOffering[]) {
  await list(root, filings)
  await crawl({ from: '2010-01-01', to: '2010-06-30', again: true })
  await drain({ datasets: ['offerings'] })
}

const rows = async (query = '') => (await served.json<IpoPage & Record<string, unknown>>(`/ipos?limit=50${query}`)).rows
const detail = (n: number, { cik }: { cik: number }) =>
  served.json<IpoDetail & Record<string, unknown>>(`/ipos/by-accession/${accessionOf(n, cik)}`)

type Links = { links: Partial<Record<'ipo' | 'ipos', { url: string; count?: number }>> }
/** The links of a filing and of its company to the offering. */
const linksOf = async (n: number, { cik }: { cik: number }) => {
  const { links: of } = await served.json<Links>(`/filing/${accessionOf(n, cik)}`)
  const { links: ofCompany } = await served.json<Links>(`/companies/${cik}`)
  return [of.ipo?.url, ofCompany.ipos?.count]
}

test('if a report that is listed later shows that the company was public, the offering and the links to it disappear', async () => {
  assert.ok((await rows()).some(({ cik }) => Number(cik) === C.cik))
  assert.deepEqual(await linksOf(2, C), [`/v1/ipos/by-accession/${accessionOf(2, C.cik)}`, 1])
  await load(world, root, FILINGS)
  assert.ok((await rows()).every(({ cik }) => Number(cik) !== C.cik))
  assert.deepEqual(await linksOf(2, C), [undefined, undefined])
})

test('a filing that belongs to an initial and to another offering shows the initial one, although the other is older', async (t) => {
  const other = { accession: accessionOf(8, A.cik), offering_accession: accessionOf(2, H.cik) }
  await world.sql`
    insert into offerings.member select (jsonb_populate_record(m, ${world.sql.json(other)})).* from offerings.member m
    where m.accession = ${other.accession}`
  t.after(
    () => world.sql`
    delete from offerings.member
    where accession = ${other.accession} and offering_accession = ${other.offering_accession}`,
  )
  assert.equal((await detail(8, A)).offering.accession, accessionOf(1, A.cik))
})

test('an offering passes through its stages, each with its filing, and has the terms of the pricing prospectus', async () => {
  const { stages, offering, issuer } = await detail(1, A)
  assert.deepEqual(
    stages.map(({ stage, date, accession }) => [stage, date, Number(accession.slice(-6))]),
    [
      ['filed', '2010-01-15', 1],
      ['amended', '2010-02-15', 2],
      ['amended', '2010-03-01', 3],
      ['listed', '2010-03-02', 4],
      ['effective', '2010-03-04', 5],
      ['priced', '2010-03-05', 6],
    ],
  )
  assert.deepEqual(
    [offering.stage, offering.stage_date],
    ['listed', '2010-03-04'],
    'a class that is registered before is listed from the day of effectiveness',
  )
  const { price, price_low, shares, gross, proceeds, underwriters } = offering.terms!
  assert.deepEqual([price, price_low, shares, gross, proceeds], ['10.00', null, '4000000', '40000000', '37200000'])
  assert.deepEqual(
    offering.covers.map(({ form, price_low, price_high, price }) => [form, price_low, price_high, price]),
    [
      ['S-1/A', '9.00', '11.00', null],
      ['S-1/A', '9.00', '11.00', null],
      ['424B4', null, null, '10.00'],
    ],
  )
  const [row] = await rows('&q=offerings')
  assert.deepEqual(
    [row!.price, row!.price_low, row!.price_high, row!.price_to_range, row!.range_moved],
    ['10.00', '9.00', '11.00', 'within', null],
  )
  assert.deepEqual(underwriters, ['Stifel', 'Canaccord Genuity'])
  assert.deepEqual([issuer.state_of_incorporation, issuer.address?.city], ['DE', 'BOSTON'])
})

test('every fact of a cover is found in the text of the document at the place of its evidence', async () => {
  const { offering } = await detail(6, A)
  assert.ok(offering.facts.length >= 6)
  for (const { evidence } of offering.facts) {
    const { sequence, offset, length, sentence } = evidence
    const text = await served.json<{ text: string }>(`/doc-text/s1/${offering.terms!.accession}?sequence=${sequence}`)
    assert.equal(text.text.slice(offset, offset + length), sentence)
  }
})

test('an offering is found by each of its filings, and a filing that belongs to no offering is not found', async () => {
  for (const n of [1, 2, 3, 4, 5, 6, 8]) assert.equal((await detail(n, A)).offering.accession, accessionOf(1, A.cik))
  assert.equal((await served.get(`/ipos/by-accession/${accessionOf(7, A.cik)}`)).status, 404)
  // The page of a filing links to its offering only if the offering has a page.
  const linkOf = async (n: number, company: { cik: number }) => (await linksOf(n, company))[0]
  assert.equal(await linkOf(2, A), `/v1/ipos/by-accession/${accessionOf(2, A.cik)}`)
  for (const [n, company] of [
    [7, A],
    [1, D],
  ] as const)
    assert.equal(await linkOf(n, company), undefined)
})

test('an S-1 of a company that was already public is not an initial offering, and the answer states what proves this', async () => {
  const why = async (n: number, { cik }: { cik: number }) => {
    const answer = await served.get(`/ipos/by-accession/${accessionOf(n, cik)}`)
    assert.equal(answer.status, 404)
    return ((await answer.json()) as { error: string }).error
  }
  assert.match(
    await why(2, C),
    new RegExp(`filed annual or quarterly reports before the offering.* \\(${accessionOf(1, C.cik)}\\)`),
  )
  assert.match(await why(1, D), /its cover says that the company is listed/)
  const names = (await rows()).map(({ cik }) => Number(cik))
  assert.deepEqual(
    names.filter((cik) => cik === C.cik || cik === D.cik),
    [],
  )
})

test('the first exchange listing of a reporting company is an initial offering; its earlier and later offerings are not', async () => {
  const found = await rows('&q=unlisted trust')
  assert.deepEqual(
    found.map(({ accession, stage, tickers }) => [accession, stage, tickers]),
    [[accessionOf(3, H.cik), 'filed', ['REIT']]],
  )
  const other = await served.get(`/ipos/by-accession/${accessionOf(5, H.cik)}`)
  assert.match(((await other.json()) as { error: string }).error, /had registered securities for an exchange before/)
})

test('if a cover states that the offering is the initial one, it is believed, even if the company was once listed', async () => {
  assert.deepEqual(
    (await rows('&q=coming back')).map(({ accession }) => accession),
    [accessionOf(3, I.cik)],
  )
})

test('an offering of a company that already had a ticker on an exchange is not initial; over-the-counter quotation does not matter', async (t) => {
  const own = await temporaryFolder(t)
  const filings: MadeOffering[] = [A, B, C].map((each, i) => ({
    ...each,
    n: 1,
    form: 'S-1',
    day: '2010-04-05',
    file: `333-90001${i}`,
    content: blankly,
  }))
  await writeOfferings(own, filings)
  const other = await openWorld(t, { root: own })
  await load(other, own, filings)
  const names = async () => {
    const { rows } = (await search.run(search.input.parse({}), testContext(other.sql))) as IpoPage
    return rows.map(({ cik }) => Number(cik)).sort()
  }
  assert.deepEqual(await names(), [A.cik, B.cik, C.cik])
  for (const [day, data] of [
    [
      '2009-05-01',
      [
        [A.cik, A.name, 'SPCA', 'NYSE'],
        [B.cik, B.name, 'SPCB', 'OTC'],
      ],
    ],
    [
      '2010-05-01',
      [
        [A.cik, A.name, 'SPCA', 'NYSE'],
        [B.cik, B.name, 'SPCB', 'OTC'],
        [C.cik, C.name, 'SPCC', 'NYSE'],
      ],
    ],
  ] as const) {
    const file = path.join(own, `company_tickers_exchange_${day}.json`)
    await writeFile(file, JSON.stringify({ fields: ['cik', 'name', 'ticker', 'exchange'], data }))
    const [outcome] = await other.bulk({ datasets: [companies], files: [file] })
    assert.equal(outcome?.error, null)
  }
  assert.deepEqual(await names(), [B.cik, C.cik])
  const answer = detailRoute.run({ accession: accessionOf(1, A.cik) }, testContext(other.sql))
  await assert.rejects(async () => answer, /the company had a ticker on an exchange before the offering \(SPCA\)/)
})

test('a withdrawal ends an offering even after its class was registered, and a revocation of the withdrawal reopens it', async () => {
  const withdrawn = await detail(1, B)
  assert.deepEqual([withdrawn.offering.stage, withdrawn.offering.stage_date], ['withdrawn', '2010-05-01'])
  const { stages, offering } = await detail(1, F)
  assert.deepEqual(
    stages.map(({ stage }) => stage),
    ['filed', 'withdrawn', 'filed', 'listed', 'priced'],
  )
  assert.equal(offering.stage, 'listed')
})

test('a Form 8-A that could belong to two offerings is assigned to neither', async () => {
  const found = (await rows('&q=undecided')).map(({ stage, form_type }) => [form_type, stage])
  assert.deepEqual(found, [
    ['SB-2', 'filed'],
    ['S-11', 'filed'],
  ])
})

test('`stage`, `spac` and `price_to_range` filter the list, each order lists all rows, and cursor pages equal offset pages', async () => {
  assert.deepEqual((await rows('&spac=only')).map(({ cik }) => Number(cik)).sort(), [E.cik, F.cik])
  assert.ok((await rows('&spac=exclude')).every(({ is_spac }) => !is_spac))
  assert.deepEqual(
    (await rows('&stage=withdrawn')).map(({ cik }) => Number(cik)),
    [B.cik],
  )
  for (const place of ['above', 'within', 'below'] as const) {
    const all = await rows('')
    const expected = all.filter(({ price_to_range }) => price_to_range === place).map(({ accession }) => accession)
    assert.deepEqual(
      (await rows(`&price_to_range=${place}`)).map(({ accession }) => accession),
      expected,
    )
  }
  for (const sort of ['date', 'name', 'stage_date']) {
    for (const dir of ['asc', 'desc']) {
      const all = await rows(`&sort=${sort}&dir=${dir}`)
      const key = (row: (typeof all)[number]) =>
        sort === 'date' ? row.filed_date : sort === 'name' ? row.company_name!.toLowerCase() : row.stage_date
      const sorted = all.toSorted((a, b) => (key(a) < key(b) ? -1 : Number(key(a) > key(b))))
      assert.deepEqual(all.map(key), (dir === 'asc' ? sorted : sorted.reverse()).map(key))
      const walked: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const address = `/ipos?limit=2&paginate=cursor&sort=${sort}&dir=${dir}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
        const page: IpoPage & Record<string, unknown> = await served.json(address)
        walked.push(...page.rows.map(({ accession }) => accession))
        cursor = page.next_cursor ?? null
      }
      assert.deepEqual(
        walked,
        all.map(({ accession }) => accession),
      )
    }
  }
})

const filed = (n: number, form: string, filed_date: string, number: string | null, more = {}) => ({
  accession: accessionOf(n),
  form,
  kind: KIND_OF[form]!,
  filed_date,
  file_numbers: number ? [number] : [],
  effective_date: null,
  effective_of: null,
  registration_file_number: null,
  price: null,
  says_first: false,
  ...more,
})
const stagesOf = (...filings: ReturnType<typeof filed>[]) =>
  offeringsOf(filings).map(({ accession, stage, steps }) => [
    Number(accession.slice(-6)),
    stage,
    steps.map((step) => `${step.stage} ${step.date}`),
  ])

test('a withdrawal of one of two registration statements does not change the other', () => {
  const two = stagesOf(
    filed(1, 'S-1', '2010-01-01', '333-1'),
    filed(2, 'S-1', '2010-02-01', '333-2'),
    filed(3, 'RW', '2010-03-01', '333-1'),
  )
  assert.deepEqual(two, [
    [1, 'withdrawn', ['filed 2010-01-01', 'withdrawn 2010-03-01']],
    [2, 'filed', ['filed 2010-02-01']],
  ])
})

test('stages are sorted by the dates that their filings report, whatever the filing dates and accession numbers', () => {
  const [own] = stagesOf(
    filed(1, 'S-1', '2010-01-01', '333-1'),
    filed(2, '424B4', '2010-03-02', '333-1', { price: '10' }),
    // Notices have the largest accession numbers of a day, and concern the day before.
    filed(999999, 'EFFECT', '2010-03-02', '333-1', { effective_date: '2010-03-01', effective_of: 'S-1' }),
    filed(4, '8-A12B', '2010-03-01', null, { registration_file_number: '333-1' }),
  )
  assert.deepEqual(own, [
    1,
    'listed',
    ['filed 2010-01-01', 'listed 2010-03-01', 'effective 2010-03-01', 'priced 2010-03-02'],
  ])
})

test('a notice with a future date counts from its filing date', () => {
  const [own] = stagesOf(
    filed(1, 'S-1', '2010-01-01', '333-1'),
    filed(2, 'EFFECT', '2010-03-02', '333-1', { effective_date: '2099-01-01' }),
  )
  assert.deepEqual(own!.at(-1), ['filed 2010-01-01', 'effective 2010-03-02'])
})

test('a prospectus without its registration statement is an offering only if it states that the offering is the initial one', () => {
  assert.deepEqual(stagesOf(filed(1, '424B4', '2010-01-01', '333-1', { says_first: true })), [
    [1, 'priced', ['priced 2010-01-01']],
  ])
  assert.deepEqual(stagesOf(filed(1, '424B4', '2010-01-01', '333-1')), [])
})

/** Numbers from 0 to 1, the same in every run of a seed. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

function shuffled<T>(items: readonly T[], next: () => number): T[] {
  const all = [...items]
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(next() * (at + 1))
    ;[all[at], all[other]] = [all[other]!, all[at]!]
  }
  return all
}

/** Returns all answers: the list, and the offerings with their steps and filings. */
async function answered({ sql }: World) {
  const { rows } = (await search.run(search.input.parse({ limit: '50' }), testContext(sql))) as IpoPage
  const { 'offerings.step': steps, 'offerings.member': members } = await everyRow(sql)
  return { rows, steps, members }
}

test('offerings and their stages do not depend on the order in which filings are listed and read', async (t) => {
  const wanted = await answered(world)
  assert.deepEqual([wanted.rows.length, wanted.steps!.length], [8, 24])
  for (const seed of [1, 2, 3]) {
    const next = random(seed)
    const order = shuffled(FILINGS, next)
    const own = await temporaryFolder(t)
    await writeOfferings(own, FILINGS)
    const other = await openWorld(t, { root: own })
    for (let at = 0; at < order.length; ) {
      at += 1 + Math.floor(next() * 6)
      await load(other, own, order.slice(0, at))
    }
    assert.deepEqual(await answered(other), wanted, `seed ${seed}`)
  }
})

test('stages depend only on the set of filings, not on their order: tested on a thousand shuffled subsets', () => {
  const next = random(7)
  const all = FILINGS.filter(({ cik }) => cik === A.cik || cik === F.cik).map(
    ({ n, cik, form, day, file, effective }) => ({
      accession: accessionOf(n, cik),
      form,
      kind: KIND_OF[form]!,
      filed_date: day,
      file_numbers: file?.startsWith('333') ? [file] : [],
      effective_date: effective ?? null,
      effective_of: form === 'EFFECT' ? (n === 8 ? 'POS AM' : 'S-1') : null,
      registration_file_number: form === '8-A12B' ? FIRST : null,
      price: null,
      says_first: false,
    }),
  )
  for (let i = 0; i < 1_000; i++) {
    const some = all.filter(() => next() < 0.7)
    assert.deepEqual(offeringsOf(shuffled(some, next)), offeringsOf(some))
  }
})

test('an offering is found by the CIK and the name of a co-registrant, and says how many companies register it', async () => {
  const named = async (query: string) =>
    (await rows(query)).map(({ accession, cik, company_name, registrant_count }) => [
      accession,
      ...[Number(cik), company_name, registrant_count],
    ])
  const key = accessionOf(1, A.cik)
  assert.deepEqual(await named(`&cik=${JOINT.cik}`), [[key, JOINT.cik, JOINT.name, 3]])
  assert.deepEqual(await named(`&cik=${NAMELESS.cik}`), [[key, NAMELESS.cik, null, 3]])
  assert.deepEqual(await named(`&cik=${A.cik}`), [[key, A.cik, A.name, 3]])
  assert.deepEqual(await named('&q=guaranteeing+subsidiary'), [[key, A.cik, A.name, 3]])
  const { registrants, issuer } = await detail(1, A)
  assert.deepEqual(
    registrants.map(({ cik, company_name }) => [Number(cik), company_name]),
    [A, JOINT, NAMELESS].map(({ cik, name }) => [cik, name || null]),
  )
  assert.equal(Number(issuer.cik), A.cik)
  const { links } = await served.json<Links>(`/companies/${JOINT.cik}`)
  assert.equal(links.ipos?.count, 1)
  assert.deepEqual([...new Set((await rows(`&cik=${H.cik}`)).map(({ registrant_count }) => registrant_count))], [1])
})

test('the name of an issuer without a name in its header is null in the list and in the detail', async (t) => {
  const own = await temporaryFolder(t)
  const filing = { ...NAMELESS, n: 1, form: 'S-1', day: '2010-04-05', file: FIRST, content: preliminary }
  await writeOfferings(own, [filing])
  const nameless = await openWorld(t, { root: own })
  await load(nameless, own, [filing])
  const { json } = await serveWorld(t, nameless)
  const { rows } = await json<IpoPage & Record<string, unknown>>('/ipos?sort=name')
  const { issuer } = await json<IpoDetail & Record<string, unknown>>(`/ipos/by-accession/${rows[0]!.accession}`)
  assert.deepEqual([rows.map(({ company_name }) => company_name), issuer.company_name], [[null], null])
})
