/** Loads one index into the spine in one transaction. Stages its entries; spine/changes.ts applies the changes. */
import { type Catalog, SPINE } from '../declare/catalog.ts'
import { messageOf } from '../declare/errors.ts'
import { fold } from '../read/fold.ts'
import type { IndexEntry, IndexReader } from '../read/master-index.ts'
import { copy } from '../store/copy.ts'
import type { Sql, Transaction } from '../store/db.ts'
import { countDelays } from '../store/delays.ts'
import { allRemoved, append, type LoggedChange } from '../store/events.ts'
import { dataChanged, everythingChanged } from '../store/meta.ts'
import { assertNotOvertaken } from '../store/overtaken.ts'
import { isOfData } from '../store/refused.ts'
import { taskOf } from '../store/schema.ts'
import { INDEX_LOCK } from './order.ts'
import { addMissingFilers, findKnown, formerFormsOf, insert, update } from './spine/changes.ts'
import { coveredThrough, type IndexLoad, isOlder, lastEdition, onlyAdds, otherDay } from './spine/edition.ts'
import { compare, hasRead, leaveRemoved } from './spine/unlisted.ts'
import { compareFilers } from './spine/unlisted-filers.ts'
import { fillAdded } from './spine-hints.ts'

export interface IndexResult {
  url: string
  lines: number
  filings: number
  added: number
  changed: number
  /** How many of the added filings had been removed before. */
  restored: number
  removed: number
  /**
   * Number of known filings that this index lacks and that no earlier index lacked. Such filings are removed only if
   * another index lacks them too.
   */
  suspected: number
  /** Reason why the index does not prove removals. Null if it may prove them, or if this was not checked. */
  withheld: string | null
  /**
   * True if the index is older than the edition of the same index that was read last. Nothing is stored from an older
   * edition.
   */
  isOlder: boolean
  problems: number
  /** Number of problems that are new since the last reading of this index. */
  unseen: number
  /** Last day that the index covers; null if the bytes are not an index. */
  through: string | null
}

/** If more filings than this are added, it saves time to build the database's indexes after the rows, and to vacuum. */
export const MANY = 20_000

/**
 * Loads one index in one transaction. Lines that cannot be parsed are kept in edgar.index_problem. The other lines are
 * then loaded, but the watermark stays where it is. If the database refuses the lines, this is recorded as a problem of
 * line 0, and the watermark stays too.
 */
export async function loadIndex(sql: Sql, catalog: Catalog, index: IndexLoad): Promise<IndexResult> {
  const { url, reader } = index
  const result = await loadLines(sql, catalog, index).catch(async (error) => {
    if (!isOfData(error)) throw error
    const refusal = { line: 0, content: '', reason: `the database refuses it: ${messageOf(error)}` }
    reader.problems = [refusal, ...reader.problems]
    reader.problemCount++
    const record = onlyAdds(index) ? recordEntries : recordProblems
    const unseen = await sql.begin((tx) => record(tx, index))
    return { ...NOTHING, unseen }
  })
  // Index-only scans need the visibility map, and queries of a new quarter need statistics. Autovacuum would make both
  // too late.
  if (result.added > (index.many ?? MANY)) {
    const tables = ['filing', 'filer', 'filer_name', 'task', 'filer_search', 'filer_word']
    await Promise.all(tables.map((table) => sql`vacuum (analyze) ${sql(`edgar.${table}`)}`))
  }
  return { url, ...result, problems: reader.problemCount, through: reader.begun ? coveredThrough(index) : null }
}

