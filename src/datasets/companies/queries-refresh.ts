/** Keeps the names that the search reads up to date. */
import type { DatasetRefresh } from '../../declare/refresh.ts'
import { type Named, type NameKind, type NameRow, removeWords, storeNames } from '../../names.ts'
import type { Transaction } from '../../store/db.ts'
import { COMPANIES } from './named.ts'

/** Table names without a schema, so that a rebuild can resolve them to the tables of its shadow schema. */
const OWN: Named = { ...COMPANIES, table: 'search_name', dictionary: 'search_word' }

/** Number of companies whose names are split in one batch. */
const BATCH_SIZE = 5_000

/** If more than this number of companies are rewritten, the table's statistics are outdated, so `analyze` runs. */
const ANALYZE_MIN = 1_000

const CIK_LENGTH = 10

export const refresh: DatasetRefresh = {
  /**
   * Returns marks of companies by CIK. The key of a file and the key of a line of a list both begin with the CIK.
   * Continued files have no names, so they are skipped. A line of a list of tickers gives a separate mark, from which
   * followers of this slice see that the list changed.
   */
  async touched(_tx, { keys }) {
    const own = keys.filter((key) => key[CIK_LENGTH] !== '-')
    return [...new Set(own.map((key) => (key.length > CIK_LENGTH ? `${key.slice(0, CIK_LENGTH)} list` : key)))]
  },

  async divide(tx, key) {
    if (key !== null) return []
    const rows = await tx<{ key: string }[]>`
      select cik as key from company union select cik from listed_ticker union select cik from search_name`
    return rows.map((row) => row.key)
  },

  async make(tx, marked) {
    const keys = marked && [...new Set(marked.map((key) => key.slice(0, CIK_LENGTH)))]
    const only = keys ? tx`cik = any(${keys as string[]})` : tx`true`
    if (keys) await removeWords(tx, OWN, tx`select words from search_name where ${only}`)
    else await tx`delete from search_word`
    await tx`delete from search_name where ${only}`
    for (let after = ''; ; ) {
      const batch = await tx<{ cik: string }[]>`
        select cik from (
          select cik from company where ${only} and cik > ${after}
          union select cik from listed_ticker where ${only} and cik > ${after} and name is not null
        ) c order by cik limit ${BATCH_SIZE}`
      if (batch.length === 0) break
      after = batch.at(-1)!.cik
      await storeNames(
        tx,
        OWN,
        await namesOf(
          tx,
          batch.map(({ cik }) => cik),
        ),
      )
    }
    if (keys === null || keys.length > ANALYZE_MIN) await tx`analyze search_name, search_word`
  },
}

/**
 * Returns the names in the company's file; for a company without a file, returns the name in a list of tickers. A
 * ticker in a list shows that its company is traded, but only as long as the list has the ticker.
 */
async function namesOf(tx: Transaction, ciks: string[]): Promise<NameRow[]> {
  return tx<(NameRow & { kind: NameKind })[]>`
    with names as (
      select cik, name, 'now' as kind from company where cik = any(${ciks}) and name is not null
      union all
      select cik, name, 'former' from former_name where cik = any(${ciks})
      union all
      select distinct l.cik, l.name, 'now' from listed_ticker l
      where l.cik = any(${ciks}) and l.name is not null and not exists (select from company c where c.cik = l.cik)
    )
    select n.cik as id, n.name, n.kind,
      coalesce(c.filings, 1) * case when exists (select from ticker t where t.cik = n.cik)
        or exists (
          select from listed_ticker l
          join bulk.record r on r.key = l.id and r.gone_day is null and r.series = case l.source
            when 'company_tickers' then 'TICKERS' when 'company_tickers_exchange' then 'TICKERS_EXCHANGE' else 'TICKERS_FUND' end
          where l.cik = n.cik
        ) then 100 else 1 end as importance
    from names n left join company c using (cik)`
}
