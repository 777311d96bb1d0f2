/**
 * Applies the entries of an index to edgar.filing, edgar.filer and the queue, by statements over all entries. The
 * entries are in two temporary tables: `incoming`, one row per line, and `incoming_filing`, one row per filing.
 */
import type { Catalog } from '../../declare/catalog.ts'
import { READABLE } from '../../declare/corpora.ts'
import type { Transaction } from '../../store/db.ts'
import type { LoggedChange } from '../../store/events.ts'
import { dropIndexes, makeIndexes } from '../../store/indexes.ts'
import { withRows } from '../dataset-changes.ts'
import { addFilerNames, countFiled, type FiledNames, filerNamesRemoved, takenApart } from '../filer-names.ts'
import { itemsOfText } from '../items.ts'
import { removeRows } from '../load.ts'
import { mark, type Touched, touch } from '../marks.ts'
import { holdCoverage, holdTasks } from '../order.ts'
import { journal } from '../rebuild/shadow.ts'
import { ofOtherDays, ofSubmission } from '../sets/origin.ts'

/**
 * Looks up all filings of the index in the spine, once for all functions that need to know which filings are known.
 * Fills the temporary table `known` with the filings that the spine has.
 *
 * @returns the number of known filings
 */
export async function findKnown(tx: Transaction): Promise<number> {
  const { count } = await tx`
    create temporary table known on commit drop as
    select f.accession, f.form_type, f.filed_date, f.path, f.filer_count
    from incoming_filing i join edgar.filing f using (accession)`
  return count
}

/**
 * Corrects known filings. A changed form or date sends the filing back to the queue.
 *
 * @returns the number of corrected filings, and the datasets that lost rows
 */
export async function update(tx: Transaction, catalog: Catalog): Promise<{ changed: number; rowless: LoggedChange[] }> {
  await tx`
    create temporary table changed on commit drop as
    select i.*, f.form_type as old_form, f.form_type <> i.form_type as moved,
      f.form_type <> i.form_type or f.filed_date <> i.filed_date as requeued, ${extracted(tx)} as extracted
    from incoming_filing i join known f using (accession)
    where (f.form_type, f.filed_date, f.path) is distinct from (i.form_type, i.filed_date, i.path)
       or f.filer_count < i.filer_count`
  const [count] = await tx<{ n: number; moved: boolean }[]>`
    select count(*)::int as n, coalesce(bool_or(moved), false) as moved from changed`
  if (count!.n === 0) return { changed: 0, rowless: [] }
  await hold(tx, 'changed')
  await tx`
    update edgar.filing f set form_type = c.form_type, family = c.family, filed_date = c.filed_date, path = c.path,
      filer_count = c.filer_count, has_text = coalesce(c.family = any(${READABLE as string[]}), false), cik = c.cik,
      -- A filing from a profile or the feed may stand under another filer than the first of the index.
      company_name = case when f.cik = c.cik then f.company_name else c.company_name end,
      name_key = case when f.cik = c.cik then f.name_key else c.name_key end
    from changed c where c.accession = f.accession`
  await tx`
    update edgar.coverage v set filings = v.filings - c.moved, extracted = v.extracted - c.undone
    from (
      select old_form, count(*) filter (where moved) as moved, count(*) filter (where requeued and extracted) as undone
      from changed group by old_form
    ) c where v.form_type = c.old_form`
  await tx`
    insert into edgar.coverage (form_type, family, task, filings)
    select form_type, min(family), min(task), count(*) from changed where moved group by form_type
    on conflict (form_type) do update set filings = edgar.coverage.filings + excluded.filings`
  let rowless: LoggedChange[] = []
  if (count!.moved) {
    const formerForms = await formerFormsOf(tx)
    const gone = await deleteRows(tx, catalog, tx`(select accession from changed where moved)`)
    rowless = gone.map((each) => ({ ...each, formerForms }))
    await tx`delete from edgar.task t using changed c where c.moved and t.accession = c.accession`
  }
  await tx`
    insert into edgar.task (accession, dataset, filed_date)
    select accession, task, filed_date from changed where task is not null and requeued
    on conflict (accession, dataset) do update set state = 'pending', filed_date = excluded.filed_date`
  // A dataset without a family has a task for the filing only because an operator requested it. This task becomes
  // pending too.
  await tx`
    update edgar.task t set state = 'pending', filed_date = c.filed_date
    from changed c where c.requeued and t.accession = c.accession and t.dataset is distinct from c.task`
  const names = await addNames(tx, 'changed', { isAll: false })
  await addFilers(tx, 'changed', { isAll: false })
  await tx`
    update edgar.filer r set filed_date = c.filed_date
    from changed c where r.accession = c.accession and r.filed_date <> c.filed_date`
  // Filers that this index does not list stay until a second index lacks them too (unlisted-filers.ts).
  await tx`
    update edgar.filing f set filer_count = r.filers
    from (select accession, count(*)::int as filers from edgar.filer join changed using (accession) group by accession) r
    where r.accession = f.accession and f.filer_count <> r.filers`
  await addFilerNames(tx, await takenApart(names))
  return { changed: count!.n, rowless }
}

