/** Stores filings for tests in the spine, like an index load. */
import { type FilingsDataset, filingTable } from '../../src/declare/dataset.ts'
import { addFilerNames, countFiled, takenApart } from '../../src/ingest/filer-names.ts'
import { fold } from '../../src/read/fold.ts'
import registry from '../../src/registry.ts'
import type { Sql, Transaction } from '../../src/store/db.ts'

export interface SpineFiling {
  accession: string
  form: string
  /** `YYYY-MM-DD` */
  filed: string
  /** CIK without leading zeros and name, the first filer first. */
  filers: readonly (readonly [cik: string, name: string])[]
  period?: string
  text?: boolean
  items?: readonly string[]
}

export async function loadFilings(sql: Sql, filings: readonly SpineFiling[]): Promise<void> {
  for (const { accession, form, filed, filers, period = null, text = false, items = [] } of filings) {
    const [[cik, name] = ['', '']] = filers
    const family = registry.familyOfForm(form)?.slug ?? null
    const row = {
      accession,
      form_type: form,
      family,
      filed_date: filed,
      cik: cik.padStart(10, '0'),
      company_name: name,
      name_key: fold(name),
      filer_count: filers.length,
      path: `edgar/data/${cik}/${accession}.txt`,
      period_of_report: period,
      has_text: text,
    }
    await sql`insert into edgar.filing ${sql(row)}`
    for (const [own, called] of filers) {
      const filer = { cik: own.padStart(10, '0'), name: called, name_key: fold(called) }
      await sql`insert into edgar.filer_name ${sql(filer)} on conflict do nothing`
      await sql`
        insert into edgar.filer (accession, cik, name_id, filed_date)
        select ${accession}, cik, name_id, ${filed} from edgar.filer_name where cik = ${filer.cik} and name = ${called}`
    }
    await sql.begin((tx) =>
      filerNamesFiled(
        tx,
        tx`
        select n.name_id, n.cik, n.name, n.name_key, 1 as filings, r.filed_date as last_filed
        from edgar.filer r join edgar.filer_name n using (name_id) where r.accession = ${accession}`,
      ),
    )
    for (const item of items) await sql`insert into edgar.filing_item ${sql({ accession, item, filed_date: filed })}`
    await sql`
      insert into edgar.coverage (form_type, family, filings) values (${form}, ${family}, 1)
      on conflict (form_type) do update set filings = edgar.coverage.filings + 1`
  }
}

/** Adds the filings whose rows a test loaded to the spine, like the index that lists them. */
export async function listLoaded(sql: Sql, dataset: FilingsDataset): Promise<void> {
  const rows = await sql<{ accession: string; form: string; filed: string; cik: string; name: string }[]>`
    select accession, submission_type as form, filed_date as filed, coalesce(cik, '0000000000') as cik,
      coalesce(to_jsonb(t) ->> 'entity_name', to_jsonb(t) ->> 'broker_name', to_jsonb(t) ->> 'manager_name',
        to_jsonb(t) ->> 'registrant_name', to_jsonb(t) ->> 'issuer_name', to_jsonb(t) ->> 'name', '') as name
    from ${sql(filingTable(dataset).id)} t
    where not exists (select from edgar.filing f where f.accession = t.accession) order by accession`
  await loadFilings(
    sql,
    rows.map(({ cik, name, ...row }) => ({ ...row, filers: [[cik, name]] })),
  )
  const forms = rows.map(({ form }) => form)
  await sql`update edgar.coverage set extracted = filings where form_type = any(${forms})`
}

/** Counts new filings and adds their new names, like an index load. */
export async function filerNamesFiled(tx: Transaction, filed: Parameters<typeof countFiled>[1]): Promise<void> {
  await addFilerNames(tx, await takenApart(await countFiled(tx, filed)))
}
