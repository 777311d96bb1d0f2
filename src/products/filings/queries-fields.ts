/** Fields that `filters` of /filings may name: the universal fields of the spine, and the facets of one family. */
import type { Family } from '../../declare/catalog.ts'
import { columnType, meaningOf } from '../../declare/table.ts'
import { meets } from '../../names.ts'
import { containing, fold } from '../../read/fold.ts'
import { HAS_TEXT } from '../../serve/filings-of.ts'
import type { FilterField, FilterFields, FilterType, Operator } from '../../serve/filters.ts'
import type { Fragment, Sql } from '../../store/db.ts'

/**
 * The relation that a search reads in order: the spine itself (`f`), the filers (`c`), the items (`i`), or a family's
 * table (`t`). Each has `accession` and `filed_date`.
 */
export type Driver = 'f' | 'c' | 'i' | 't'

/**
 * Universal fields that only a row of `edgar.filing f` has; a search on other fields does not need to read that table.
 */
export const SPINE_ONLY: readonly string[] = [
  'company_name',
  'form_type',
  'period_of_report',
  'accepted_at',
  'has_text',
  'family',
]

const exact: readonly Operator[] = ['eq', 'ne', 'in', 'not_in']

/**
 * Field of a condition that lists the ids (`name_id`) of names. It replaces a condition on names after the matching
 * names were looked up. No column name contains a dot, so the field is not mistaken for a column.
 */
export const NAME_IDS = 'filer.name_id'

/**
 * Defines the field `NAME_IDS`. The listed names are few, so the planner may collect their filings before it tests
 * other conditions.
 */
export const nameIds = (driver: Driver): FilterFields => ({
  [NAME_IDS]: {
    kind: 'number',
    type: 'integer',
    meaning: 'Number of the name of any filer of the filing',
    expression: (sql) => sql`n.name_id`,
    // There is no index on `name_id`, so the condition goes from the name to the filer, and from the filer to its
    // filings.
    within: (sql, test) => sql`
      exists (
        select from edgar.filer r join edgar.filer_search n using (cik, name_id)
        where r.accession = ${sql.unsafe(`${driver}.accession`)} and ${test})`,
  },
})

/**
 * Returns the fields that every filing has, as SQL that uses the driver and, for the fields in SPINE_ONLY,
 * `edgar.filing f`. Long: it is a table of filters.
 */
export function universalFields(driver: Driver = 'f'): FilterFields {
  const ofDriver = (column: string) => (sql: Sql) => sql`${sql.unsafe(`${driver}.${column}`)}`
  const ofFiling = (column: string) => (sql: Sql) => sql`${sql.unsafe(`f.${column}`)}`
  return {
    accession: {
      kind: 'text',
      type: 'text',
      meaning: 'Accession number, with dashes or as 18 digits',
      expression: ofDriver('accession'),
      stored: (value) => (/^(\d{18}|\d{10}-\d{2}-\d{6})$/.test(value) ? dashed(value) : null),
      operators: exact,
    },
    cik: {
      kind: 'text',
      type: 'text',
      meaning: 'CIK of any filer of the filing, with or without leading zeros',
      expression: (sql) => sql`r.cik`,
      within: (sql, test) =>
        sql`exists (select from edgar.filer r where r.accession = ${ofDriver('accession')(sql)} and ${test})`,
      stored: (value) => (/^\d{1,10}$/.test(value) ? value.padStart(10, '0') : null),
      operators: exact,
    },
    company_name: {
      kind: 'text',
      type: 'text',
      meaning: 'Name of any filer of the filing, compared without capitals and accents',
      expression: (sql) => sql`n.name_key`,
      within: anyName,
      stored: fold,
      folded: true,
      named: anyNamed,
      operators: [...exact, 'contains', 'starts_with', 'named'],
    },
    form_type: {
      kind: 'text',
      type: 'text',
      meaning: 'Exact form code: 10-K does not include 10-K/A',
      expression: ofFiling('form_type'),
    },
    filed_date: {
      kind: 'date',
      type: 'date',
      meaning: 'Date the SEC gives as the filing date',
      expression: ofDriver('filed_date'),
    },
    period_of_report: {
      kind: 'date',
      type: 'date',
      meaning:
        'Period that the filing reports on; no value until a file of its company was loaded or its header was read',
      expression: ofFiling('period_of_report'),
    },
    accepted_at: {
      kind: 'date',
      type: 'timestamptz',
      meaning:
        'Moment at which EDGAR accepted the filing; no value until a file of its company was loaded or its header was read',
      expression: ofFiling('accepted_at'),
    },
    has_text: {
      kind: 'boolean',
      type: 'boolean',
      meaning: HAS_TEXT,
      expression: ofFiling('has_text'),
    },
    family: {
      kind: 'text',
      type: 'text',
      meaning: 'Slug of the family that includes the form; no value if no family includes it',
      expression: ofFiling('family'),
    },
    item: {
      kind: 'text',
      type: 'text',
      meaning: 'An item of the filing: 8-K items such as 2.02, Form D exemptions such as 06b',
      expression: (sql) => sql`e.item`,
      within: (sql, test) =>
        sql`exists (select from edgar.filing_item e where e.accession = ${ofDriver('accession')(sql)} and ${test})`,
    },
  }
}

