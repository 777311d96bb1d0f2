/**
 * Quarterly sets of Forms 3, 4, 5, D and C in a database. They are loaded next to submissions of the same filings, with
 * missing and unknown columns, and with damaged lines.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import crowdfunding from '../../src/datasets/crowdfunding/index.ts'
import { detail as crowdfundingDetail } from '../../src/datasets/crowdfunding/routes.ts'
import formd from '../../src/datasets/formd/index.ts'
import ownership from '../../src/datasets/ownership/index.ts'
import { type FilingsDataset, filingTable } from '../../src/declare/dataset.ts'
import { takeUpSets } from '../../src/ingest/queue.ts'
import { rebuild } from '../../src/ingest/rebuild.ts'
import { ingestSets } from '../../src/ingest/sets/ingest.ts'
import { detail as lookup } from '../../src/products/filings/lookup.ts'
import type { Element } from '../../src/read/xml.ts'
import registry from '../../src/registry.ts'
import { testContext } from '../support/context.ts'
import { openIndexedWorld } from '../support/sampled.ts'
import { cargoSet } from '../support/sets/cargo.ts'
import { linesOf as crowdfundingLines } from '../support/sets/crowdfunding.ts'
import { linesOf as formdLines } from '../support/sets/formd.ts'
import { linesOf as ownershipLines } from '../support/sets/ownership.ts'
import { documentOf, Written } from '../support/sets/written.ts'
import { sample } from '../support/world.ts'

const world = await openIndexedWorld({ after })
const { sql, slices, store } = world

/** Each dataset with its writer, the pattern of its forms, the name of a set, and facts that tests need. */
const DATASETS = [
  [
    ...([ownership, ownershipLines, /^[345](\/A)?$/, '2026q2_form345.zip'] as const),
    { company: ['issuer_cik', 'issuer_name'], days: ['12-FEB-2026', '2026-02-12'], forms: 'DD-MON-YYYY or YYYY-MM-DD' },
  ],
  [
    ...([formd, formdLines, /^D(\/A)?$/, '2026q2_d.zip'] as const),
    { company: ['cik', 'entity_name'], days: ['12-FEB-2026', '2026-02-12'], forms: 'DD-MON-YYYY or YYYY-MM-DD' },
  ],
  [
    ...([crowdfunding, crowdfundingLines, /^C(-|\/|$)/, '2026q2_cf.zip'] as const),
    {
      company: ['cik', 'entity_name'],
      days: ['20260212', '2026-02-12', '2026-02-12 00:00:00.0', '12-FEB-2026'],
      forms: 'YYYYMMDD, YYYY-MM-DD or DD-MON-YYYY',
    },
  ],
] as const

/** The answer about a filing that only a set has. */
interface Lookup {
  header: { form_type: string; cik: string; company_name: string; filed_date: string }
  capabilities: { struct: boolean }
  family_data: Record<string, unknown>
  documents_note: string
}

type Writer = (document: Element, accession: string, filed: string) => Written

/** Returns the filings of the sample as lines of a set. Some filings are in the folders of several filers. */
function sampled(write: Writer, forms: RegExp): Written {
  const all = new Written()
  const files = globSync(path.join(sample, 'Archives/edgar/data/*/*.txt'))
  for (const file of new Map(files.map((each) => [path.basename(each), each])).values()) {
    const head = readFileSync(file, 'latin1').slice(0, 4_000)
    const form = /CONFORMED SUBMISSION TYPE:\s*(\S+)/.exec(head)?.[1] ?? ''
    const filed = /FILED AS OF DATE:\s*(\d{4})(\d\d)(\d\d)/.exec(head)?.slice(1).join('-')
    if (!forms.test(form) || !filed) continue
    for (const [member, lines] of write(documentOf(file), path.basename(file, '.txt'), filed).members)
      for (const line of lines) all.add(member, line)
  }
  return all
}

const load = async (dataset: FilingsDataset, file: string, again = false) =>
  (await ingestSets({ sql, slices, store, dataset, from: { files: [file] }, again }))[0]!

const ofSets = async ({ slug }: FilingsDataset) =>
  (await sql`select accession from bulk.set_filing where dataset = ${slug}`).length

