/** Which filers of EDGAR an adviser is: rows of adv.link by method. */
import type { Transaction } from '../../store/db.ts'

/**
 * Notes in `adv_linking` the touched firms and those that have a legal name in common with one: whether a name belongs to
 * one firm alone depends on the others. Called before the names are rewritten, and after.
 */
export async function noteNamesakes(tx: Transaction): Promise<void> {
  await tx`
    insert into adv_linking
    select crd from touched
    union
    select other.crd
    from touched join adv.adviser_name n using (crd) join adv.adviser_name other using (name_key)
    where n.kind = 'legal' and other.kind = 'legal'
    on conflict do nothing`
}

/** `801-016048 ` and `801- 16048` are one number. */
const NUMBER = String.raw`'^\s*(80[12])\s*-\s*0*(\d+)\s*$', '\1-\2'`

/**
 * Rewrites the links of these firms. Names and headers that EDGAR's index brings later are seen when the firm is refreshed
 * next, or by a full refresh.
 */
export async function linkTouched(tx: Transaction): Promise<void> {
  await tx`analyze adv_linking`
  await tx`delete from adv.link where crd in (select crd from adv_linking)`
  await stated(tx)
  await numbered(tx)
  await named(tx)
}

/** Item 1.D(3) lists the firm's CIKs, Item 1.N has that of a public reporting company. */
async function stated(tx: Transaction): Promise<void> {
  await tx`
    insert into adv.link (crd, cik, method, confidence, evidence)
    select distinct crd, lpad(cik, 10, '0'), 'adv_cik', 1, 'filing ' || filing_id
    from (
      select a.crd, r.cik, r.filing_id
      from adv_linking join adv.adviser a using (crd) join adv.related r on r.filing_id = a.schedule_filing_id
      where r.kind = 'cik'
      union all
      select a.crd, f.base_a ->> '1N-CIK', f.filing_id
      from adv_linking join adv.adviser a using (crd)
      join adv.filing f on f.filing_id = a.schedule_filing_id and f.crd = a.crd
    ) c
    where cik ~ '^\\d{1,10}$' and cik !~ '^0+$'`
}

/**
 * File numbers of the Advisers Act stand in the headers of the forms that an adviser files on EDGAR: ADV-E, ADV-H-T,
 * ADV-NR. Only these are searched, by their form: the headers of all submissions are too many.
 */
async function numbered(tx: Transaction): Promise<void> {
  const plain = (column: string) => tx.unsafe(`regexp_replace(${column}, ${NUMBER})`)
  await tx`
    insert into adv.link (crd, cik, method, confidence, evidence)
    select distinct a.crd, h.cik, '801_number', 0.95, h.number
    from adv_linking join adv.adviser a using (crd)
    join (
      select filer ->> 'cik' as cik, ${plain("filer ->> 'fileNumber'")} as number
      from edgar.filing f join edgar.submission s using (accession), jsonb_array_elements(s.header -> 'filers') filer
      where f.form_type >= 'ADV' and f.form_type < 'ADW' and filer ->> 'cik' is not null
    ) h on h.number = ${plain('a.sec_file_number')}
    where h.number ~ '^80[12]-'`
}

/** Of a name that two filers or two advisers have neither can be told to be the other. */
async function named(tx: Transaction): Promise<void> {
  await tx`
    insert into adv.link (crd, cik, method, confidence, evidence)
    select n.crd, e.cik, 'name', 0.6, n.name_key
    from adv_linking join adv.adviser_name n using (crd)
    cross join lateral (
      select min(cik) as cik from edgar.filer_search where name_key = n.name_key having count(distinct cik) = 1
    ) e
    where n.kind = 'legal' and not exists (
      select from adv.adviser_name other where other.kind = 'legal' and other.name_key = n.name_key and other.crd <> n.crd)`
}
