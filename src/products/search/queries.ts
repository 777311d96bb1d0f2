/** SQL of the search: hits by id, by ticker and by name, merged best first, and then shown. */
import { type Scored, scoredNames, WHOLE_MIN } from '../../names.ts'
import { knownCount } from '../../serve/count.ts'
import { type Counted, cut, type Paged, startOf } from '../../serve/keyset.ts'
import type { Sql } from '../../store/db.ts'
import type { Match } from './answers.ts'
import { type Hit, KINDS, type Kind, ROLES } from './kinds.ts'
import { tablesOf } from './named.ts'
import { formRows, formRowsOf, formsTyped } from './queries-forms.ts'
import { byId } from './queries-ids.ts'
import { shown } from './queries-shown.ts'
import { byTicker } from './queries-tickers.ts'
import { type TypedIds, typedIds, withoutMarks } from './read-typed.ts'
import { type Unknown, unknownOf } from './unknown.ts'

/**
 * Maximum number of results, because nobody reads further. All results are ranked again for each page, so that all
 * pages have one order.
 */
export const RESULTS_MAX = 50

interface SearchParams extends Omit<Paged, 'offset'> {
  q: string
  kind?: Kind | undefined
}

/** Returns the things that the typed text may mean, best first. */
export async function search(
  sql: Sql,
  { q, kind, ...paged }: SearchParams,
): Promise<{ rows: Match[]; next_cursor: string | null; unknown?: Unknown } & Counted> {
  const keys = [{ column: 'place', dir: 'asc', type: 'count' }] as const
  const start = startOf(
    { list: 'search', sort: 'match', dir: 'asc', keys, filters: { q, kind } },
    { ...paged, offset: 0 },
  )
  const typed = withoutMarks(q)
  const ids = typedIds(typed)
  const rows = (await found(sql, typed, ids, kind)).slice(0, RESULTS_MAX)
  const unknown = rows.length === 0 && kind === undefined ? unknownOf(ids) : null
  const from = Number(start.after?.[0] ?? 0)
  const placed = rows.map((row, at) => ({ ...row, place: String(at + 1) })).slice(from, from + start.rowsMax)
  const page = cut(start, placed, knownCount(start, rows.length))
  return { ...page, rows: page.rows.map(({ place: _, ...row }) => row), ...(unknown && { unknown }) }
}

/** Returns all rows. A form next to a name is looked up only if no name has all the words: `Form 4 Capital` is a name. */
async function found(sql: Sql, typed: string, ids: TypedIds, kind: Kind | undefined): Promise<Match[]> {
  const named = async (q: string, of: Kind | undefined, asTyped: boolean) =>
    shown(sql, await ranked(sql, q, q === typed ? ids : typedIds(q), of, asTyped), of)
  const typedForms = ids.isCertain ? null : await formsTyped(sql, typed)
  if (!typedForms) return named(typed, kind, false)
  const { rest, isClear } = typedForms
  const asTyped = await named(typed, kind, true)
  const forms = kind === undefined || kind === 'form' ? typedForms.forms : []
  if (rest === '') {
    const rows = await formRows(sql, forms)
    return isClear ? [...rows, ...asTyped] : [...asTyped, ...rows]
  }
  if (asTyped.length > 0) return asTyped
  const others = await named(rest, kind === 'form' ? undefined : kind, false)
  const filers = others.filter((row) => FILERS.includes(row.kind))
  const rows = await formRowsOf(sql, forms, filers)
  return kind === 'form' ? rows : [...rows, ...others]
}

/** Kinds of things whose key is the CIK under which they file. */
const FILERS: readonly Kind[] = ['company', ...ROLES]

/**
 * Returns hits by id first, then by current ticker, then by former ticker, then by name.
 *
 * @param asTyped whether misspelled words are left uncorrected
 */
async function ranked(sql: Sql, q: string, ids: TypedIds, kind: Kind | undefined, asTyped: boolean): Promise<Hit[]> {
  if (q === '') return []
  const [numbered, traded] = await Promise.all([byId(sql, ids), byTicker(sql, q)])
  const first = [...numbered, ...traded.hits]
  const isMeant = ids.isCertain || (traded.isCertain && traded.hits.length > 0)
  return isMeant ? first : [...first, ...(await byName(sql, q, kind, asTyped))]
}

/**
 * Deduction from the score of a security. Without it, a company would come after its security, which has the same name.
 * The weight of the security is the value of its holdings in millions. This weight is larger than the weight of the
 * company, which is the number of the company's filings.
 */
const SECURITY_COST = 0.4

interface Named extends Scored {
  kind_: Kind
  key: string
}

/**
 * Misspelled words are corrected only if no table has a name that matches the text as typed. A long number is never
 * corrected to the number in a name. `1234567` may be "1234567 Canada Inc", but not a company with another number, such
 * as "1234568 Canada Inc".
 */
async function byName(sql: Sql, q: string, kind: Kind | undefined, asTyped: boolean): Promise<Hit[]> {
  const typed = await inTables(sql, q, kind, true)
  const all = typed.length > 0 || asTyped || /^[\d\s.-]{5,}$/.test(q) ? typed : await inTables(sql, q, kind, false)
  const scoreOf = ({ kind_, score }: Named) => score - (kind_ === 'security' ? SECURITY_COST : 0)
  const isPhrase = /\S\s+\S/.test(q)
  const tier = ({ quality }: Named) => (isPhrase && quality >= WHOLE_MIN ? 0 : 1)
  return all
    .sort(
      (a, b) =>
        tier(a) - tier(b) ||
        scoreOf(b) - scoreOf(a) ||
        KINDS.indexOf(a.kind_) - KINDS.indexOf(b.kind_) ||
        (a.key < b.key ? -1 : 1),
    )
    .map(({ kind_, key, kind: of }) => ({ kind: kind_, key, matched: MATCHED[of] }))
}

async function inTables(sql: Sql, q: string, kind: Kind | undefined, asTyped: boolean): Promise<Named[]> {
  const found = await Promise.all(
    tablesOf(kind).map(async ({ named, kind: own }) => {
      const scored = await scoredNames(sql, named, q, RESULTS_MAX, { asTyped })
      return scored.map((one): Named => {
        const [of, key] = own ? [own, one.id] : splitId(one.id)
        return { ...one, kind_: of, key }
      })
    }),
  )
  return found.flat()
}

const MATCHED = { now: 'name', other: 'other_name', former: 'former_name' } as const

/** In an id of an entity, the kind precedes the first blank. */
function splitId(id: string): [Kind, string] {
  const at = id.indexOf(' ')
  return [id.slice(0, at) as Kind, id.slice(at + 1)]
}
