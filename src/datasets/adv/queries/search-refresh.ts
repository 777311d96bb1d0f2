/** Keeps the names that the search reads consistent with the advisers and their names. */

import { type Named, type NameKind, type NameRow, removeWords, storeNames } from '../../../names.ts'
import type { Transaction } from '../../../store/db.ts'
import { ADVISERS } from '../named.ts'

/** Table names without a schema, so that a rebuild can resolve them to the tables of its shadow schema. */
const OWN: Named = { ...ADVISERS, table: 'search_name', dictionary: 'search_word' }

/** If more than this number of firms are rewritten, the table's statistics are outdated, so `analyze` runs. */
const ANALYZE_MIN = 1000

/** Number of firms whose names are split in one batch. */
const BATCH_SIZE = 5000

/** Kinds of rows in adv.adviser_name that are numbers, not names; the search looks numbers up in that table. */
const NUMBERS = ['crd', 'sec_number', 'cik']

/**
 * Rewrites names and words of these firms; null means all firms. A load calls this function after it has written
 * adv.adviser and adv.adviser_name.
 */
export async function refreshSearch(tx: Transaction, crds: readonly string[] | null): Promise<void> {
  const only = crds ? tx`crd = any(${crds as string[]})` : tx`true`
  if (crds) await removeWords(tx, OWN, tx`select words from search_name where ${only}`)
  else await tx`delete from search_word`
  await tx`delete from search_name where ${only}`
  for (let after = ''; ; ) {
    const batch = await tx<{ crd: string }[]>`
      select crd from adviser where ${only} and crd > ${after} order by crd limit ${BATCH_SIZE}`
    if (batch.length === 0) break
    after = batch.at(-1)!.crd
    await storeNames(
      tx,
      OWN,
      await namesOf(
        tx,
        batch.map(({ crd }) => crd),
      ),
    )
  }
  if (crds === null || crds.length > ANALYZE_MIN) await tx`analyze search_name, search_word`
}

/** Returns the rows of adv.adviser_name that are names: the shown name, other names in use, and former names. */
async function namesOf(tx: Transaction, crds: string[]): Promise<NameRow[]> {
  return tx<(NameRow & { kind: NameKind })[]>`
    select n.crd as id, n.name, a.city, a.state, a.latest_raum as importance,
      case when n.kind = 'former' then 'former' when n.name_key = a.name_key then 'now' else 'other' end as kind
    from adviser_name n join adviser a using (crd)
    where n.crd = any(${crds}) and n.kind <> all(${NUMBERS})`
}
