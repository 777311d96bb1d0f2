import { meets } from '../../names.ts'
import { amendedColumn } from '../../serve/amended.ts'
import { alwaysCounted } from '../../serve/count.ts'
import { evidenceOf } from '../../serve/evidence.ts'
import { type Filed, filedAs } from '../../serve/filed.ts'
import { filingsOf } from '../../serve/filings-of.ts'
import { cut, type Key, orderBy, type Paged, rangesOf, startOf, totalOf } from '../../serve/keyset.ts'
import { unnamed } from '../../serve/page.ts'
import { assertStates } from '../../serve/states.ts'
import type { Sql } from '../../store/db.ts'
import type { BrokerDetail, BrokerPage } from './answers.ts'
import { textOf } from './queries-weakness.ts'
import { x17a5Amended } from './views.ts'

export const SORTS = ['date', 'name'] as const

interface Search extends Paged, Filed {
  /** Name of the broker. */
  q?: string | undefined
  /** Upper-case codes. */
  state?: readonly string[] | undefined
  /** Name of the accountant. */
  auditor?: string | undefined
  /** Selects only brokers whose newest report discloses a material weakness, by its cover or its text. */
  weakness: boolean
  sort: (typeof SORTS)[number]
  dir: 'asc' | 'desc'
}

/**
 * The CIK makes every order total: pages neither repeat nor miss a broker. An index serves each order in both
 * directions.
 */
const keysOf = ({ sort, dir }: Pick<Search, 'sort' | 'dir'>): Key[] => [
  sort === 'date' ? { column: 'filed_date', dir, type: 'date' } : { column: 'name_key', dir, type: 'text' },
  { column: 'cik', dir, type: 'text' },
]

/** Maximum number of reports in a history: far above one a year with its amendments, so that no real history is cut. */
const FILINGS_MAX = 500

/** Maximum number of sentences about material weaknesses. A report of a year of trouble has a dozen. */
const SENTENCES_MAX = 200

/**
 * Returns a page of brokers and the number of matches. Both read the rollup, one narrow row for each broker, so the
 * cost grows with brokers and not with reports. Measured with 60,000 reports of 8,000 brokers: 1.5 ms for a page with
 * its total, 2 to 3 ms with a substring of a name, 6 ms at offset 7,900. Finding the newest reports at request time
 * took 71 ms.
 */
export async function search(
  sql: Sql,
  { sort, dir, limit, offset, paginate: _, cursor, count, ...wanted }: Search,
): Promise<BrokerPage> {
  await assertStates(sql, wanted.state, ['x17a5.broker'])
  const keys = keysOf({ sort, dir })
  const start = startOf({ list: 'brokers', sort, dir, keys, filters: wanted }, { limit, offset, cursor, count })
  const order = sql.unsafe(orderBy(keys, 'b.'))
  const matching = () => sql`from x17a5.broker b where ${filters(sql, wanted)}`
  const [range] = rangesOf(sql, start, 'b.')
  const [total, found] = await Promise.all([
    totalOf(sql, start, matching()),
    unnamed(sql<(BrokerPage['brokers'][number] & { name_key: string })[]>`
      select b.cik, r.broker_name as name, b.file_number,
        ${words(sql, 'registrant_types')} as registrant_type, r.city, b.state, r.auditor,
        r.period_begin, r.period_end, b.material_weakness, ${source(sql)} as material_weakness_source,
        b.material_weakness_text, b.accession, b.filed_date, b.name_key
      from (select b.* ${matching()} and ${range!} order by ${order} limit ${start.rowsMax} offset ${offset}) b
      join x17a5.report r using (accession)
      order by ${order}`),
  ])
  const { rows, next_cursor, ...totals } = cut(start, found, alwaysCounted(start, total))
  return { ...totals, brokers: rows.map(({ name_key: _, ...row }) => row), next_cursor }
}

function filters(
  sql: Sql,
  { q, state, auditor, weakness, ...filed }: Pick<Search, 'q' | 'state' | 'auditor' | 'weakness' | keyof Filed>,
) {
  return sql`true
    ${q ? sql`and ${meets(sql, q, { words: sql`b.name_words`, folded: sql`b.name_key` })}` : sql``}
    ${state ? sql`and b.state = any(${state as string[]})` : sql``}
    ${auditor ? sql`and ${meets(sql, auditor, { words: sql`b.auditor_words`, folded: sql`b.auditor_key` })}` : sql``}
    ${weakness ? sql`and (b.material_weakness or b.material_weakness_text)` : sql``}
    ${filedAs(sql, filed, 'b.')}`
}

/** The boxes of report `r` as one text; null without any. */
const words = (sql: Sql, column: string) => sql`nullif(array_to_string(r.${sql(column)}, ', '), '')`

/** The source of a report's material weakness. */
const source = (sql: Sql, report = 'r') => sql`case when ${sql(report)}.material_weakness is not null then 'cover' end`

/** Returns a broker as its newest report shows it, with all its reports; null if it filed none. */
export async function detail(sql: Sql, cik: string): Promise<BrokerDetail | null> {
  const [row] = await sql<[BrokerDetail?]>`
    select
      json_build_object(
        'name', r.broker_name,
        'cik', b.cik,
        'file_number', b.file_number,
        'registrant_type', ${words(sql, 'registrant_types')},
        'registrant_subtype', ${words(sql, 'registrant_subtypes')},
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
