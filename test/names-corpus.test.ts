/**
 * Names as people type them, over real ones: the 5,971 firms of the corpus' feed, and the 63,780 filers of a quarter of EDGAR.
 * One run, since both must be loaded for any of it: some 6,000 searches take longer than ten seconds.
 */
import assert from 'node:assert/strict'
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { fold, likeLiteral } from '../src/core/fold.ts'
import { search as searchAdvisers } from '../src/datasets/adv/queries-search.ts'
import { fewNames, searchFilers } from '../src/products/filings/queries-names.ts'
import { corpus } from './corpus.ts'
import { randomOf, shortOf, WAYS } from './names/kinds.ts'
import { isHeldOut, putFilers, Score, type Specimen, typedNames } from './names/world.ts'
import { openWorld, temporaryFolder, type World } from './world.ts'

const FEED = 'IA_FIRM_SEC_Feed_07_23_2026.xml.gz'
/** Questions of each way of typing a name, of the two thirds and of the third held out. */
const OPEN = 120
const HELD_OUT = 60
/** Least share of who is meant first, and among the first three. */
const FIRST = 0.97
const THREE = 0.99

type Find = (typed: string) => Promise<string[]>

test('names as people type them', corpus, async (t) => {
  const world = await loaded(t)
  const advisers = await world.sql<Specimen[]>`
    select crd as id, firm_name as name, city, state, coalesce(latest_raum, 0)::float8 as importance from adv.adviser`
  const filers = await filersOfQuarter()
  await putFilers(world.sql, filers)
  const lists: Record<'advisers' | 'filers', { all: readonly Specimen[]; find: Find }> = {
    advisers: {
      all: advisers,
      find: async (typed) => (await searchAdvisers(world.sql, typed, 10)).map(({ id }) => id),
    },
    filers: {
      all: filers,
      find: async (typed) => (await searchFilers(world.sql, typed, 10)).map((cik) => cik.replace(/^0+/, '')),
    },
  }

  await t.test('of a table of 600, who is meant is found, and nobody for nonsense', async (t) => {
    const scores = { open: new Score(), heldOut: new Score() }
    for (const { list, kind, typed, expected } of typedNames()) {
      const found = await lists[list].find(typed)
      const place = kind === 'nonsense' ? (found.length === 0 ? 0 : -1) : found.findIndex((id) => expected.includes(id))
      const score = isHeldOut(list + typed) ? scores.heldOut : scores.open
      score.add(place, `${list}: ${typed}`)
    }
    t.diagnostic(`table: ${scores.open}; held out: ${scores.heldOut}`)
    reached(scores.open)
    reached(scores.heldOut)
  })

  for (const [list, { all, find }] of Object.entries(lists)) {
    for (const [way, type] of Object.entries(WAYS)) {
      await t.test(`${list} are found by ${way}`, async (t) => {
        const random = randomOf(7)
        const alike = groups(all, ({ name }) => (way === 'the full name' ? name.toLowerCase() : letters(shortOf(name))))
        const scores = { open: new Score(), heldOut: new Score() }
        for (const specimen of inSomeOrder(all)) {
          const score = isHeldOut(list + specimen.id) ? scores.heldOut : scores.open
          if (score.asked >= (score === scores.heldOut ? HELD_OUT : OPEN)) continue
          const typed = type(specimen, random)
          if (!typed) continue
          const meant = alike(specimen).map(({ id }) => id)
          score.add(
            (await find(typed)).findIndex((id) => meant.includes(id)),
            typed,
          )
        }
        if (scores.open.asked === 0) return t.skip('no name can be typed so')
        t.diagnostic(`${way}: ${scores.open}; held out: ${scores.heldOut}`)
        reached(scores.open)
        reached(scores.heldOut)
      })
    }
    await t.test(`${list} are found as they are typed, letter by letter`, async (t) => {
      const random = randomOf(8)
      const scores = { open: new Score(), heldOut: new Score() }
      for (const specimen of inSomeOrder(all)) {
        const score = isHeldOut(list + specimen.id) ? scores.heldOut : scores.open
        if (score.asked >= (score === scores.heldOut ? HELD_OUT : OPEN)) continue
        const typed = shortOf(specimen.name)
          .slice(0, 4 + random(9))
          .trim()
        score.add(await placeOfTyped(typed, all, find), typed)
      }
      t.diagnostic(`letter by letter: ${scores.open}; held out: ${scores.heldOut}`)
      reached(scores.open)
      reached(scores.heldOut)
    })
  }

  await t.test('whatever a filter of filers found as part of a name it still finds', async () => {
    const random = randomOf(9)
    let few = 0
    for (let i = 0; i < 250; i++) {
      const key = fold(filers[random(filers.length)]!.name)
      const from = random(key.length)
      const part = fold(key.slice(from, from + 3 + random(12)))
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
    assert.ok(few > 150, `of 250 parts only ${few} are in few names`)
  })
})

/** The feed of the corpus, loaded as a run of ingest loads it. */
async function loaded(t: TestContext): Promise<World> {
  const root = await temporaryFolder(t)
  await mkdir(path.join(root, 'feeds'))
  await copyFile(path.join(corpus.folder, 'adviserinfo/feeds', FEED), path.join(root, 'feeds', FEED))
  const world = await openWorld(t, { root })
  await world.bulk({ files: [path.join(root, 'feeds', FEED)] })
  return world
}

/** Every name of the quarter with the number of its filings. */
async function filersOfQuarter(): Promise<Specimen[]> {
  const packed = await readFile(path.join(corpus.folder, 'index/full-index/2025_QTR4_master.idx.gz'))
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

function reached(score: Score): void {
  const share = `${score}; missed ${score.missed.slice(0, 10).join(' · ')}`
  assert.ok(score.first >= FIRST * score.asked && score.three >= THREE * score.asked, share)
}

const letters = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]|^the (?=.)/gu, '')

/** Those whose name is the same by a key. */
function groups(
  all: readonly Specimen[],
  keyOf: (specimen: Specimen) => string,
): (of: Specimen) => readonly Specimen[] {
  const byKey = Map.groupBy(all, keyOf)
  return (specimen) => byKey.get(keyOf(specimen))!
}

/** The same order in every run, in which neither names nor sizes are together. */
const inSomeOrder = (all: readonly Specimen[]) =>
  all.toSorted(
    (a, b) => Number((BigInt(a.id) * 2654435761n) % 4294967296n) - Number((BigInt(b.id) * 2654435761n) % 4294967296n),
  )

/**
 * Of an unfinished name nobody knows which is meant: right is one that begins so and is among the three heaviest of these, or is
 * so to its end.
 */
async function placeOfTyped(typed: string, all: readonly Specimen[], find: Find): Promise<number> {
  const begun = all.filter(({ name }) => letters(name).startsWith(letters(typed)))
  const heaviest = begun.toSorted((a, b) => b.importance - a.importance).slice(0, 3)
  const whole = begun.filter(({ name }) => letters(shortOf(name)) === letters(typed))
  const right = new Set([...heaviest, ...whole].map(({ id }) => id))
  return (await find(typed)).findIndex((id) => right.has(id))
}
