import type { Sql } from '../../store/db.ts'
import type { Brochure, BrochureVersions } from './answers.ts'

/** Maximum number of versions: a firm with a version each quarter for thirty years has 120. */
const VERSIONS_MAX = 500

/** Returns the versions of a firm, newest first, and whether the firm is one of the known advisers. */
export async function versions(
  sql: Sql,
  crd: string,
): Promise<{ isFirm: boolean; versions: BrochureVersions['versions'] }> {
  const [firm, rows] = await Promise.all([
    sql`select from pub.adv_adviser where crd = ${crd}`,
    sql<BrochureVersions['versions']>`
      select v.id, v.crd, v.brochure_number, v.filing_number, v.filing_date, v.char_count, v.source_filename,
        a.firm_name, a.city, a.state, v.brochure_name, v.filing_id, v.kind, v.problem, v.page_count, v.archive_name,
        exists (select from brochures.brochure b where b.id = v.id) as is_newest
      from brochures.version v left join pub.adv_adviser a using (crd)
      where v.crd = ${crd}
      order by v.filing_date desc nulls last, v.id desc
      limit ${VERSIONS_MAX}`,
  ])
  return { isFirm: firm.length > 0, versions: [...rows] }
}

/** Returns the first and last day of the loaded zips or PDFs; null if none was loaded. */
export async function span(sql: Sql): Promise<{ from: string; to: string } | null> {
  const [row] = await sql<{ from: string | null; to: string | null }[]>`
    select min(from_day) as from, max(to_day) as to from bulk.edition where series = 'BROCHURES' and records > 0`
  return row!.from === null ? null : { from: row!.from, to: row!.to! }
}

/** Returns all columns of a version except its text; null if the version is unknown. */
export async function brochure(sql: Sql, id: string): Promise<Omit<Brochure, 'markdown'> | null> {
  const [row] = await sql<[Omit<Brochure, 'markdown'>?]>`
    select v.id, v.crd, a.firm_name as "firmName", a.city, a.state, v.brochure_number as "brochureNumber",
      v.filing_number as "filingNumber", v.filing_date as "filingDate", v.brochure_name as "brochureName",
      v.filing_id as "filingId", v.kind, v.problem, v.char_count as "charCount", v.page_count as "pageCount",
      v.image_count as "imageCount", v.archive_name as "archiveName", v.source_filename as "sourceFilename",
      v.sha256, v.converted_at as "convertedAt"
    from brochures.version v left join pub.adv_adviser a using (crd)
    where v.id = ${id}`
  return row ?? null
}
