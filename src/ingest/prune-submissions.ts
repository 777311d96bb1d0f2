/**
 * From submissions that were archived whole, removes the documents that no dataset reads. Current versions do not
 * archive such documents.
 */
import { keepPart } from '../archive/keep.ts'
import { CorruptEntry, type Store } from '../archive/store.ts'
import type { Catalog } from '../declare/catalog.ts'
import { type Reads, readsOf, readsOfForms } from '../declare/kept.ts'
import type { DocumentEntry } from '../read/sgml/submission.ts'
import type { Sql } from '../store/db.ts'

export interface SubmissionPruning {
  sql: Sql
  store: Store
  catalog: Catalog
  /** True to remove the documents; false to only count them. */
  act: boolean
  signal?: AbortSignal | undefined
}

const PAGE = 500
/** A smaller saving is not worth rewriting the entry. */
const SPARE_MIN = 16 * 1024

interface Whole {
  accession: string
  form: string
  sha256: string
  bytes: number
  documents: DocumentEntry[]
  datasets: string[]
}

export async function pruneSubmissions(
  pruning: SubmissionPruning,
): Promise<{ count: number; bytes: number; isEstimate: boolean }> {
  const { store, act, signal } = pruning
  const reads = readsOfFilings(pruning)
  const total = { count: 0, bytes: 0, isEstimate: !act }
  const shared = await sharedEntries(pruning)
  for (const table of ['submission', 'look_up'] as const) {
    for (let after = ''; ; ) {
      const page = await wholes(pruning, table, after)
      if (page.length === 0) break
      after = page.at(-1)!.accession
      for (const one of page) {
        signal?.throwIfAborted()
        const wants = reads(one)
        const spare = one.documents
          .filter((entry) => !wants(entry))
          .reduce((sum, { start, end }) => sum + end - start, 0)
        const size = spare < SPARE_MIN ? null : await store.sizeOf(one.sha256)
        if (size === null) continue
        const freed = act ? await reduce(pruning, table, one, wants, shared) : (size * spare) / one.bytes
        if (freed === null) continue
        total.count++
        total.bytes += freed
      }
    }
  }
  total.bytes = Math.round(total.bytes)
  return total
}

/**
 * Returns which documents of a filing are read: by the dataset of its family, or by another dataset if an operator
 * requested this.
 */
function readsOfFilings({ catalog }: SubmissionPruning): (filing: Whole) => Reads {
  const usual = readsOfForms(catalog)
  return ({ form, datasets }) => {
    const all = [usual(form), ...catalog.filings.filter(({ slug }) => datasets.includes(slug)).map(readsOf)]
    return (document) => all.some((reads) => reads(document))
  }
}

const wholes = ({ sql }: SubmissionPruning, table: 'submission' | 'look_up', after: string) => sql<Whole[]>`
  select s.accession, f.form_type as form, s.sha256, s.bytes::float8 as bytes, s.documents,
    array(select dataset from edgar.task t where t.accession = s.accession) as datasets
  from edgar.${sql(table)} s join edgar.filing f using (accession)
  where s.kept_sha256 is null and not s.originals and s.accession > ${after}
  order by s.accession limit ${PAGE}`

/**
 * Entries that several rows of `edgar.submission` and `edgar.look_up` name, for example because an index lists a
 * submission twice.
 */
async function sharedEntries({ sql }: SubmissionPruning): Promise<ReadonlySet<string>> {
  const rows = await sql<{ sha256: string }[]>`
    select sha256 from (
      select sha256 from edgar.submission where kept_sha256 is null
      union all select sha256 from edgar.look_up where kept_sha256 is null
    ) s group by sha256 having count(*) > 1`
  return new Set(rows.map(({ sha256 }) => sha256))
}

/**
 * Rewrites one entry.
 *
 * @returns the number of freed bytes; null if the entry is damaged, or was replaced meanwhile
 */
async function reduce(
  { sql, store }: SubmissionPruning,
  table: 'submission' | 'look_up',
  { accession, sha256 }: Whole,
  wants: Reads,
  shared: ReadonlySet<string>,
): Promise<number | null> {
  try {
    const { kept, dropped } = await keepPart(store, store.read(sha256), wants)
    if (kept === null) return null
    const { count } = await sql`
      update edgar.${sql(table)} set kept_sha256 = ${kept}, dropped = ${sql.json(dropped)}
      where accession = ${accession} and sha256 = ${sha256} and kept_sha256 is null`
    if (count === 0) return null
    // If the old entry is shared, a later run removes it once no row names this entry any more.
    const freed = shared.has(sha256) ? 0 : ((await store.remove(sha256)) ?? 0)
    return freed - ((await store.sizeOf(kept)) ?? 0)
  } catch (error) {
    // The next reader of a damaged entry fetches the submission again.
    if (error instanceof CorruptEntry) return null
    throw error
  }
}
