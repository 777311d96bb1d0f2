/**
 * Handles filers that a whole index no longer lists for a filing that it still lists: EDGAR corrected the header of the
 * filing. Indexes list every filer of a filing. The index of 2025 Q4 has all filers that the feed of 2025-12-12 named
 * for 3,314 filings, and all 956 filings that profiles list, each under the filer of its profile. So two indexes that
 * lack a filer prove a correction, under the same conditions as for filings (unlisted.ts).
 */
import type { Transaction } from '../../store/db.ts'
import { filerNamesRemoved } from '../filer-names.ts'
import { holdTasks } from '../order.ts'
import { addMissingFilers } from './changes.ts'
import { type IndexLoad, lastDay, madeAt } from './edition.ts'
import { APART, BEFORE_MADE, hasRead, isTooMany } from './unlisted.ts'

/**
 * Compares the filers of the known filings with the lines of the index of a whole quarter. If this index lacks a filer
 * that an earlier index lacked too, the filer is removed from the filing. The corrected filings are added to the
 * temporary table `changed`.
 *
 * @returns how many filings were corrected that were not corrected before
 */
export async function compareFilers(tx: Transaction, index: IndexLoad): Promise<number> {
  const { wholeFrom, reader } = index
  if (wholeFrom === undefined || !(await hasRead(tx, index))) return 0
  await tx`
    delete from edgar.unlisted_filer u
    where exists (select from incoming l where l.accession = u.accession and l.cik = u.cik)`
  const made = madeAt(index)
  if (!made || lastDay(index) === null || reader.unplaced > 0) return 0
  const { count } = await findLacking(tx, index, made)
  if (count === 0) return 0
  const [lines] = await tx`select count(*)::int as n from incoming`
  if (isTooMany(count, Number(lines!.n))) {
    const reason = `lacks ${count} known filers of filings that it lists: it may be damaged, so no filer was removed`
    reader.problems.unshift({ line: 0, content: '', reason })
    reader.problemCount++
    return 0
  }
  const corrected = await removeProven(tx, index, made)
  await suspect(tx, index, made)
  return corrected
}

/**
 * Fills the temporary table `lacking` with known filers that the index lacks. Leaves out chosen filers, whose profiles
 * list their filings, and filings that an unreadable line names.
 */
const findLacking = (tx: Transaction, { reader }: IndexLoad, made: Date) => tx`
  create temporary table lacking on commit drop as
  select r.accession, r.cik, r.name_id
  from known k join edgar.filing f using (accession) join edgar.filer r using (accession)
  where not exists (select from incoming l where l.accession = r.accession and l.cik = r.cik)
    and f.first_seen_at < ${made}::timestamptz - ${BEFORE_MADE}::interval
    and (f.accepted_at is null or f.accepted_at < ${made}::timestamptz - ${BEFORE_MADE}::interval)
    and k.accession <> all(${[...reader.mentioned]})
    and not exists (select from edgar.chosen c where c.cik = r.cik)`

/**
 * Removes the filers that an earlier index lacked too. A filer may have been added to a known filing later, from a
 * daily index.
 */
async function removeProven(tx: Transaction, { host, now }: IndexLoad, made: Date): Promise<number> {
  const { count } = await tx`
    create temporary table parted on commit drop as
    select l.accession, l.cik, l.name_id
    from lacking l join edgar.unlisted_filer u using (accession, cik)
    where u.host = ${host} and u.read_at < ${made}::timestamptz and u.read_at <= ${now}::timestamptz - ${APART}::interval`
  if (count === 0) return 0
  await holdTasks(tx, 'parted')
  await tx`select from edgar.filing where accession in (select accession from parted) order by accession for update`
  // The correction may have replaced the filer by another filer, which is added here.
  await addMissingFilers(tx, tx`(select distinct accession from parted)`)
  await filerNamesRemoved(tx, tx`select name_id, count(*)::int as filings from parted group by name_id`)
  await tx`delete from edgar.filer r using parted p where p.accession = r.accession and p.cik = r.cik`
  await tx`
    update edgar.filing f set
      filer_count = (select count(*) from edgar.filer r where r.accession = f.accession),
      cik = case when is_gone then i.cik else f.cik end,
      company_name = case when is_gone then i.company_name else f.company_name end,
      name_key = case when is_gone then i.name_key else f.name_key end
    from (
      select i.*, exists (select from parted p join edgar.filing o using (accession) where p.accession = i.accession and p.cik = o.cik)
        as is_gone
      from incoming_filing i where i.accession in (select accession from parted)
    ) i where i.accession = f.accession`
  const { count: corrected } = await tx`
    insert into changed
    select i.*, i.form_type, false, false, false from incoming_filing i
    where i.accession in (select accession from parted) and not exists (select from changed c where c.accession = i.accession)`
  return corrected
}

/**
 * Records the filers that no earlier index lacked. Replaces the former record of a filer if that record is from another
 * host, or if its time is in the future because the clock was set back.
 */
async function suspect(tx: Transaction, { host, url, now }: IndexLoad, made: Date): Promise<void> {
  await tx`
    insert into edgar.unlisted_filer (accession, cik, host, index_url, made_at, read_at)
    select l.accession, l.cik, ${host}, ${url}, ${made}, ${now} from lacking l
    where exists (select from edgar.filer r where r.accession = l.accession and r.cik = l.cik)
    on conflict (accession, cik) do update
    set host = excluded.host, index_url = excluded.index_url, made_at = excluded.made_at, read_at = excluded.read_at
    where edgar.unlisted_filer.host <> excluded.host or edgar.unlisted_filer.read_at > excluded.read_at`
}
