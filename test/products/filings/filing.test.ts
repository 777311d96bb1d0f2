/** /filing/{accession} over the loaded sample. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { HttpError } from '../../../src/declare/api-errors.ts'
import { detail } from '../../../src/products/filings/lookup.ts'
import registry from '../../../src/registry.ts'
import { testContext } from '../../support/context.ts'
import { openSampledWorld } from '../../support/sampled.ts'
import { loadFilings } from '../../support/spine-rows.ts'

interface Answer {
  header: Record<string, unknown> & { filers: Record<string, unknown>[] }
  unlisted_since?: string
  family: string | null
  family_entry: { slug: string } | null
  documents: { seq: number; url: string; filename: string | null; media_type: string; size: number }[]
  documents_note?: string
  timeline: { accession: string; cik: string; filed_date: string; accepted_at: string | null }[]
  amendments: { accession: string }[]
  capabilities: Record<string, unknown>
  family_data: Record<string, unknown> | null
  ingest: { state: string; unread: number } | null
}

const world = await openSampledWorld({ after })

async function ask(accession: string): Promise<Answer | null> {
  const context = testContext(world.sql, { catalog: registry, submissions: world.submissions })
  const answer = (await detail.run(detail.input.parse({ accession }), context)) as Answer | null
  if (answer) assert.deepEqual(detail.output!.safeParse(answer).error?.issues ?? [], [])
  return answer
}

/** The sample's specimen: an original notice and its amendments. */
const original = '9000000001-09-000001'

test('a Form D has its header, documents and rows, and the status of each reading', async () => {
  const { header, family, documents, documents_note, capabilities, family_data, ingest } = (await ask(original))!
  assert.deepEqual([header.accession, header.form_type, family], [original, 'D', 'formd'])
  assert.equal(header.cik, '9000000001')
  assert.ok(header.filers.length > 0 && header.filers.every((filer) => filer.cik && filer.name && filer.role))
  assert.deepEqual([header.effective_date, (header.items as string[]).includes('06')], ['2009-01-12', true])
  assert.equal(documents_note, undefined)
  const main = documents.find(({ filename }) => filename === 'primary_doc.xml')!
  assert.equal(main.url, `/v1/edgar/doc/${original}/${main.seq}?raw=1`)
  assert.ok(main.size > 500 && /xml/.test(main.media_type))
  assert.deepEqual(capabilities, {
    original: `/v1/edgar/doc/${original}/${documents[0]!.seq}`,
    reader: false,
    text: null,
    struct: true,
    bespoke: `/v1/formd/filings/by-accession/${original}`,
    has_columns: true,
  })
  const { offering, issuer } = family_data as { offering: { entity_name: string }; issuer: { position: number }[] }
  assert.deepEqual(Object.keys(family_data!), Object.keys(registry.family('formd')!.dataset!.tables))
  assert.equal(typeof offering.entity_name, 'string')
  assert.deepEqual(
    issuer.map(({ position }) => position),
    issuer.map((_, i) => i),
  )
  assert.deepEqual([ingest?.state, ingest?.unread], ['done', 0])
})

test('the acceptance time has the same format in header and timeline', async () => {
  const accession = '0001968399-23-000002'
  const { header, timeline } = (await ask(accession))!
  const row = timeline.find((other) => other.accession === accession)
  assert.match(String(header.accepted_at), /^2023-.*\.000\+00:00$/)
  assert.equal(row!.accepted_at, header.accepted_at)
})

test('an accession of 18 digits means the same filing', async () => {
  const plain = original.replaceAll('-', '')
  assert.deepEqual((await ask(plain))!.header, (await ask(original))!.header)
  assert.equal(detail.input.safeParse({ accession: 'xyz' }).success, false)
})

test('the timeline has the newest filings of the first filer, newest first', async () => {
  const { header, timeline } = (await ask(original))!
  assert.ok(timeline.length > 1 && timeline.length <= 20)
  assert.ok(timeline.every(({ cik }) => cik === header.cik))
  assert.deepEqual(
    timeline
      .map((row) => row.filed_date)
      .sort()
      .reverse(),
    timeline.map((row) => row.filed_date),
  )
})

