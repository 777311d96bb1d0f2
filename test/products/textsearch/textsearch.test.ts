/** Compares the search with a full scan of every document, over small random corpora. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Random } from '../../../bench/random.ts'
import { EFFORT, type Effort } from '../../../src/products/textsearch/effort.ts'
import { find, type SearchParams } from '../../../src/products/textsearch/search.ts'
import { readQuery } from '../../../src/serve/search/typed.ts'
import { freshDatabase } from '../../support/database.ts'
import {
  type MadeDocument,
  madeOf,
  makeIndexes,
  makeTables,
  storeBrochures,
  storeDocuments,
} from '../../support/textsearch-world.ts'

const { sql } = await freshDatabase({ after })
const random = new Random(12)

/** Few words, so that every combination of them occurs, and numbers, because their pairs are not stored. */
const WORDS = [...'amber bay cross eagle falls hawk hill key pier tower'.split(' '), '10', '2024', 'eaglet', 'towering']
const FORMS = ['10-K', '10-Q', '8-K', 'S-1']
const CORPORA: Record<string, string> = { '10-K': 'tenx', '10-Q': 'tenx', '8-K': 'eightk', 'S-1': 's1' }

const textOf = (count: number) => Array.from({ length: count }, () => random.pick(WORDS, 1.5)).join(' ')

function documentOf(i: number): MadeDocument {
  const parts = Array.from({ length: 1 + random.below(4) }, () => textOf(1 + random.below(14)))
  const text = parts.join('\n\n')
  const starts = parts.map((_, n) => parts.slice(0, n).join('\n\n').length + (n > 0 ? 2 : 0))
  const form = random.pick(FORMS)
  const day = new Date(Date.UTC(2019, 0, 1 + random.below(2000))).toISOString().slice(0, 10)
  return {
    accession: `0000000001-${day.slice(2, 4)}-${String(i).padStart(6, '0')}`,
    sequence: 1 + random.below(3),
    corpus: CORPORA[form]!,
    form,
    filed_date: day,
    cik: String(1 + random.below(20)).padStart(10, '0'),
    company_name: textOf(1 + random.below(2)),
    text,
    // Each part is a separate section, so that documents of a few words have several passages.
    sections: starts.map((start, n) => ({ id: String(n), start, end: starts[n + 1] ?? text.length })),
  }
}

const documents = Array.from({ length: 400 }, (_, i) => documentOf(i))
const brochures = Array.from({ length: 20 }, (_, i) => ({
  id: 900 + i,
  crd: String(100 + i),
  firm_name: textOf(2),
  filing_date: `2022-03-${String(1 + i).padStart(2, '0')}`,
  text: textOf(12),
}))
await makeTables(sql)
await storeDocuments(sql, documents)
await storeBrochures(sql, brochures)
await makeIndexes(sql)

/**
 * A document for the oracle, with the words of each passage. Each passage after the first also has the words of the
 * name.
 */
interface DocumentWords extends Pick<MadeDocument, 'form' | 'corpus' | 'filed_date' | 'cik'> {
  name: string
  passages: string[][]
}

const read: DocumentWords[] = [
  ...documents.map((document) => ({
    ...document,
    name: `${document.accession}/${document.sequence}`,
    passages: madeOf(document).passages.map(({ start, end }, i) => [
      ...document.text.slice(start, end).split(/\s+/),
      ...(i === 0 ? ['|', ...document.company_name.split(' ')] : []),
    ]),
  })),
  ...brochures.map(({ id, firm_name, filing_date, text }) => ({
    ...{ name: `${id}/1`, form: 'ADV Part 2', corpus: 'brochures', filed_date: filing_date, cik: '' },
    passages: [[...text.split(' '), '|', ...firm_name.split(' ')]],
  })),
]

/** A query for the oracle, and as typed. */
interface Query {
  typed: string
  isMet(document: DocumentWords): boolean
}

const singular = (word: string) => (word === 'falls' ? 'fall' : word)
const startsOf = (passage: readonly string[], words: readonly string[]) =>
  passage.flatMap((_, i) => (words.every((word, n) => passage[i + n] === word) ? [i] : []))

const phraseQuery = (words: readonly string[]): Query => ({
  typed: words.length === 1 && random.below(2) ? words[0]! : `"${words.join(' ')}"`,
  isMet: ({ passages }) => passages.some((passage) => startsOf(passage, words).length > 0),
})

function prefixQuery(): Query {
  const word = random.pick(WORDS.filter((word) => word.length > 3 && word !== '2024'))
  const letters = word.slice(0, 3 + random.below(word.length - 2))
  return {
    typed: `${letters}*`,
    isMet: ({ passages }) => passages.some((passage) => passage.some((word) => singular(word).startsWith(letters))),
  }
}