for (const [at, [dataset, write, forms, name, { company, ...dated }]] of DATASETS.entries()) {
  const table = filingTable(dataset)

  test(`a filing of ${dataset.slug} in both a set and a submission is stored once, and the submission wins in either order`, async (t) => {
    const all = sampled(write, forms)
    const count = all.members.get(dataset.sets!.head)!.length
    assert.ok(count > 0)
    const file = await cargoSet(t, all.texts(dataset.sets!), name)
    const { error, result, found } = await load(dataset, file)
    assert.deepEqual([error, found.refusals, [...found.unread], found.problemCount], [null, [], [], 0])
    assert.deepEqual([result, await ofSets(dataset)], [{ filings: count, loaded: count }, count])
    const stored = () => sql`select to_jsonb(r) as row from ${sql(table.id)} r order by accession`
    const before = await stored()
    await rebuild(world, dataset)
    assert.deepEqual(await stored(), before)
    assert.deepEqual(await world.drain({ datasets: [dataset.slug] }), { done: 0, failed: 0, unread: 0 })
    await takeUpSets(sql, { datasets: [dataset.slug] })
    const { done, failed } = await world.drain({ datasets: [dataset.slug] })
    assert.deepEqual([done, failed, await ofSets(dataset), (await stored()).length], [count, 0, 0, count])
    assert.deepEqual((await load(dataset, file, true)).result, { filings: count, loaded: 0 })
  })

  test(`a set of ${dataset.slug} without a column is refused with the name of the column, an unknown column is reported, and a damaged line fails alone`, async (t) => {
    const { head, key, members } = dataset.sets!
    const all = new Written()
    const forgotten = (accession: string) => `0000000084-26-${accession.slice(-6)}`
    const own = sampled(write, forms)
    const accessions = own.members.get(head)!.map((line) => line[key]!)
    for (const [member, lines] of own.members)
      for (const line of lines.filter((each) => accessions.slice(0, 2).includes(each[key]!)))
        all.add(member, { ...line, [key]: forgotten(line[key]!) })
    const texts = all.texts(dataset.sets!)
    const column = members[head]!.find((each) => each !== key && each !== 'FILING_DATE')!
    const without = { ...texts, [`${head}.tsv`]: texts[`${head}.tsv`]!.replace(column, `${column}X`) }
    const later = name.replace('2026q2', '2026q3')
    assert.equal(
      (await load(dataset, await cargoSet(t, without, later))).error,
      `${head}.tsv lacks the column ${column}`,
    )
    const [columns, first, second] = texts[`${head}.tsv`]!.split('\n')
    const damaged = {
      ...texts,
      [`${head}.tsv`]: [`${columns}\tMORE`, `${first}\tmore`, `${second}\tmore\tand more`, ''].join('\n'),
    }
    const { error, result, found } = await load(dataset, await cargoSet(t, damaged, later))
    assert.deepEqual([error, result, [...found.unread]], [null, { filings: 1, loaded: 1 }, [`${head}.tsv/MORE`]])
    assert.deepEqual(
      found.refusals.map(({ reason }) => reason),
      [`${head}.tsv:2 has ${columns!.split('\t').length + 2} values for ${columns!.split('\t').length + 1} columns`],
    )
  })

  test(`a filing that only a set of ${dataset.slug} has is shown with its company, its day and its rows`, async (t) => {
    // Each dataset has its own accession, since a filing belongs to one family.
    const accession = `0000000087-26-00000${at}`
    await loadOne(t, [dataset, write, forms], { accession, name: name.replace('2026q2', '2025q4') })
    const [row] = await sql`
      select ${sql([...company])}, submission_type, filed_date from ${sql(table.id)} where accession = ${accession}`
    const context = testContext(sql, { catalog: registry })
    const { header, family_data, capabilities, documents_note } = (await lookup.run({ accession }, context)) as Lookup
    assert.deepEqual(
      [header.cik, header.company_name, header.form_type, header.filed_date],
      [...company.map((column) => row![column]), row!.submission_type, row!.filed_date],
    )
    assert.match(header.cik, /^\d{10}$/)
    assert.ok(header.company_name)
    assert.deepEqual([capabilities.struct, Object.keys(family_data).length > 1], [true, true])
    assert.match(documents_note, /only a data set of the SEC has it/)
  })

  test(`a day of filing in a set of ${dataset.slug} is read in each accepted form, and any other text is refused with a list of these forms`, async (t) => {
    const accession = (n: number) => `0000000088-26-${String(n).padStart(6, '0')}`
    const { days, forms: accepted } = dated
    const written = copies(
      [dataset, write, forms],
      [...days, 'soon'].map((FILING_DATE, at) => [accession(at), { FILING_DATE }] as const),
    )
    const file = await cargoSet(t, written.texts(dataset.sets!), name.replace('2026q2', '2025q3'))
    const { error, result, found } = await load(dataset, file)
    assert.deepEqual([error, result!.loaded], [null, days.length])
    const stored = await sql`select filed_date from ${sql(table.id)} where accession like '0000000088-26-%'`
    assert.deepEqual(
      stored.map(({ filed_date }) => filed_date),
      days.map(() => '2026-02-12'),
    )
    assert.deepEqual(
      found.refusals.map(({ key, reason }) => [key, reason]),
      [[accession(days.length), `has no filing date: "soon" is not a day written as ${accepted}`]],
    )
  })
}

