/**
 * Makes SQL of the filings of a company, from the spine (the tables of all filings, in the schema `edgar`). All lists
 * of a company's filings use the same query and shape of row, regardless of the dataset that reads the filings. A
 * filing that is in the index but was not read is listed too. Its row has `is_read: false`.
 */
import { z } from 'zod'
import { amendedBy } from '../declare/amended.ts'
import { MOMENT_FORMAT } from '../declare/moment.ts'
import { moment } from '../declare/moment-type.ts'
import { accession, cik, date, text } from '../declare/table.ts'
import type { View } from '../declare/view.ts'
import type { Fragment, Sql } from '../store/db.ts'
import { amendedColumn } from './amended.ts'

export const HAS_TEXT = 'True if filings of this family can be read as text (/doc-text)'

/** A row of the spine. */
export const filingRow = z
  .object({
    accession: accession('SEC accession number of the filing'),
    cik: cik('CIK of the requested filer, or of the first filer if no filer is requested'),
    company_name: text('Name of this filer in the index'),
    form_type: text('Form code: 10-K, 10-K/A, D'),
    filed_date: date('Date the SEC gives as the filing date'),
    period_of_report: date(
      'End of the period that the filing reports on; null until the file of the company, or the header of the filing, was loaded',
    ).nullable(),
    accepted_at: moment
      .nullable()
      .describe(
        'When EDGAR accepted the filing; null until the file of the company, or the header of the filing, was loaded',
      ),
    has_text: z.boolean().describe(HAS_TEXT),
    family: z
      .string()
      .nullable()
      .describe('Slug of the family that the form belongs to; null if the form belongs to no family'),
  })
  .meta({ id: 'Filing' })

/**
 * A filing in a list of one family: its row of the spine, and facts that the family's dataset read from it.
 *
 * @param facts columns of the dataset, which are all null if the filing was not read
 */
export const filingWith = <F extends z.ZodRawShape>(facts: F) =>
  filingRow.extend({
    is_read: z
      .boolean()
      .describe('False: EDGAR lists the filing, but this service has not read it, so the other facts are unknown'),
    amended_by: amendedBy,
    ...(Object.fromEntries(
      Object.entries(facts).map(([name, type]) => [
        name,
        type instanceof z.ZodNullable ? type : (type as z.ZodType).nullable(),
      ]),
    ) as { [K in keyof F]: F[K] extends z.ZodNullable ? F[K] : z.ZodNullable<F[K]> }),
  })

/**
 * Unread filings of a family are looked for only among this many newest filings of the filer. Without this limit, the
 * search would read all 250,000 filings of a bank that issues notes.
 */
const LISTED_MAX = 20_000

interface Family {
  slug: string
  /** The dataset's table with one row per filing; its column `cik` is the filer. */
  table: string
  /** A select list of the facts, under their names in the row. The alias of the table is `t`. */
  facts: Fragment
  /**
   * The view that has the amended filings. Without this view, the rows lack `amended_by`, and the caller must add it.
   */
  amended?: View
}

interface FilingsOf {
  /** SQL of the filer's CIK, ten digits. */
  cik: Fragment
  /** Lists only filings of this family. */
  family?: Family
  /** SQL of an accession that is left out. */
  except?: Fragment
  max: number
}

/**
 * SQL of a JSON array of a filer's filings, newest first. If a family is given, the dataset's own index finds the
 * filings that were read, however many other filings the filer has. Filings that were not read are found among the
 * filer's newest LISTED_MAX filings.
 */
export function filingsOf(sql: Sql, { cik, family, except, max }: FilingsOf): Fragment {
  const newest = sql`order by own.filed_date desc, own.accession desc`
  const ofFiler = sql`own.cik = who.cik and own.accession is distinct from who.but`
  const listed = (limit: number) =>
    sql`select own.accession from edgar.filer own where ${ofFiler} ${newest} limit ${limit}`
  const chosen = family
    ? sql`
        (select own.accession from ${sql(family.table)} own where ${ofFiler} ${newest} limit ${max})
        union
        (select listed.accession from (${listed(LISTED_MAX)}) listed join edgar.filing own using (accession)
        where own.family = ${family.slug})`
    : listed(max)
  // The caller's SQL is placed in a scope without our tables, so that it cannot refer to one of our tables by mistake.
  return sql`(
    select coalesce(json_agg(r order by filed_date desc, accession desc), '[]')
    from (select ${cik} as cik, ${except ?? sql`null`}::text as but) who
    cross join lateral (
      select f.accession, who.cik, coalesce(n.name, f.company_name) as company_name, f.form_type, f.filed_date,
        f.period_of_report, to_char(f.accepted_at at time zone 'UTC', ${MOMENT_FORMAT}) as accepted_at, f.has_text, f.family
        ${family ? sql`, t.accession is not null as is_read, ${family.facts}` : sql``}
        ${family?.amended ? sql`, ${amendedColumn(sql, family.amended, 't')}` : sql``}
      from (${chosen}) chosen
      join edgar.filing f using (accession)
      -- A document can name another CIK than the index.
      left join edgar.filer c on c.accession = f.accession and c.cik = who.cik
      left join edgar.filer_name n using (name_id)
      ${family ? sql`left join ${sql(family.table)} t on t.accession = f.accession` : sql``}
      order by f.filed_date desc, f.accession desc limit ${max}
    ) r)`
}

/** Maximum number of filings in a list of a detail, as the descriptions of details promise. */
export const OTHERS_MAX = 200

/**
 * SQL of the other filings that the same filer has in the family, made by `filingsOf`.
 *
 * @param filing alias of the filing's row, which has `accession` and `cik`
 */
export const otherFilings = (sql: Sql, filing: string, family: Family): Fragment =>
  filingsOf(sql, { cik: sql`${sql(filing)}.cik`, except: sql`${sql(filing)}.accession`, max: OTHERS_MAX, family })
