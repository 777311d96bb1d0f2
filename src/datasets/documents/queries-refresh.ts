import type { DatasetRefresh } from '../../declare/refresh.ts'

/**
 * Counts documents by corpus. A refresh counts only the corpora of the changed documents, and each count reads one
 * range of an index.
 */
export const refresh: DatasetRefresh = {
  async touched(tx, { keys }) {
    const rows = await tx<{ corpus: string }[]>`
      select distinct corpus from document where accession = any(${keys as string[]})`
    return rows.map(({ corpus }) => corpus)
  },

  async divide(tx, key) {
    if (key !== null) return []
    const rows = await tx<{ corpus: string }[]>`select corpus from document union select corpus from tally`
    return rows.map(({ corpus }) => corpus)
  },

  async make(tx, keys) {
    const only = keys ? tx`corpus = any(${keys as string[]})` : tx`true`
    await tx`delete from tally where ${only}`
    await tx`
      insert into tally (corpus, documents, newest)
      select corpus, count(*), max(filed_date) from document where ${only} group by corpus`
  },
}
