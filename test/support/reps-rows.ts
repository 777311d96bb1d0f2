/** Representatives as rows, with their database, for tests of stints, moves and headcounts. */

import reps from '../../src/datasets/reps/index.ts'
import { headcount, movements, repFlows } from '../../src/datasets/reps/routes.ts'
import type { Sql } from '../../src/store/db.ts'
import { testContext } from './context.ts'
import { freshDatabase } from './database.ts'
import { changing, remake } from './refreshed.ts'

/** One registration: firm, first day, last day; without a last day it is current. Days may be unknown. */
export type Spell = readonly [firm: number, begin: string | null, end?: string | null]

export interface Person {
  pk: number
  spells: readonly Spell[]
  /** Day of the first feed without the person. */
  gone?: string
  /** Date of the edition that lacked the person; by default the first of all editions. */
  stated?: string
}

export const NEWEST = '2024-06-15'

/** Opens a database without people; `newest` is the date of the last edition. */
export async function openReps(t: { after(fn: () => Promise<void>): void }, newest = NEWEST): Promise<Sql> {
  const { sql } = await freshDatabase(t)
  // Another slice owns the view: here the tests define it.
  await sql`drop view if exists pub.adv_adviser cascade`
  await sql`create schema if not exists pub`
  await sql`create table pub.adv_adviser (crd text collate "C" primary key, legal_name text collate "C")`
  await sql`
    insert into bulk.edition (series, name, from_day, to_day, state, files, records)
    values ('IA_INDVL', 'newest', ${newest}, ${newest}, 'done', '[]', 1),
      ('IA_INDVL', 'failed', '2030-01-01', '2030-01-01', 'failed', '[]', 0),
      ('IA_FIRM_SEC', 'other', '2031-01-01', '2031-01-01', 'done', '[]', 1)`
  return sql
}

/** Stores people like the loader; replaces those already stored. */
export async function put(sql: Sql, people: readonly Person[]): Promise<string[]> {
  const keys = people.map(({ pk }) => String(pk))
  await sql.begin(async (tx) => {
    for (const table of ['person', 'registration'])
      await tx`delete from ${tx(`reps.${table}`)} where indvl_pk = any(${keys})`
    await tx`delete from bulk.record where series = 'IA_INDVL' and key = any(${keys})`
    await tx`insert into reps.person ${tx(people.map(({ pk }) => nameOf(pk)))}`
    await tx`insert into bulk.record ${tx(
      people.map(({ pk, gone = null, stated = NEWEST }) => ({
        series: 'IA_INDVL',
        key: String(pk),
        digest: '',
        edition: 'newest',
        first_day: '2024-01-02',
        changed_day: gone ?? stated,
        gone_day: gone,
      })),
    )}`
    const rows = people.flatMap(({ pk, spells }) =>
      spells.map(([firm, begin_date, end_date], at) => ({
        indvl_pk: String(pk),
        n: at + 1,
        org_pk: String(firm),
        org_nm: `Firm ${firm}`,
        is_current: end_date === undefined,
        begin_date,
        end_date: end_date ?? null,
      })),
    )
    if (rows.length > 0) await tx`insert into reps.registration ${tx(rows)}`
  })
  return keys
}

const nameOf = (pk: number) => ({
  indvl_pk: String(pk),
  first_nm: 'Sample',
  last_nm: `Person ${String(pk).padStart(4, '0')}`,
  link: `https://adviserinfo.sec.gov/individual/summary/${pk}`,
})

/** Updates the rollups: of these keys as after an edition of this day, or of all keys if `keys` is null. */
export async function refresh(sql: Sql, keys: readonly string[] | null, day = NEWEST): Promise<void> {
  if (!keys) return remake(sql, reps)
  await changing(
    sql,
    reps,
    { series: 'IA_INDVL', keys, day },
    (tx) => tx`update bulk.edition set to_day = ${day} where name = 'newest'`,
  )
}

/** Stores people and refreshes for them. */
export async function load(sql: Sql, people: readonly Person[]): Promise<void> {
  await refresh(sql, await put(sql, people))
}

const days = (first: string, last: string | null) => `${first} ${last ?? ''}`.trim()

/** These functions return a firm’s flows, a firm’s headcount, and a person’s movements; null means 404. */
export const flowsOf = (sql: Sql, crd: number | string, query: Record<string, string> = {}) =>
  repFlows.run(repFlows.input.parse({ crd: String(crd), ...query }), testContext(sql)) as Promise<Flows | null>
export const headcountOf = (sql: Sql, crd: number | string) =>
  headcount.run(headcount.input.parse({ crd: String(crd) }), testContext(sql)) as Promise<Headcount | null>
export const movementsOf = (sql: Sql, pk: number | string) =>
  movements.run(movements.input.parse({ indvlPk: String(pk) }), testContext(sql)) as Promise<Movements | null>

/** Returns stints as `firm first last`, the current ones first. */
export const stintsOf = async (sql: Sql, pk: number) =>
  (await movementsOf(sql, pk))!.stints.map(
    (s) => `${s.org_pk} ${days(s.start_date ?? '?', s.is_current ? null : (s.end_date ?? '?'))}`,
  )

/** Returns moves as `person day other`, the latest first. */
export const movesOf = (moves: readonly Move[]) =>
  moves.map((m) => `${m.indvl_pk} ${m.move_date} ${m.other_org_pk ?? '-'}`)

export interface Move {
  indvl_pk: string
  first_nm: string | null
  last_nm: string | null
  other_org_pk: string | null
  other_org_nm: string | null
  move_date: string
  is_bulk: boolean
  bulk_reason: string | null
}

export interface Flows {
  crd: string
  summary: Record<string, number>
  bulk: { gained: number; lost: number }
  byYear: { year: number; gained: number; lost: number }[]
  recentIn: Move[]
  recentOut: Move[]
}

export interface Headcount {
  crd: string
  current: number
  peak: number
  series: { month: string; headcount: number }[]
}

export interface Movements {
  registrations: Record<string, string | null>[]
  person: Record<string, string | null>
  stints: {
    org_pk: string
    org_nm: string | null
    firm_legal_name: string | null
    start_date: string | null
    end_date: string | null
    is_current: boolean
  }[]
}
