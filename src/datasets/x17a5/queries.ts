import { meets } from '../../names.ts'
import { amendedColumn } from '../../serve/amended.ts'
import { evidenceOf } from '../../serve/evidence.ts'
import { filingsOf } from '../../serve/filings-of.ts'
import { rowsOf } from '../../serve/lists.ts'
import { assertStates } from '../../serve/states.ts'
import type { Sql } from '../../store/db.ts'
import { type BrokerDetail, brokerRow } from './answers.ts'
import { textOf } from './queries-weakness.ts'
import { broker } from './rollups.ts'
import { report } from './tables.ts'
import { x17a5Amended } from './views.ts'

/**
 * Maximum number of reports in a history: far above one report a year with amendments, so that no real history is cut.
 */
const FILINGS_MAX = 500

/** Maximum number of sentences about material weaknesses. The report about a bad year has a dozen. */
const SENTENCES_MAX = 200

/** SQL of the boxes of a report as one text; null if none is ticked. */
const words = (sql: Sql, column: string) => sql`nullif(array_to_string(${sql(column)}, ', '), '')`

/** SQL of the source that reports a material weakness. */
const source = (sql: Sql, report = 'r') => sql`case when ${sql(report)}.material_weakness is not null then 'cover' end`

/**
 * The list of brokers. It is read from the rollup, so its cost grows with the number of brokers and not of reports.
 * Measured with 60,000 reports of 8,000 brokers: 1.5 ms for a page with its total, 2 to 3 ms with a substring of a
 * name, 6 ms at offset 7,900. Without the rollup, finding the newest reports took 71 ms.
 */
export const brokers = rowsOf({
  of: broker,
  row: brokerRow,
  filing: report,
  shown: {
    name: (sql) => sql`f.broker_name`,
    registrant_type: (sql) => words(sql, 'f.registrant_types'),
    material_weakness_source: (sql) => source(sql, 'f'),
  },
})

export const refuseStates = (sql: Sql, states: readonly string[]) => assertStates(sql, states, ['x17a5.broker'])

export const byAuditor = (sql: Sql, auditor: string) =>
  meets(sql, auditor, { words: sql`t.auditor_words`, folded: sql`t.auditor_key` })

export const withWeakness = (sql: Sql, isWanted: boolean) =>
  isWanted ? sql`(t.material_weakness or t.material_weakness_text)` : sql`true`

/** Returns a broker as its newest report shows it, with all its reports; null if it filed none. */
export async function detail(sql: Sql, cik: string): Promise<BrokerDetail | null> {
  const [row] = await sql<[BrokerDetail?]>`
    select
      json_build_object(
        'name', r.broker_name,
        'cik', b.cik,
        'file_number', b.file_number,
        'registrant_type', ${words(sql, 'r.registrant_types')},
        'registrant_subtype', ${words(sql, 'r.registrant_subtypes')},
        'address', json_build_object(
          'street1', r.street1, 'street2', r.street2, 'city', r.city, 'state', r.state, 'zip', r.zip),
        'contact', json_build_object('name', r.contact_name, 'phone', r.contact_phone),
        'auditor', r.auditor,
        'auditor_type', r.auditor_type,
        'auditor_address', json_build_object(
          'street1', r.auditor_street1, 'street2', r.auditor_street2, 'city', r.auditor_city, 'state', r.auditor_state, 'zip', r.auditor_zip),
        'period_begin', r.period_begin,
        'period_end', r.period_end,
        'material_weakness', r.material_weakness,
        'material_weakness_source', ${source(sql)},
        'material_weakness_text', b.material_weakness_text,
        'accession', r.accession,
        'filed_date', r.filed_date
      ) as broker,
      ${filingsOf(sql, {
        cik: sql`b.cik`,
        max: FILINGS_MAX,
        family: {
          slug: 'x17a5',
          table: 'x17a5.report',
          amended: x17a5Amended,
          facts: sql`t.submission_type, t.amendment_description, t.broker_name as name, t.period_begin, t.period_end,
            t.auditor, t.material_weakness, ${source(sql, 't')} as material_weakness_source,
            ${textOf(sql, sql`t.accession`, 'x17a5.')} as material_weakness_text,
            coalesce(t.accession = b.accession, false) as is_newest`,
        },
      })} as filings,
      coalesce((
        select json_agg(s)
        from (
          select w.accession, w.reading, ${evidenceOf(sql, 'w')} as evidence, t.filed_date, ${amendedColumn(sql, x17a5Amended, 'w')}
          from x17a5.weakness w join x17a5.report t using (accession)
          where w.cik = b.cik and w.reading <> 'mentioned'
          order by t.filed_date desc, w.accession desc, w.sequence, w.start
          limit ${SENTENCES_MAX}
        ) s), '[]') as material_weakness_sentences
    from x17a5.broker b join x17a5.report r using (accession)
    where b.cik = ${cik}`
  return row ?? null
}