/**
 * Adds filers of known filings, if the spine lacks these filers.
 *
 * @param among relation with the accessions of the filings
 * @returns how many filings got a filer
 */
export async function addMissingFilers(tx: Transaction, among = tx`(select accession from known)`): Promise<number> {
  const { count } = await tx`
    create temporary table joined on commit drop as
    select * from incoming_filing i join ${among} k using (accession)
    where exists (
      select from incoming l where l.number = i.number
        and not exists (select from edgar.filer r where r.accession = l.accession and r.cik = l.cik))`
  if (count === 0) return 0
  await holdTasks(tx, 'joined')
  // Workers change filings too, in another order. So the filings are locked first, in the order of accessions, to
  // prevent a deadlock.
  await tx`
    select from edgar.filing where accession in (select accession from joined) order by accession for update`
  const names = await addNames(tx, 'joined', { isAll: false })
  await addFilers(tx, 'joined', { isAll: false })
  await addFilerNames(tx, await takenApart(names))
  await tx`
    update edgar.filing f set filer_count = (select count(*) from edgar.filer r where r.accession = f.accession)
    from joined j where j.accession = f.accession`
  return count
}

/** The former form of each corrected filing whose form has changed. */
export async function formerFormsOf(tx: Transaction): Promise<Map<string, string>> {
  const rows = await tx<{ accession: string; old_form: string }[]>`select accession, old_form from changed where moved`
  return new Map(rows.map(({ accession, old_form }) => [accession, old_form]))
}

/** Locks all rows that will be changed and that workers may also change, in the order of order.ts. */
async function hold(tx: Transaction, filings: 'changed' | 'removed'): Promise<void> {
  await holdTasks(tx, filings)
  await holdCoverageOf(tx, filings)
}

async function holdCoverageOf(tx: Transaction, filings: 'added' | 'changed' | 'removed'): Promise<void> {
  const old = filings === 'changed' ? tx`union select old_form from changed` : tx``
  const forms = await tx<{ form_type: string }[]>`select distinct form_type from ${tx(filings)} ${old}`
  await holdCoverage(
    tx,
    forms.map(({ form_type }) => form_type),
  )
}

/** SQL condition: the rows of filing `f` were extracted by the dataset of its family. */
const extracted = (tx: Transaction) => tx`
  exists (
    select from edgar.task t join edgar.coverage v on v.form_type = f.form_type and v.task = t.dataset
    where t.accession = f.accession and t.state = 'done' and t.dataset <> 'header')`

/**
 * Deletes the rows of these filings, and marks the keys of the rollups that these rows affect.
 *
 * @returns which datasets had rows of which filings
 */
async function deleteRows(
  tx: Transaction,
  catalog: Catalog,
  accessions: ReturnType<typeof extracted>,
): Promise<LoggedChange[]> {
  const rowless: LoggedChange[] = []
  const gone = (await tx<{ accession: string }[]>`select accession from ${accessions} a`).map((row) => row.accession)
  const touched: Touched = new Map()
  for (const dataset of catalog.filings) {
    const keys = [...(await withRows(tx, dataset, gone))]
    if (keys.length > 0) rowless.push({ slug: dataset.slug, what: 'removed', keys })
    await touch(tx, touched, catalog.slices, dataset, { series: null, keys: gone, day: null }, 'before_load')
    await journal(tx, dataset, 'record', gone)
    await removeRows(tx, dataset, gone)
    await itemsOfText(tx, dataset, gone)
    if (dataset.sets) await ofSubmission(tx, dataset, gone)
  }
  await mark(tx, touched)
  return rowless
}

