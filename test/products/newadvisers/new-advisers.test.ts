/** /new-advisers: the content of a row, every filter, and pages that neither repeat nor miss an adviser. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { HttpError } from '../../../src/declare/api-errors.ts'
import type { Page } from '../../../src/products/newadvisers/answers.ts'
import { search } from '../../../src/products/newadvisers/routes.ts'
import { encodeCursor } from '../../../src/serve/page.ts'
import { type FeedFirm, openAdv } from '../../support/adv/load.ts'
import { testContext } from '../../support/context.ts'
import { forged } from '../../support/list-walks.ts'

const world = await openAdv({ after })

const list = (query: Record<string, string> = {}) =>
  search.run(search.input.parse(query), testContext(world.sql)) as Promise<Page>
const crds = async (query: Record<string, string> = {}) => (await list(query)).rows.map(({ crd }) => crd)

const SEC: FeedFirm[] = [
  {
    crd: '501',
    name: 'Ångström Capital 100%',
    type: 'Registered',
    status: 'APPROVED',
    registered: '2026-06-01',
    filed: '2026-06-02',
    city: 'NEW YORK',
    state: 'NY',
    country: 'United States',
    web: ['https://www.linkedin.com/company/specimen', 'www.specimen.example'],
    items: { '5F': { Q5F2C: '1250000' }, '11': { Q11: 'N' } },
  },
  {
    crd: '502',
    name: 'Specimen Zürich AG',
    type: 'ERA',
    status: 'ACTIVE',
    registered: '2026-06-01',
    filed: '2026-06-01',
    city: 'Zürich',
    country: 'Switzerland',
  },
  // The day of the firm's first filing is unknown: its newest filing does not show that day.
  { crd: '503', name: 'Specimen Undated', type: 'Registered', filed: '2026-07-10', city: 'NEW YORK', state: 'NY' },
  { crd: '504', name: 'Specimen Old', type: 'Registered', registered: '1999-01-31', city: 'BOSTON', state: 'MA' },
]
const STATE: FeedFirm[] = [
  {
    crd: '505',
    name: 'Specimen Planner',
    states: [['NY', 'APPROVED', '2026-07-01']],
    filed: '2026-07-02',
    state: 'NY',
  },
  { crd: '506', name: 'Specimen Nowhere', states: [['TX', 'APPROVED', '2026-05-01']] },
  { crd: '507', name: 'Specimen Undated Too', states: [['TX', 'APPROVED']], city: 'BOSTON', state: 'MA' },
]

await world.feed('IA_FIRM_SEC', '2026-07-23', SEC)
await world.feed('IA_FIRM_STATE', '2026-07-23', STATE)

test('advisers come by first filing, newest first; advisers whose first filing is unknown come last, with null', async () => {
  assert.deepEqual(await crds(), ['505', '502', '501', '506', '504', '507', '503'])
  assert.deepEqual(
    (await list()).rows.map((row) => row.first_filing_date),
    ['2026-07-01', '2026-06-01', '2026-06-01', '2026-05-01', '1999-01-31', null, null],
  )
})

test('a row has location, type and assets of the firm, and null for values that the filing lacks', async () => {
  const { rows } = await list()
  assert.deepEqual(rows[2], {
    crd: '501',
    firm_name: 'Ångström Capital 100%',
    location: 'NEW YORK, NY',
    first_filing_date: '2026-06-01',
    adviser_type: 'IA',
    latest_raum: '1250000',
    has_disciplinary: false,
    primary_website: 'www.specimen.example',
  })
  assert.deepEqual(
    rows.map(({ location, adviser_type, has_disciplinary }) => [location, adviser_type, has_disciplinary]),
    [
      ['NY', 'IA', null],
      ['Zürich, Switzerland', 'ERA', null],
      ['NEW YORK, NY', 'IA', false],
      [null, 'IA', null],
      ['BOSTON, MA', 'IA', null],
      ['BOSTON, MA', 'IA', null],
      ['NEW YORK, NY', 'IA', null],
    ],
  )
})

test('each filter works alone and together with others', async () => {
  assert.deepEqual(await crds({ q: 'ANGSTROM' }), ['501'])
  assert.deepEqual(await crds({ q: '0%' }), ['501'])
  assert.deepEqual(await crds({ q: '_' }), [])
  assert.deepEqual(await crds({ state: 'ny' }), ['505', '501', '503'])
  assert.deepEqual(await crds({ state: 'ny,ma' }), ['505', '501', '504', '507', '503'])
  assert.deepEqual(await crds({ q: 'undated' }), ['507', '503'])
  assert.deepEqual(await crds({ city: 'boston' }), ['504', '507'])
  assert.deepEqual(await crds({ city: 'zurich' }), ['502'])
  assert.deepEqual(await crds({ city: 'new' }), [])
  assert.deepEqual(await crds({ feed: 'IA_FIRM_STATE' }), ['505', '506', '507'])
  assert.deepEqual(await crds({ type: 'ERA' }), ['502'])
  assert.deepEqual(await crds({ from: '2026-05-01', to: '2026-06-01' }), ['502', '501', '506'])
  assert.deepEqual(await crds({ to: '2026-05-31' }), ['506', '504'])
  assert.deepEqual(await crds({ type: 'IA', feed: 'IA_FIRM_SEC', state: 'NY', q: 'capital', city: 'New  York' }), [
    '501',
  ])
})

test('cursor and offset pages return each adviser once, also with ties on one day', async () => {
  const walk = async (query: Record<string, string>) => {
    const found: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Page = await list({ ...query, ...(cursor && { cursor }) })
      found.push(...page.rows.map(({ crd }) => crd))
      cursor = page.next_cursor
    }
    return found
  }
  for (const query of [
    {},
    { from: '2026-06-01' },
    { state: 'NY' },
    { state: 'NY,MA' },
    { city: 'boston' },
    { q: 'specimen', type: 'IA' },
  ]) {
    for (const limit of ['1', '2', '3', '7'])
      assert.deepEqual(await walk({ ...query, limit }), await crds(query), limit)
  }
  const byOffset = await Promise.all([0, 2, 4, 6].map((offset) => crds({ limit: '2', offset: String(offset) })))
  assert.deepEqual(byOffset, [['505', '502'], ['501', '506'], ['504', '507'], ['503']])
  const [first, rest] = [await list({ limit: '1', state: 'NY' }), await list({ state: 'NY' })]
  assert.deepEqual(await crds({ state: 'NY', cursor: first.next_cursor! }), ['501', '503'])
  assert.equal(rest.next_cursor, null)
})

test('an invalid cursor, and a cursor with an offset, are refused with 400', async () => {
  const { next_cursor } = await list({ limit: '1' })
  const bad = [
    'x',
    encodeCursor(['2026-02-28', '1']),
    forged(next_cursor!, 5, '2026-02-30'),
    forged(next_cursor!, 6, null),
  ]
  const refused = (query: Record<string, string>) =>
    assert.rejects(list(query), (error) => error instanceof HttpError && error.status === 400)
  for (const cursor of bad) await refused({ cursor })
  await refused({ cursor: next_cursor!, offset: '1' })
  for (const query of [{ limit: '101' }, { limit: '0' }, { feed: 'x' }, { type: 'x' }, { state: 'NYC' }]) {
    assert.throws(() => search.input.parse(query))
  }
})
