/**
 * The table edgar.filing_item: items that datasets found in the text of filings, in addition to items that headers
 * name.
 */
import type { FilingsDataset } from '../declare/dataset.ts'
import type { Transaction } from '../store/db.ts'

/**
 * Stores the items of these filings as the dataset's table has them now. A filing without rows loses the items of its
 * text.
 *
 * @param accessions null means all filings of the dataset, as when a rebuild swaps its tables in
 * @param schema the dataset's own schema, or its shadow during a rebuild
 */
export async function itemsOfText(
  tx: Transaction,
  { slug, tables, family }: FilingsDataset,
  accessions: readonly string[] | null,
  schema: string = slug,
): Promise<void> {
  if (family?.items === undefined) return
  const table = tx(`${schema}.${tables[family.items]!.name}`)
  const some = accessions as string[] | null
  const own = some
    ? tx`i.accession = any(${some})`
    : tx`i.in_text and exists (select from edgar.task t where t.accession = i.accession and t.dataset = ${slug})`
  await tx`
    delete from edgar.filing_item i
    where ${own} and not i.in_header and not exists (
      select from ${table} t where t.accession = i.accession and t.item = i.item)`
  await tx`
    update edgar.filing_item i set in_text = false
    where ${own} and i.in_text and not exists (
      select from ${table} t where t.accession = i.accession and t.item = i.item and t.source <> 'header')`
  await tx`
    insert into edgar.filing_item as i (accession, item, filed_date, in_header, in_text)
    select t.accession, t.item, f.filed_date, false, true
    from ${table} t join edgar.filing f on f.accession = t.accession
    where t.source <> 'header' ${some ? tx`and t.accession = any(${some})` : tx``}
    on conflict (accession, item) do update set in_text = true, filed_date = excluded.filed_date
      where not i.in_text or i.filed_date <> excluded.filed_date`
}