function nearQuery(): Query {
  const [one, other] = [phrase(2), phrase(2)]
  const n = 1 + random.below(6)
  const sides = [one, other].map((words) => (words.length === 1 ? words[0] : `"${words.join(' ')}"`))
  const follows = (passage: readonly string[], a: readonly string[], b: readonly string[]) =>
    startsOf(passage, a).some((at) =>
      startsOf(passage, b).some((then) => then - (at + a.length - 1) >= 1 && then - (at + a.length - 1) <= n),
    )
  return {
    typed: random.below(2) ? `${sides[0]} NEAR/${n} ${sides[1]}` : `NEAR(${sides.join(' ')}, ${n})`,
    isMet: ({ passages }) => passages.some((passage) => follows(passage, one, other) || follows(passage, other, one)),
  }
}

const phrase = (most: number) => Array.from({ length: 1 + random.below(most) }, () => random.pick(WORDS))

function leafQuery(): Query {
  const kind = random.below(8)
  return kind === 0 ? prefixQuery() : kind === 1 ? nearQuery() : phraseQuery(phrase(kind === 2 ? 4 : kind < 5 ? 2 : 1))
}

function queryOf(depth: number): Query {
  const kind = depth === 0 ? 9 : random.below(6)
  if (kind > 3) return leafQuery()
  const [one, other] = [queryOf(depth - 1), queryOf(depth - 1)]
  const text = ({ typed }: Query) => (/ /.test(typed) ? `(${typed})` : typed)
  if (kind === 0) {
    return { typed: `${text(one)} OR ${text(other)}`, isMet: (d) => one.isMet(d) || other.isMet(d) }
  }
  if (kind === 1) {
    const sign = random.below(2) ? 'NOT ' : '-'
    return { typed: `${text(one)} ${sign}${text(other)}`, isMet: (d) => one.isMet(d) && !other.isMet(d) }
  }
  const and = random.below(2) ? ' AND ' : ' '
  return { typed: `${text(one)}${and}${text(other)}`, isMet: (d) => one.isMet(d) && other.isMet(d) }
}

const DEFAULTS: Omit<SearchParams, 'q'> = {
  ...{ corpora: null, forms: null, cik: null, from: null, to: null },
  ...{ sort: 'relevance', limit: 50, cursor: null },
}

/**
 * Settings that read all documents at once, and settings with small blocks and samples, so that a walk visits many
 * blocks.
 */
const EFFORTS: Effort[] = [
  EFFORT,
  { sample: 50, block: 40, newest: 10, counted: 12, rowsMax: 12, itemsMax: 60 },
  { sample: 50, block: 12, newest: 3, counted: 0.5, rowsMax: 0.5, itemsMax: 0.5 },
]

/** All pages of a search. */
async function walked(params: SearchParams, effort: Effort = EFFORT) {
  const names: string[] = []
  const days: string[] = []
  let first: Awaited<ReturnType<typeof find>> | undefined
  let cursor: string | null = null
  for (let page = 0; page < 500; page++) {
    const found = await find(sql, readQuery(params.q), { ...params, cursor }, effort)
    first ??= found
    names.push(...found.documents.map(({ name }) => name))
    days.push(...found.documents.map(({ filed_date }) => filed_date))
    cursor = found.next_cursor
    if (!cursor) return { names, days, first }
  }
  throw new Error('the walk has no end')
}

test('every query finds the same documents as a full scan, each once, whatever the page size', async () => {
  let matched = 0
  for (let i = 0; i < 300; i++) {
    const query = queryOf(2)
    let params: SearchParams
    try {
      readQuery(query.typed)
    } catch {
      continue
    }
    const filters = random.below(4)
    const one = random.pick(read)
    params = {
      ...DEFAULTS,
      q: query.typed,
      limit: [3, 10, 50, 50][random.below(4)]!,
      sort: random.below(2) ? 'date' : 'relevance',
      ...(filters === 1 ? { forms: [one.form], from: '2020-02-10' } : {}),
      ...(filters === 2 ? { corpora: [one.corpus, 's1'], to: '2022-11-30' } : {}),
      ...(filters === 3 ? { cik: one.cik || null } : {}),
    }
    const expected = read.filter(
      (document) =>
        query.isMet(document) &&
        (params.forms?.includes(document.form) ?? true) &&
        (params.corpora?.includes(document.corpus) ?? true) &&
        (params.cik === null || document.cik === params.cik) &&
        document.filed_date >= (params.from ?? '') &&
        document.filed_date <= (params.to ?? '9'),
    )
    const { names, days, first } = await walked(params, random.pick(EFFORTS))
    assert.deepEqual(names.toSorted(), expected.map(({ name }) => name).toSorted(), JSON.stringify(params))
    if (params.sort === 'date') assert.deepEqual(days, days.toSorted().reverse())
    const { total, is } = first!.counts!
    if (is === 'exact') assert.equal(total, expected.length, query.typed)
    if (is === 'at_most') assert.ok(total >= expected.length, query.typed)
    matched += expected.length
  }
  assert.ok(matched > 1000, `${matched}`)
})