/**
 * Adds new filings, with their filers and tasks. A filing that has its rows from a set need not be fetched.
 *
 * @param known.isAll true if all filings of the index are new: `incoming_filing` then becomes `added`
 * @param known.isEmpty true if the spine has no filings: the database's indexes are then built after the rows, if there
 * are more filings than `many`
 * @returns the number of added filings, and which of them had been removed before
 */
export async function insert(
  tx: Transaction,
  catalog: Catalog,
  { isAll, isEmpty, many }: { isAll: boolean; isEmpty: boolean; many: number },
): Promise<{ added: number; restored: string[] }> {
  if (isAll) await tx`alter table incoming_filing rename to added`
  else {
    await tx`
      create temporary table added on commit drop as
      select * from incoming_filing i where not exists (select from known k where k.accession = i.accession)`
  }
  const [count] = await tx<{ n: number }[]>`select count(*)::int as n from added`
  const added = count!.n
  if (added === 0) return { added, restored: [] }
  const filed = await addNames(tx, 'added', { isAll })
  const indexes = isEmpty && added > many ? await dropIndexes(tx, ['edgar.filing', 'edgar.filer', 'edgar.task']) : []
  const insertFilings = tx`
    insert into edgar.filing (
      accession, form_type, family, filed_date, cik, company_name, name_key, filer_count, path, has_text)
    select accession, form_type, family, filed_date, cik, company_name, name_key, filer_count, path,
      coalesce(family = any(${READABLE as string[]}), false)
    from added
    -- In the order of lists by date; it also makes the date indexes grow at one end.
    order by filed_date, number`
  // Names are split while the database inserts filings. The insert takes longer than the splitting.
  const [, names] = await Promise.all([insertFilings, takenApart(filed)])
  await addFilers(tx, 'added', { isAll })
  // Rows are inserted in the order of the key, so that its index grows only at one end.
  await tx`
    insert into edgar.task (accession, dataset, filed_date, state)
    select a.accession, a.task, a.filed_date, case when s.accession is null then 'pending' else 'set' end
    from added a left join bulk.set_filing s on s.dataset = a.task and s.accession = a.accession and s.suffices
    where a.task is not null order by a.number`
  await makeIndexes(tx, indexes)
  for (const dataset of catalog.filings.filter(({ sets }) => sets)) await ofOtherDays(tx, dataset)
  await addFilerNames(tx, names)
  await holdCoverageOf(tx, 'added')
  await tx`
    insert into edgar.coverage (form_type, family, task, filings)
    select form_type, min(family), min(task), count(*) from added group by form_type
    on conflict (form_type) do update set filings = edgar.coverage.filings + excluded.filings`
  const restored = await tx<{ accession: string }[]>`
    delete from edgar.tombstone t using added a where a.accession = t.accession returning t.accession`
  return { added, restored: restored.map(({ accession }) => accession).sort() }
}

/** Temporary tables with filings whose lines are applied. */
type Lines = 'added' | 'changed' | 'joined'

/** Selects the lines of these filings. With `isAll`, the index has no other filings, so all lines are selected. */
const linesOf = (tx: Transaction, filings: Lines, { isAll }: { isAll: boolean }) =>
  isAll ? tx`incoming i` : tx`incoming i join ${tx(filings)} using (number)`

/**
 * Adds new names, and counts the filings under each name. Each line refers by `name_line` to the line that contains the
 * name of its filer. The temporary table `run_name` then has the `name_id` for each `name_line`.
 *
 * @returns the names that are not searchable yet
 */