function loadLines(sql: Sql, catalog: Catalog, index: IndexLoad) {
  return sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${INDEX_LOCK})`
    await assertNotOvertaken(tx)
    // A quarter has 50 MB of rows, which must be sorted in memory and not on disk.
    await tx`set local work_mem = '128MB'`
    // This is checked before a claim empties the spine. If the spine has the sample, requests read the sample until the
    // commit, so the indexes of the database must not be dropped.
    const isEmpty = await hasNoFilings(tx)
    const { lines, filings } = await stage(tx, catalog, index.reader)
    const isOther = lines > 0 && (await index.claim?.(tx))
    if (isOlder(index, onlyAdds(index) ? null : await lastEdition(tx, index))) {
      return { ...NOTHING, lines, filings, isOlder: true, unseen: 0 }
    }
    const wrong = otherDay(index)
    if (wrong !== null) {
      index.reader.problems.unshift({ line: 0, content: '', reason: wrong })
      index.reader.problemCount++
    }
    const isFirst = await isNew(tx, index)
    const known = await findKnown(tx)
    const corrects = known > 0 && !onlyAdds(index)
    const { changed: updated, rowless: moved } = corrects ? await update(tx, catalog) : { changed: 0, rowless: [] }
    // This is done before new filings are added, so that the search for missing filings is planned with correct
    // statistics (saves 1.4 s of 13 s).
    const { removed, suspected, withheld, rowless: gone } = await compare(tx, catalog, index)
    const changed = updated + (corrects ? await compareFilers(tx, index) : 0)
    const unseen = onlyAdds(index) ? await recordEntries(tx, index) : await recordProblems(tx, index)
    const rowless = [...moved, ...gone]
    const isCut = await leaveRemoved(tx, index)
    const joined = index.isOfProfiles && known > 0 ? await addMissingFilers(tx) : 0
    const { many = MANY } = index
    const { added, restored } = await insert(tx, catalog, { isAll: known === 0 && !isCut, isEmpty, many })
    if (added > 0) await completeAdded(tx, catalog, index)
    if (index.reader.problemCount === 0 && !onlyAdds(index)) await moveWatermark(tx, index)
    await index.note?.(tx)
    const isBacklog = isFirst || (index.isOfProfiles === true && added > NAMED_MAX)
    const logged = await spineChanges(tx, { isFirst: isBacklog, changed, removed, added, restored })
    await append(tx, [...(isOther ? await allRemoved(tx) : []), ...rowless, ...logged])
    const slugs = [SPINE, ...rowless.map(({ slug }) => slug)]
    if (isOther) await everythingChanged(tx, slugs)
    else if (changed + removed + added + joined > 0) await dataChanged(tx, slugs)
    const counts = { lines, filings, added, restored: restored.length, changed, removed, suspected }
    return { ...counts, withheld, isOlder: false, unseen }
  })
}

/**
 * Adds to the new filings the facts that company files state about them. Counts how late the filings are, unless they
 * are from the index of a whole quarter or from profiles.
 */
async function completeAdded(tx: Transaction, catalog: Catalog, index: IndexLoad): Promise<void> {
  await fillAdded(tx, catalog.slices)
  if (index.wholeFrom !== undefined || index.isOfProfiles) return
  await countDelays(tx, { accepted: index.current ?? null, through: index.through })
}

/**
 * Maximum number of filings from profiles that the event log names; if there are more, they are the past filings of
 * filers that were just chosen.
 */
const NAMED_MAX = 1_000

const NOTHING = {
  ...{ lines: 0, filings: 0, added: 0, restored: 0, changed: 0, removed: 0, suspected: 0 },
  ...{ withheld: null, isOlder: false },
}

/** True if the spine is empty, so that no reader can find a filing in it. */
async function hasNoFilings(tx: Transaction): Promise<boolean> {
  const rows = await tx`select from edgar.filing limit 1`
  return rows.length === 0
}

/**
 * True if the index lists a whole quarter and one of two conditions is met: no filing of this quarter is known, or
 * filers were chosen and no index of this quarter was read.
 */
async function isNew(tx: Transaction, index: IndexLoad): Promise<boolean> {
  const { wholeFrom, through } = index
  if (wholeFrom === undefined) return false
  const rows = await tx`select from edgar.filing where filed_date between ${wholeFrom} and ${through} limit 1`
  if (rows.length === 0) return true
  // Filings of chosen filers may be known in a quarter whose index was never read.
  const [row] = await tx<{ isChosen: boolean }[]>`select exists (select from edgar.chosen) as "isChosen"`
  return row!.isChosen && !(await hasRead(tx, index))
}

/**
 * The changes of the spine, for the log of events. The filings of a new quarter are not named: a backlog of thirty
 * years would give 20 million events that only repeat the spine.
 */
async function spineChanges(
  tx: Transaction,
  {
    isFirst,
    changed,
    removed,
    added,
    restored,
  }: { isFirst: boolean; changed: number; removed: number; added: number; restored: readonly string[] },
): Promise<LoggedChange[]> {
  const valuesOf = async (column: 'accession' | 'form_type', filings: 'added' | 'changed' | 'removed') => {
    const rows = await tx<{ value: string }[]>`
      select distinct ${tx(column)} as value from ${tx(filings)} order by value`
    return rows.map(({ value }) => value)
  }
  const keysOf = (filings: 'added' | 'changed' | 'removed') => valuesOf('accession', filings)
  const newOnes = async () => {
    const back = new Set(restored)
    return (await keysOf('added')).filter((accession) => !back.has(accession))
  }
  return [
    ...(changed > 0
      ? [
          {
            slug: SPINE,
            what: 'corrected' as const,
            keys: await keysOf('changed'),
            formerForms: await formerFormsOf(tx),
          },
        ]
      : []),
    { slug: SPINE, what: 'removed', keys: removed > 0 ? await keysOf('removed') : [] },
    { slug: SPINE, what: 'restored', keys: restored },
    {
      slug: SPINE,
      what: 'added',
      ...(isFirst && added > 0
        ? { keys: null, forms: await valuesOf('form_type', 'added') }
        : { keys: await newOnes() }),
    },
  ]
}

/**
 * Moves the watermark. The watermark is never later than the last day that the index may cover, whatever the index's
 * header states.
 */
async function moveWatermark(tx: Transaction, index: IndexLoad) {
  const { host, source, modifiedAt, now } = index
  const through = coveredThrough(index)
  const mark = { host, source, through, made_at: modifiedAt ?? null, read_at: now.toISOString() }
  await tx`
    insert into edgar.watermark ${tx(mark)}
    on conflict (host, source) do update
    set through = excluded.through, made_at = excluded.made_at, read_at = excluded.read_at, moved_at = now()`
}

/**
 * Copies the entries into two temporary tables. `incoming` has a row per line. `incoming_filing` has a row per filing,
 * with the family and the task of the filing.
 */
async function stage(
  tx: Transaction,
  catalog: Catalog,
  reader: IndexReader,
): Promise<Pick<IndexResult, 'lines' | 'filings'>> {
  // `number` is the accession as a number: sorting and joining by it takes half the time. Lines of one filer are
  // adjacent, so the filer's name is sent and folded only once, with the first line; `name_line` refers to that line.
  await tx`
    create temporary table incoming (
      line integer, number bigint, accession text collate "C", cik text collate "C", name_line integer,
      name text collate "C", name_key text collate "C", form_type text collate "C", family text collate "C",
      task text collate "C", filed_date date, path text collate "C"
    ) on commit drop`
  const lines = await copy(tx, 'incoming', COLUMNS, records(reader.entries, catalog))
  await tx`analyze incoming (line, number, cik, name_line, name)`
  const { count: filings } = await tx`
    create temporary table incoming_filing on commit drop as
    select i.number, i.accession, i.form_type, i.family, i.task, i.filed_date, i.cik, m.name as company_name, m.name_key,
      n.filer_count, i.path
    from (
      -- The first line of each filing, by its line number alone: to sort whole lines takes twice the time.
      select min(line) as line, count(distinct cik)::int as filer_count from incoming group by number
    ) n
    join incoming i using (line)
    join incoming m on m.line = i.name_line`
  await tx`analyze incoming_filing (number, accession, filed_date)`
  return { lines, filings }
}

const COLUMNS = ['line', 'number', 'accession', 'cik', 'name_line', 'name', 'name_key', 'form_type', 'family', 'task', 'filed_date', 'path'] // biome-ignore format: a table

async function* records(entries: AsyncIterable<IndexEntry[]>, catalog: Catalog) {
  const claims = new Map(
    catalog.families.flatMap((family) =>
      family.forms.map((form) => [form, { slug: family.slug, task: taskOf(family, form) }]),
    ),
  )
  let line = 0
  let named = { line: 0, cik: '', name: '' }
  const recordOf = ({ accession, cik, companyName, formType, filedDate, path }: IndexEntry) => {
    const isNamed = cik === named.cik && companyName === named.name
    if (!isNamed) named = { line, cik, name: companyName }
    const name = isNamed ? [null, null] : [companyName, fold(companyName)]
    const claim = claims.get(formType)
    const number = accession.replaceAll('-', '')
    return [line++, number, accession, cik, named.line, ...name, formType, claim?.slug, claim?.task, filedDate, path]
  }
  for await (const batch of entries) yield batch.map(recordOf)
}

/**
 * Replaces the problems of the last reading by the problems of this reading.
 *
 * @returns how many problems are new. A line is identified by its content, since its number changes when the index
 *   grows. If an index was refused (line 0), or has more problems than can be kept, its problems count as new each
 *   time.
 */
async function recordProblems(tx: Transaction, { url, reader }: IndexLoad): Promise<number> {
  const before = await tx<{ reason: string; content: string }[]>`
    delete from edgar.index_problem where index_url = ${url} returning reason, content`
  if (reader.problems.length === 0) return 0
  const keyOf = ({ reason, content }: { reason: string; content: string }) => JSON.stringify([reason, content])
  const known = new Set(before.map(keyOf))
  const unseen = reader.problems.filter((problem) => problem.line === 0 || !known.has(keyOf(problem))).length
  const problems = reader.problems.map((problem) => ({ index_url: url, ...problem }))
  await tx`insert into edgar.index_problem ${tx(problems)}`
  return unseen + reader.problemCount - reader.problems.length
}

/**
 * Maximum number of a feed's unreadable entries that are kept until an index lists their filings. Further entries are
 * only counted.
 */
const ENTRIES_MAX = 1_000

/**
 * Adds the unreadable entries of a feed to the stored entries, which are not deleted: entries disappear from the feed,
 * but their filings must still be found.
 *
 * @returns how many are new
 */
async function recordEntries(tx: Transaction, { url, reader }: IndexLoad): Promise<number> {
  if (reader.problems.length === 0) return 0
  const known = await tx<{ line: number; key: string }[]>`
    select line, reason || ' ' || content as key from edgar.index_problem where index_url = ${url} order by line desc`
  const keys = new Set(known.map(({ key }) => key))
  const last = known[0]?.line ?? 0
  const unseen = reader.problems.filter(({ reason, content }) => !keys.has(`${reason} ${content}`))
  const rows = unseen
    .slice(0, Math.max(0, ENTRIES_MAX - known.length))
    .map(({ reason, content }, at) => ({ index_url: url, line: last + 1 + at, reason, content }))
  if (rows.length > 0) await tx`insert into edgar.index_problem ${tx(rows)}`
  return unseen.length
}