test('a filing names the filer’s amendments of the same form, and these name the original', async () => {
  await loadFilings(world.sql, [
    {
      accession: '0000000002-24-000001',
      form: '10-K',
      filed: '2024-03-01',
      filers: [['55', 'Amended Corp']],
      period: '2023-12-31',
    },
    {
      accession: '0000000002-24-000002',
      form: '10-K/A',
      filed: '2024-04-01',
      filers: [['55', 'Amended Corp']],
      period: '2023-12-31',
    },
    {
      accession: '0000000002-24-000003',
      form: '10-K/A',
      filed: '2024-05-01',
      filers: [['55', 'Amended Corp']],
      period: '2022-12-31',
    },
    {
      accession: '0000000002-24-000004',
      form: '10-K/A',
      filed: '2024-05-02',
      filers: [
        ['55', 'Amended Corp'],
        ['56', 'Other'],
      ],
      period: '2023-12-31',
    },
    {
      accession: '0000000002-24-000005',
      form: '10-Q/A',
      filed: '2024-05-03',
      filers: [['55', 'Amended Corp']],
      period: '2023-12-31',
    },
  ])
  const amendments = async (n: number) =>
    (await ask(`0000000002-24-00000${n}`))!.amendments.map(({ accession }) => Number(accession.slice(-6)))
  assert.deepEqual(await amendments(1), [2])
  assert.deepEqual(await amendments(2), [1])
  assert.deepEqual(await amendments(3), [])
})

test('if EDGAR cannot deliver a submission, the rest of the answer is returned, with the reason', async () => {
  const accession = '0000000003-24-000001'
  await loadFilings(world.sql, [
    { accession, form: '8-K', filed: '2024-03-01', filers: [['57', 'Unfetched Inc']], items: ['2.02'] },
  ])
  const answer = (await ask(accession))!
  assert.deepEqual(answer.documents, [])
  assert.ok(answer.documents_note!.length > 10)
  assert.deepEqual(
    answer.header.filers.map(({ cik, name, role }) => [cik, name, role]),
    [['0000000057', 'Unfetched Inc', null]],
  )
  assert.deepEqual(answer.header.items, ['2.02'])
  assert.deepEqual([answer.family, answer.family_data, answer.capabilities.original], ['eightk', null, null])
  assert.equal(answer.timeline.length, 1)
})

test('a form without a family has a null family, and no dataset reads it', async () => {
  const accession = '0000000003-24-000002'
  await loadFilings(world.sql, [{ accession, form: 'X-NEW', filed: '2024-03-01', filers: [['58', 'Novel Inc']] }])
  const { family, family_data, ingest, capabilities } = (await ask(accession))!
  assert.deepEqual([family, family_data, ingest, capabilities.bespoke], [null, null, null, null])
})

test('the answer about a filing states since when the last index lacks it, and states nothing if the index lists it', async () => {
  assert.ok(!('unlisted_since' in (await ask(original))!))
  const row = {
    accession: original,
    host: 'x',
    index_url: 'x',
    made_at: '2024-02-02T03:05:00Z',
    read_at: '2024-02-03T12:00:00Z',
  }
  await world.sql`insert into edgar.unlisted ${world.sql(row)}`
  assert.equal((await ask(original))!.unlisted_since?.slice(0, 16), '2024-02-03T12:00')
  await world.sql`delete from edgar.unlisted`
})

test('an unknown filing is not found; a removed one states the removal and its day', async () => {
  assert.equal(await ask('0000000000-00-000000'), null)
  const gone = { accession: '0000000004-24-000001', form_type: 'D', filed_date: '2024-01-01', cik: '0000000001' }
  const row = { ...gone, company_name: 'Gone', index_url: 'x', removed_at: '2024-02-03T12:00:00Z' }
  await world.sql`insert into edgar.tombstone ${world.sql(row)}`
  await assert.rejects(
    () => ask(gone.accession),
    (error: unknown) =>
      error instanceof HttpError &&
      error.code === 'filing_removed' &&
      error.message === `filing ${gone.accession} was removed by the SEC (noticed on 2024-02-03)`,
  )
})