async function addNames(tx: Transaction, filings: Lines, { isAll }: { isAll: boolean }): Promise<FiledNames> {
  // A known filing is counted only under the filers that are being added to it.
  const counted =
    filings === 'added'
      ? tx`count(*)::int`
      : tx`(count(*) filter (where not exists (
          select from edgar.filer r where r.accession = i.accession and r.cik = i.cik)))::int`
  await tx`
    create temporary table run on commit drop as
    select m.line, m.cik, m.name, m.name_key, l.filings, l.last_filed
    from (
      select name_line, ${counted} as filings, max(i.filed_date) as last_filed
      from ${linesOf(tx, filings, { isAll })} group by name_line
    ) l join incoming m on m.line = l.name_line`
  await tx`
    create temporary table filed on commit drop as
    select cik, name, min(name_key) as name_key, sum(filings)::int as filings, max(last_filed) as last_filed
    from run group by cik, name`
  await tx`analyze filed (cik, name)`
  const isKnown = tx`exists (select from edgar.filer_name n where n.cik = f.cik and n.name = f.name)`
  await tx`
    insert into edgar.filer_name (cik, name, name_key)
    select f.cik, f.name, f.name_key from filed f where not ${isKnown} order by f.cik, f.name`
  await tx`
    create temporary table filed_name on commit drop as
    select n.name_id, f.* from filed f join edgar.filer_name n using (cik, name)`
  await tx`
    create temporary table run_name on commit drop as
    select r.line as name_line, n.name_id from run r join filed_name n using (cik, name)`
  const names = await countFiled(tx, tx`select name_id, cik, name, name_key, filings, last_filed from filed_name`)
  await tx`drop table run, filed, filed_name`
  return names
}

/** Adds the filers of these filings, under the names of `run_name`. */
async function addFilers(tx: Transaction, filings: Lines, { isAll }: { isAll: boolean }): Promise<void> {
  // A new filing has no filers yet, so the statement does not search for existing rows and takes a third less time.
  const conflicts = {
    added: tx``,
    // A filer that the filing has already keeps its name: an index states the name at the time of the filing, and a
    // name that is derived from a profile may differ from it.
    joined: tx`on conflict (accession, cik) do nothing`,
    changed: tx`
      on conflict (accession, cik) do update set name_id = excluded.name_id, filed_date = excluded.filed_date`,
  }
  await tx`
    insert into edgar.filer (accession, cik, name_id, filed_date)
    select distinct on (number, i.cik) i.accession, i.cik, n.name_id, i.filed_date
    from ${linesOf(tx, filings, { isAll })} join run_name n using (name_line)
    order by number, i.cik, i.line
    ${conflicts[filings]}`
  await tx`drop table run_name`
}

/**
 * Removes the filings of the temporary table `vanished`. Removed filings get tombstones and are never deleted silently.
 *
 * @param index the index that does not list the filings, and the time at which it was made
 * @returns the number of removed filings, and the datasets that lost rows
 */
export async function remove(
  tx: Transaction,
  catalog: Catalog,
  index: { url: string; made: Date },
): Promise<{ removed: number; rowless: LoggedChange[] }> {
  const { count: removed } = await tx`
    create temporary table removed on commit drop as
    select f.accession, f.form_type, f.filed_date, f.cik, f.company_name, ${extracted(tx)} as extracted
    from edgar.filing f join vanished using (accession)`
  if (removed === 0) return { removed, rowless: [] }
  await hold(tx, 'removed')
  await tx`
    insert into edgar.tombstone (accession, form_type, filed_date, cik, company_name, index_url, index_made, ciks)
    select accession, form_type, filed_date, cik, company_name, ${index.url}, ${index.made},
      array(select f.cik from edgar.filer f where f.accession = removed.accession order by f.cik)
    from removed
    on conflict (accession) do nothing`
  const rowless = await deleteRows(tx, catalog, tx`(select accession from removed)`)
  await tx`
    update edgar.coverage v set filings = v.filings - r.n, extracted = v.extracted - r.done
    from (select form_type, count(*) as n, count(*) filter (where extracted) as done from removed group by form_type) r
    where v.form_type = r.form_type`
  await filerNamesRemoved(
    tx,
    tx`select name_id, count(*)::int as filings from edgar.filer join removed using (accession) group by name_id`,
  )
  await tx`delete from edgar.filer f using removed r where r.accession = f.accession`
  await tx`delete from edgar.filing f using removed r where r.accession = f.accession`
  return { removed, rowless }
}