const dashed = (accession: string) => accession.replace(/^(\d{10})-?(\d{2})-?(\d{6})$/, '$1-$2-$3')

/**
 * SQL condition: the name `n.name_key` of any filer of `f` meets the SQL condition `test`. The row itself has the first
 * filer's name; names of other filers are looked up only if the filing has several.
 */
const anyName = (sql: Sql, test: Fragment): Fragment => sql`
  exists (
    select from (
      select f.name_key
      union all
      select x.name_key from edgar.filer r join edgar.filer_name x using (name_id)
      where f.filer_count > 1 and r.accession = f.accession and r.cik <> f.cik
    ) n where ${test})`

/**
 * SQL condition: a filer of `f` has a matching name, or the typed CIK. In most matches, the first filer's name contains
 * the text. The names of all filers are looked up only if it does not. With "offset 0" these names are looked up one by
 * one. Otherwise the planner first collects the filings of all matching names, even for a page of fifty: this takes 140
 * ms instead of 2 ms at 500,000 filings. This condition is meant for names with many filings; `withNameIds` handles
 * rare names in another way.
 */
const anyNamed = (sql: Sql, typed: string): Fragment => sql`
  (f.name_key like ${containing(typed)} or exists (
    select from edgar.filer r join edgar.filer_search n using (name_id)
    where r.accession = f.accession and ${isNamed(sql, typed)} offset 0))`

/** SQL condition on a row `n` of the filers' names: the name matches the typed text, or the filer has that CIK. */
export const isNamed = (sql: Sql, typed: string): Fragment => {
  const met = meets(sql, typed, { words: sql`n.words`, folded: sql`n.name_key` })
  return /^\d{1,10}$/.test(typed) ? sql`(${met} or n.cik = ${typed.padStart(10, '0')})` : met
}

/** A CIK as columns store it, also for a text without leading zeros. */
const paddedCik = (text: string) => (/^\d{1,9}$/.test(text) ? text.padStart(10, '0') : text)

/** Returns the facets of a family, as SQL that uses its table `t`; none if the family has no table. */
export function facetFields({ feed }: Family): FilterFields {
  if (!feed) return {}
  return Object.fromEntries(
    feed.facets.map((name): [string, FilterField] => {
      const column = feed.table.columns[name]!
      const { kind, postgres, values, entity } = columnType(column)!
      return [
        name,
        {
          kind: kind as FilterField['kind'],
          type: postgres.replace(' collate "C"', '') as FilterType,
          meaning: meaningOf(column)!,
          expression: (sql) => sql`t.${sql(name)}`,
          known: values,
          ...(entity === 'cik' || name.endsWith('_ciks') ? { whole: paddedCik } : {}),
        },
      ]
    }),
  )
}
