/**
 * Searches by names are found as people type them, over real names: the 5,971 firms of the corpus' feed, and the 63,780
 * filers of one quarter of EDGAR. All tests are in one run, since all need both lists, and the quarter is loaded like a
 * crawl. Loading and about 2,000 searches take longer than ten seconds.
 */
import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { createGunzip, gunzipSync } from 'node:zlib'
import { Random } from '../../bench/random.ts'
import { search as searchAdvisers } from '../../src/datasets/adv/queries/search.ts'
import { FILERS } from '../../src/ingest/filer-names.ts'
import { loadIndex } from '../../src/ingest/spine.ts'
import { searchNames } from '../../src/names.ts'
import { fewNames } from '../../src/products/filings/queries-names.ts'
import { fold, likeLiteral } from '../../src/read/fold.ts'
import { readIndex } from '../../src/read/master-index.ts'
import registry from '../../src/registry.ts'
import type { Sql } from '../../src/store/db.ts'
import { corpus } from '../support/corpus.ts'
import { shortOf, WAYS } from '../support/names/kinds.ts'
import { isHeldOut, Scores, type Specimen, typedNames } from '../support/names/world.ts'
import { openWorld, temporaryFolder, type World } from '../support/world.ts'

const QUARTER = path.join(corpus.folder, 'index/full-index/2025_QTR4_master.idx.gz')
const FEED = 'IA_FIRM_SEC_Feed_07_23_2026.xml.gz'
/** Number of queries for each way of typing a name; one third are from the held-out part. */
const QUESTIONS = 45
/**
 * Minimum shares of searches with the intended name in first place, and among the first three: per table, and over all
 * ways together.
 */
const LEAST = { first: 0.97, three: 0.99 }
/** Minimum shares for a single way of typing, where one ambiguous name is two percent. */
const LEAST_OF_WAY = { first: 0.9, three: 0.95 }

type Find = (typed: string) => Promise<string[]>

test('names as people type them', corpus, async (t) => {
  const world = await loaded(t)
  const advisers = await world.sql<Specimen[]>`
    select crd as id, firm_name as name, city, state, coalesce(latest_raum, 0)::float8 as importance from adv.adviser`
  await t.test('the complete real quarter of 275,447 rows gives 193,299 filings, each in a family', () =>
    loadQuarter(world.sql),
  )
  const filers = await filersOfQuarter()
  const lists: Record<'advisers' | 'filers', { all: readonly Specimen[]; find: Find }> = {
    advisers: {
      all: advisers,
      find: async (typed) => (await searchAdvisers(world.sql, typed, 10)).map(({ id }) => id),
    },
    filers: {
      all: filers,
      find: async (typed) => (await searchNames(world.sql, FILERS, typed, 10)).map((cik) => cik.replace(/^0+/, '')),
    },
  }

  await t.test('finds the intended names in a table of 700, and nothing for nonsense', async (t) => {
    const scores = new Scores()
    for (const { list, kind, typed, expected } of typedNames()) {
      const found = await lists[list].find(typed)
      const place = kind === 'nonsense' ? (found.length === 0 ? 0 : -1) : found.findIndex((id) => expected.includes(id))
      scores.add(place, `${list}: ${typed}`, isHeldOut(list + typed))
    }
    reached(t, scores, LEAST)
  })

  for (const [list, { all, find }] of Object.entries(lists)) {
    const together = new Scores()
    const ordered = inSomeOrder(all)
    const alikeByName = groups(all, ({ name }) => name.toLowerCase())
    const alikeByShort = groups(all, ({ name }) => letters(shortOf(name)))
    const spelled = all.map((specimen) => ({ ...specimen, letters: letters(specimen.name) }))
    const measure = async (
      t: TestContext,
      way: (specimen: Specimen) => Promise<[place: number, typed: string] | null>,
    ) => {
      const scores = new Scores()
      for (const specimen of ordered) {
        if (scores.all.questions >= QUESTIONS) break
        const answer = await way(specimen)
        if (answer) for (const own of [scores, together]) own.add(...answer, isHeldOut(list + specimen.id))
      }
      if (scores.all.questions === 0) t.skip('no name can be typed so')
      else reached(t, scores, LEAST_OF_WAY)
    }
    for (const [way, type] of Object.entries(WAYS)) {
      await t.test(`${list} are found by ${way}`, async (t) => {
        const random = new Random(7)
        const alike = way === 'the full name' ? alikeByName : alikeByShort
        await measure(t, async (specimen) => {
          const typed = type(specimen, random)
          if (!typed) return null
          const meant = alike(specimen).map(({ id }) => id)
          return [(await find(typed)).findIndex((id) => meant.includes(id)), typed]
        })
      })
    }
    await t.test(`${list} are found while they are typed, letter by letter`, async (t) => {
      const random = new Random(8)
      await measure(t, async ({ name }) => {
        const typed = shortOf(name)
          .slice(0, 4 + random.below(9))
          .trim()
        return [await placeOfTyped(typed, spelled, find), typed]
      })
    })
    await t.test(`${list} are found by all ways of typing together`, (t) => reached(t, together, LEAST))
  }

  await t.test('the filter of filers still finds every name that contains the typed part', async () => {
    const random = new Random(9)
    let few = 0
    for (let i = 0; i < 80; i++) {
      const key = fold(filers[random.below(filers.length)]!.name)
      const from = random.below(key.length)
      const part = fold(key.slice(from, from + 3 + random.below(12)))
      if (part === '') continue
      const found = await fewNames(world.sql, { field: 'company_name', op: 'named', values: [part] })
      if (!found) continue
      few++
      const ids = new Set(found.map(({ name_id }) => name_id))
      const before = await world.sql<{ name_id: number }[]>`
        select name_id from edgar.filer_name where name_key like ${`%${likeLiteral(part)}%`}`
      assert.deepEqual(
        before.filter(({ name_id }) => !ids.has(name_id)),
        [],
        part,
      )
    }
    assert.ok(few > 45, `of 80 parts only ${few} are in few names`)
  })
})

