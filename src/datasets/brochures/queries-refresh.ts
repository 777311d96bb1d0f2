import type { DatasetRefresh } from '../../declare/refresh.ts'

/**
 * Chooses the newest version of each brochure; the keys are CRD numbers of firms. If a brochure has several versions of
 * its newest day, the version with IARD's highest filing number is chosen.
 */
export const refresh: DatasetRefresh = {
  async touched(tx, { keys }) {
    const rows = await tx<{ crd: string }[]>`select distinct crd from version where id = any(${keys as string[]})`
    return rows.map(({ crd }) => crd)
  },

  async divide(tx, key) {
    if (key !== null) return []
    const rows = await tx<{ key: string }[]>`
      select crd as key from version union select crd from brochure`
    return rows.map((row) => row.key)
  },

  async make(tx, keys) {
    const only = keys ? tx`crd = any(${keys as string[]})` : tx`true`
    await tx`delete from brochure where ${only}`
    await tx`
      insert into brochure (crd, brochure, id, filing_date)
      select distinct on (crd, coalesce(brochure_number, id))
        crd, coalesce(brochure_number, id), id, filing_date
      from version where ${only}
      order by crd, coalesce(brochure_number, id), filing_date desc nulls last, filing_number::int desc nulls last, id`
  },
}
