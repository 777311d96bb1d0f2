import type { DatasetRefresh } from '../../declare/refresh.ts'
import { makeWeaknesses, othersRead, textOf } from './queries-weakness.ts'

/**
 * Marks brokers by CIK: 2 ms for the reports of a batch of 20 filings and 170 ms for everything (measured).
 *
 * The newest report is the report about the latest fiscal year, so a late amendment about an older year does not
 * replace it. If a period is unreadable, or ends after the filing date, it is taken to end 60 days before the filing
 * date, as if the report were filed on its due day.
 */
export const refresh: DatasetRefresh = {
  async touched(tx, { keys }) {
    const rows = await tx<{ cik: string }[]>`
      select distinct cik from report where accession = any(${keys as string[]}) and cik is not null`
    return rows.map(({ cik }) => cik)
  },

  follows: {
    // The keys of the slice `documents` are corpora, so they do not say which reports changed. Once in each refresh,
    // the lengths of texts show which reports changed since their sentences were extracted.
    documents: (tx, corpora, when) => (when === 'make' && corpora.includes('x17') ? othersRead(tx) : []),
  },

  async divide(tx, key) {
    if (key !== null) return []
    const rows = await tx<{ key: string }[]>`
      select cik as key from report where cik is not null union select cik from broker`
    return rows.map((row) => row.key)
  },

  async make(tx, keys) {
    await makeWeaknesses(tx, keys)
    const only = keys ? tx`cik = any(${keys as string[]})` : tx`cik is not null`
    await tx`delete from broker where ${only}`
    await tx`
      insert into broker
        (cik, accession, filed_date, name_key, name_words, state, auditor_key, auditor_words, material_weakness,
        material_weakness_text, file_number)
      select r.cik, r.accession, r.filed_date, r.name_key, r.name_words, r.state, r.auditor_key, r.auditor_words,
        r.material_weakness, ${textOf(tx, tx`r.accession`)},
        coalesce(
          (select filer ->> 'fileNumber'
            from edgar.submission s, jsonb_array_elements(s.header -> 'filers') filer
            where s.accession = r.accession and filer ->> 'cik' = r.cik and filer ->> 'fileNumber' is not null
            limit 1),
          r.file_numbers[1])
      from (
        select distinct on (cik) *
        from report where ${only}
        order by cik, case when period_end <= filed_date then period_end else filed_date - 60 end desc,
          filed_date desc, accession desc
      ) r`
  },
}
