/**
 * Measures the full-text search over 200,000 generated documents and over a tenth of them: pages with excerpts, totals
 * and facets. The search is called directly, with one query at a time, and all queries differ. Loading takes most of
 * the time.
 */

import { answer } from '../src/products/textsearch/page.ts'
import registry from '../src/registry.ts'
import type { Sql } from '../src/store/db.ts'
import { freshDatabase } from '../test/support/database.ts'
import { makeIndexes, makeTables, storeDocuments } from '../test/support/textsearch-world.ts'
import { quantile, seconds } from './measure.ts'
import { Random } from './random.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { part } from './share.ts'
import { generatedDocuments, wordAt } from './textsearch-documents.ts'

const DOCUMENTS = 200_000
export const PART = 0.1
/** Number of queries of a kind. */
const QUESTIONS = 30
/** Number of uncounted first queries, which bring pages into memory and compile code. */
const WARMING = 5
const TURNS = 3

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  const count = part(DOCUMENTS, share)
  const { sql: small } = await freshDatabase(scope)
  const { sql: large } = await freshDatabase(scope)
  const few = await loaded(small, count * PART)
  const many = await loaded(large, count)
  const rate = (documents: number, { times }: Loaded) => documents / (times.rows + times.indexes)
  const { text, documentIndex, passageIndex } = many.sizes
  return [
    row('documents stored and indexed', rate(count, many), rate(count * PART, few), 'documents/s', ''),
    row('index of documents against the text', documentIndex, text, 'MB', 'documents of 110 words'),
    row('index of passages against the text', passageIndex, text, 'MB', 'passages of 10 words'),
    ...(await answered({ small, large }, { share })),
  ]
}

/** Returns milliseconds of each kind of query at both sizes. */
export async function answered(
  worlds: Record<'small' | 'large', Sql>,
  { share, only = '' }: { share: number; only?: string | undefined },
): Promise<Row[]> {
  const all: TextQuery = { small: [], large: [] }
  const ofKinds: Row[] = []
  for (const kind of Object.keys(KINDS).filter((name) => name.includes(only))) {
    const taken = await ask(worlds, kind, share)
    all.small.push(...taken.small)
    all.large.push(...taken.large)
    for (const [name, q] of [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const) {
      ofKinds.push(row(`${kind}, ${name}`, quantile(taken.large, q), quantile(taken.small, q), 'ms', ''))
    }
  }
  return [
    row('all kinds, p50', quantile(all.large, 0.5), quantile(all.small, 0.5), 'ms', 'target 15 ms, 1.5'),
    row('all kinds, p99', quantile(all.large, 0.99), quantile(all.small, 0.99), 'ms', 'target 1.5'),
    ...ofKinds,
  ]
}

/**
 * Milliseconds of each query, the best of its turns: otherwise the 99th percentile would measure other work of the
 * machine.
 */
interface TextQuery {
  small: number[]
  large: number[]
}

async function ask(worlds: Record<'small' | 'large', Sql>, kind: string, share: number): Promise<TextQuery> {
  const [questions, warming, turns] = [QUESTIONS, WARMING, TURNS].map((whole) => part(whole, share)) as [
    number,
    number,
    number,
  ]
  const random = new Random(17)
  const best: TextQuery = { small: [], large: [] }
  for (let question = 0; question < warming + questions; question++) {
    const given = KINDS[kind]!(random)
    for (let turn = 0; turn < turns; turn++) {
      for (const size of ['small', 'large'] as const) {
        const input = { sort: 'relevance' as const, limit: 10, ...given }
        const took = 1000 * (await seconds(() => answer(worlds[size], registry, input)))
        const at = question - warming
        if (at >= 0) best[size][at] = Math.min(best[size][at] ?? Number.POSITIVE_INFINITY, took)
      }
    }
  }
  return best
}

/** Words by frequency: in nearly every document, in one of ten, in one of a thousand and less. */
const common = (random: Random) => wordAt(random.below(8))
const middling = (random: Random) => wordAt(60 + random.below(300))
const rare = (random: Random) => wordAt(5000 + random.below(40_000))

interface Question {
  q: string
  sort?: 'date'
  cik?: string
  form?: string[]
  from?: string
  to?: string
}

const KINDS: Readonly<Record<string, (random: Random) => Question>> = {
  'a rare word': (random) => ({ q: rare(random) }),
  'a word of medium frequency': (random) => ({ q: middling(random) }),
  'a common word': (random) => ({ q: common(random) }),
  'two common words': (random) => ({ q: `${common(random)} ${common(random)}` }),
  'two words of medium frequency': (random) => ({ q: `${middling(random)} ${middling(random)}` }),
  'a phrase of common words': (random) => ({ q: `"${common(random)} ${common(random)}"` }),
  'a phrase of words of medium frequency': (random) => ({ q: `"${middling(random)} ${common(random)}"` }),
  'one filer': (random) => ({ q: common(random), cik: String(1 + random.below(2000)).padStart(10, '0') }),
  'one form': (random) => ({ q: middling(random), form: ['N-CSR'] }),
  'one year': (random) => ({ q: common(random), from: '2017-02-03', to: '2018-02-02' }),
  'a common word by date': (random) => ({ q: common(random), sort: 'date' }),
  'a rare word by date': (random) => ({ q: rare(random), sort: 'date' }),
  'words with a given beginning': (random) => ({ q: `${middling(random).slice(0, 4)}*` }),
  'words near each other': (random) => ({ q: `${middling(random)} NEAR/5 ${common(random)}` }),
  'one of two, not a third': (random) => ({ q: `(${middling(random)} OR ${rare(random)}) -${common(random)}` }),
}

const row = (what: string, ours: number, peer: number, unit: string, note: string): Row => ({
  section: 'textsearch',
  what,
  ours,
  peer,
  unit,
  note,
})

interface Loaded {
  /** Seconds. */
  times: { rows: number; indexes: number }
  /** MB. */
  sizes: Record<'text' | 'documents' | 'passages' | 'documentIndex' | 'passageIndex', number>
}

/**
 * Makes tables of `count` generated documents. The indexes are made after the rows.
 *
 * @param words average number of words of a document; undefined for short documents
 */
export async function loaded(sql: Sql, count: number, words?: number): Promise<Loaded> {
  await makeTables(sql)
  const rows = await seconds(() => storeDocuments(sql, generatedDocuments(count, { words })))
  const indexes = await seconds(() => makeIndexes(sql))
  await sql`vacuum (analyze) documents.document, documents.passage`
  const [sizes] = await sql<[Loaded['sizes']]>`
    select
      (select sum(length(text)) / 1e6::float8 from documents.passage) as text,
      pg_table_size('documents.document') / 1e6::float8 as documents,
      pg_table_size('documents.passage') / 1e6::float8 as passages,
      pg_relation_size('documents.document_search') / 1e6::float8 as "documentIndex",
      pg_relation_size('documents.passage_search') / 1e6::float8 as "passageIndex"`
  return { times: { rows, indexes }, sizes }
}