/** Opens a world with the corpus' feed, loaded like a run of ingest. */
async function loaded(t: TestContext): Promise<World> {
  const root = await temporaryFolder(t)
  await mkdir(path.join(root, 'feeds'))
  await copyFile(path.join(corpus.folder, 'adviserinfo/feeds', FEED), path.join(root, 'feeds', FEED))
  const world = await openWorld(t, { root })
  await world.bulk({ files: [path.join(root, 'feeds', FEED)] })
  return world
}

/** Loads the quarter's index like a crawl. */
async function loadQuarter(sql: Sql): Promise<void> {
  const reader = readIndex(createReadStream(QUARTER).pipe(createGunzip()))
  const result = await loadIndex(sql, registry, {
    url: 'quarter',
    reader,
    host: 'corpus',
    source: 'quarter',
    through: '2025-12-31',
    wholeFrom: '2025-10-01',
    now: new Date(),
  })
  assert.deepEqual(
    { lines: result.lines, filings: result.filings, added: result.added, problems: result.problems },
    { lines: 275_447, filings: 193_299, added: 193_299, problems: 0 },
  )
  const [filers] = await sql`select count(*)::int as n, count(distinct accession)::int as filings from edgar.filer`
  assert.deepEqual(filers, { n: 275_446, filings: 193_299 })
  const [counted] =
    await sql`select sum(filings)::int as n, count(*)::int as forms, count(*) filter (where family is null)::int as unclaimed from edgar.coverage`
  assert.deepEqual(counted, { n: 193_299, forms: 322, unclaimed: 0 })
}

/** Returns every name of the quarter with the number of its filings. */
async function filersOfQuarter(): Promise<Specimen[]> {
  const packed = await readFile(QUARTER)
  const counts = new Map<string, number>()
  for (const line of gunzipSync(packed).toString('latin1').split('\n')) {
    const [cik, name, , , file] = line.split('|')
    if (file && /^\d+$/.test(cik!)) counts.set(`${cik}|${name}`, (counts.get(`${cik}|${name}`) ?? 0) + 1)
  }
  return [...counts].map(([key, importance]) => {
    const at = key.indexOf('|')
    return { id: key.slice(0, at), name: key.slice(at + 1), city: null, state: null, importance }
  })
}

function reached(t: TestContext, { all, heldOut }: Scores, least: typeof LEAST): void {
  t.diagnostic(`${all}; of these held out: ${heldOut}; missed: ${all.missed.join(' · ')}`)
  assert.ok(all.first >= least.first * all.questions && all.three >= least.three * all.questions, `${all}`)
}

const letters = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]|^the (?=.)/gu, '')

/** Groups specimens whose names have the same key. */
function groups(
  all: readonly Specimen[],
  keyOf: (specimen: Specimen) => string,
): (of: Specimen) => readonly Specimen[] {
  const byKey = Map.groupBy(all, keyOf)
  return (specimen) => byKey.get(keyOf(specimen))!
}

/** Returns the specimens in a fixed shuffled order, in which similar names and sizes are not adjacent. */
function inSomeOrder(all: readonly Specimen[]): Specimen[] {
  const placed = all.map((specimen) => ({ specimen, at: Number((BigInt(specimen.id) * 2654435761n) % 4294967296n) }))
  return placed.sort((a, b) => a.at - b.at).map(({ specimen }) => specimen)
}

/**
 * An unfinished text may mean several names. A result is right if it begins with the text and is among the three
 * largest such names, or if it equals the whole name.
 */
async function placeOfTyped(
  typed: string,
  all: readonly (Specimen & { letters: string })[],
  find: Find,
): Promise<number> {
  const beginning = letters(typed)
  const begun = all.filter((one) => one.letters.startsWith(beginning))
  const heaviest = begun.toSorted((a, b) => b.importance - a.importance).slice(0, 3)
  const whole = begun.filter(({ name }) => letters(shortOf(name)) === letters(typed))
  const right = new Set([...heaviest, ...whole].map(({ id }) => id))
  return (await find(typed)).findIndex((id) => right.has(id))
}
