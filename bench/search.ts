/**
 * Compares the search over a million names of everything (products/search) with two other ways to search the same
 * names. One is a single table with all names. The other is one look-up by words for each kind, the largest kind first.
 * The searches are called directly, with one query at a time.
 */
import { ADVISERS } from '../src/datasets/adv/named.ts'
import { type MarkedName, type Named, scoredNames, storeMarkedNames, storeNames, wordsFilter } from '../src/names.ts'
import { KINDS as ALL, entityId, type Kind, STORED } from '../src/products/search/kinds.ts'
import { ENTITIES, mark } from '../src/products/search/named.ts'
import { RESULTS_MAX, search } from '../src/products/search/queries.ts'
import type { Sql } from '../src/store/db.ts'
import { freshDatabase } from '../test/support/database.ts'
import { quantile, seconds } from './measure.ts'
import { KINDS, questionsOf } from './names.ts'
import { Random } from './random.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { part } from './share.ts'
import { generateFilers } from './spine.ts'

const FILERS = 560_000
const ADVISER_NAMES = 40_000
/** Roughly the proportions in EDGAR and IAPD. */
const ENTITY_NAMES: Partial<Record<Kind, number>> = {
  ...{ security: 180_000, insider: 120_000, representative: 60_000, fund: 25_000 },
  ...{ manager: 9_000, broker: 4_000, private_company: 1_500, money_market_fund: 400, portal: 100 },
}
const NAMES = 1_000_000
/** Number of queries of each of the fourteen kinds of typed text. */
const QUESTIONS = 30
const TURNS = 3
const BATCH = 20_000

/** All names in one table, as the alternative would store them. */
const ONE: Named = { ...ENTITIES, table: 'one.name', dictionary: 'one.word' }

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  const sql = await world(scope, share)
  const names = await sql<{ name: string }[]>`
    select name from edgar.filer_name order by hashtext(name || cik) limit ${QUESTIONS}`
  const typed = questionsOf(names)
  const ways = {
    ours: (q: string) => search(sql, { q, limit: 20 }),
    one: (q: string) => scoredNames(sql, ONE, q, RESULTS_MAX),
    each: (q: string) => eachKind(sql, q),
  }
  type Way = keyof typeof ways
  const best: Record<Way, number[]> = { ours: [], one: [], each: [] }
  const questions = KINDS.flatMap((kind) => typed[kind]!.slice(0, part(QUESTIONS, share)))
  for (const [at, q] of questions.entries())
    for (let turn = 0; turn < part(TURNS, share); turn++)
      for (const way of Object.keys(ways) as Way[]) {
        const took = 1000 * (await seconds(() => ways[way](q)))
        best[way][at] = Math.min(best[way][at] ?? Number.POSITIVE_INFINITY, took)
      }
  const what = `${part(NAMES, share).toLocaleString('en-US')} names of everything`
  const compared = (q: number, peer: 'one' | 'each', note: string): Row => ({
    ...{ section: 'search', what: `${what}: p${q * 100}`, unit: 'ms', note },
    ...{ ours: quantile(best.ours, q), peer: quantile(best[peer], q) },
  })
  const oneTable = 'all names in one table, without ids, tickers and what is shown'
  const everyKind = 'one look-up by words for each kind, the largest first, without ids, tickers and what is shown'
  return [
    compared(0.5, 'one', `${oneTable}; target 15 ms`),
    compared(0.99, 'one', oneTable),
    compared(0.5, 'each', everyKind),
    compared(0.99, 'each', everyKind),
  ]
}

/** The alternative without ranked names, which cannot order by the quality of a match. */
async function eachKind(sql: Sql, q: string): Promise<void> {
  const words = wordsFilter(q)
  if (words === null) return
  await Promise.all(
    ALL.filter((kind) => kind !== 'filing').map(
      (kind) => sql`
        select id from one.name where words @@ ${`(${words}) & '${mark(kind)}'`}::tsquery
        order by weight desc limit ${RESULTS_MAX}`,
    ),
  )
}

async function world(scope: Scope, share: number): Promise<Sql> {
  const { sql } = await freshDatabase(scope)
  await generateFilers(sql, part(FILERS, share), 1)
  const random = new Random(11)
  const drawn = await sql<{ name: string }[]>`select name from edgar.filer_name order by hashtext(cik || name)`
  const advisers = Array.from({ length: part(ADVISER_NAMES, share) }, (_, at) => ({
    ...{ id: String(at + 1), name: random.pick(drawn).name, kind: 'now' as const, city: 'BOSTON', state: 'MA' },
    importance: String(10 ** (6 + 6 * random.next() ** 2)),
  }))
  await sql.begin((tx) => storeNames(tx, ADVISERS, advisers))
  for (const kind of STORED) {
    const names = Array.from({ length: part(ENTITY_NAMES[kind] ?? 0, share) }, (_, at) => ({
      ...{ id: entityId(kind, String(at)), name: otherName(random, drawn), kind: 'now' as const, mark: mark(kind) },
      importance: Math.ceil(10 ** (6 * random.next() ** 3)),
    }))
    for (let at = 0; at < names.length; at += BATCH) await storeEntities(sql, kind, names.slice(at, at + BATCH))
  }
  await oneTable(sql)
  await sql`vacuum (analyze) search.entity, search.name, search.word, adv.search_name, adv.search_word, one.name, one.word`
  return sql
}

/**
 * Combines the first words of one name with the last words of another, which makes any number of different names from
 * the same words.
 */
function otherName(random: Random, drawn: readonly { name: string }[]): string {
  const [one, other] = [random.pick(drawn).name.split(' '), random.pick(drawn).name.split(' ')]
  return [...one.slice(0, 2), ...other.slice(-2)].join(' ')
}

async function storeEntities(sql: Sql, kind: Kind, names: readonly MarkedName[]): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`
      insert into search.entity (id, kind, key, name, other_names, former_names, weight)
      select id, ${kind}, substr(id, strpos(id, ' ') + 1), name, '{}', '{}', importance
      from jsonb_to_recordset(${tx.json(names as never)}) as n (id text, name text, importance integer)`
    await storeMarkedNames(tx, ENTITIES, names)
  })
}

/** Copies all names into one table with the same indexes, and sums up the words of their dictionaries. */
async function oneTable(sql: Sql): Promise<void> {
  await sql`create schema one`
  await sql`create table one.name (like search.name)`
  await sql`
    insert into one.name (id, key, words, kind, band, weight)
    select 'company ' || cik, key, words || '=company:1', kind, width_bucket(filings::numeric, array[3, 10, 40, 200, 1000, 10000]::numeric[]), filings
    from edgar.filer_search
    union all
    select 'adviser ' || crd, key, words || '=adviser:1', kind, band, greatest(1, latest_raum / 1e6)::int from adv.search_name
    union all
    select id, key, words, kind, band, weight from search.name`
  await sql`create table one.word (like search.word including indexes)`
  await sql`
    insert into one.word (word, names, near)
    select distinct on (word) word, sum(names) over (partition by word), near from (
      select word, names, near from edgar.filer_word union all select word, names, near from adv.search_word
      union all select word, names, near from search.word) w`
  const indexes = await sql<{ definition: string }[]>`
    select replace(indexdef, ' ON search.name ', ' ON one.name ') as definition from pg_indexes
    where schemaname = 'search' and tablename = 'name' and indexdef like '%gin%'`
  for (const { definition } of indexes) await sql.unsafe(definition)
  await sql`create index on one.name using gin (words) with (fastupdate = off)`
}