/** Writes the first filing of the sample again for each of these accession numbers, with other values in its main line. */
function copies(
  [dataset, write, forms]: readonly [FilingsDataset, Writer, RegExp],
  some: readonly (readonly [accession: string, more: Record<string, string>])[],
): Written {
  const { key, head } = dataset.sets!
  const { members } = sampled(write, forms)
  const own = members.get(head)![0]![key]
  const all = new Written()
  for (const [accession, more] of some)
    for (const [member, lines] of members)
      for (const line of lines.filter((each) => each[key] === own))
        all.add(member, { ...line, [key]: accession, ...(member === head && more) })
  return all
}

/** Loads one filing of the sample as the filing `accession` of a set. */
async function loadOne(
  t: Parameters<typeof cargoSet>[0],
  of: readonly [FilingsDataset, Writer, RegExp],
  { accession, name, more = {} }: { accession: string; name: string; more?: Record<string, string> },
): Promise<void> {
  const [dataset] = of
  const file = await cargoSet(t, copies(of, [[accession, more]]).texts(dataset.sets!), name)
  assert.equal((await load(dataset, file)).result!.loaded, 1)
}

test('a remark that a set of ownership has in quotes is stored without the quotes', async (t) => {
  // The quotes are written as in the real remark of 0001225208-24-008881.
  const REMARKS = 'Amends the form ("Original Form 4") of the owner.'
  const accession = '0000000085-26-000001'
  const one = { accession, name: '2026q4_form345.zip', more: { REMARKS } }
  await loadOne(t, [ownership, ownershipLines, /^4$/], one)
  const [row] = await sql`select remarks, source from ownership.report where accession = ${accession}`
  assert.deepEqual({ ...row }, { remarks: REMARKS, source: 'set' })
})

test('co-issuers of a Form C from a set are unknown, and the answer states this', async (t) => {
  const accession = '0000000086-26-000001'
  await loadOne(t, [crowdfunding, crowdfundingLines, /^C$/], { accession, name: '2026q4_cf.zip' })
  const shown = async (of: string) =>
    (await crowdfundingDetail.run(crowdfundingDetail.input.parse({ accession: of }), testContext(sql))) as {
      submission: { source: string }
      issuer: { co_issuers: unknown[] | null }
      not_loaded?: { source: string; note: string }[]
    }
  const found = await shown(accession)
  assert.deepEqual([found.submission.source, found.issuer.co_issuers], ['set', null])
  assert.deepEqual(
    found.not_loaded!.map(({ source, note }) => [source, /co-issuers are not known$/.test(note)]),
    [['crowdfunding', true]],
  )
  await world.drain({ datasets: ['crowdfunding'] })
  const [read] = await sql<[{ accession: string }]>`
    select accession from crowdfunding.submission where source = 'xml' limit 1`
  const { submission, issuer, not_loaded } = await shown(read.accession)
  assert.deepEqual([submission.source, Array.isArray(issuer.co_issuers), not_loaded], ['xml', true, undefined])
})
