/** Makes the rollup rows of keys. A key whose rows the database refuses does not stop the other keys. */
import type { Slice } from '../declare/dataset.ts'
import { messageOf } from '../declare/errors.ts'
import { storable } from '../read/text.ts'
import type { Transaction } from '../store/db.ts'
import { within } from '../store/path.ts'
import { bisect } from './bisect.ts'

/** A key whose rows the database refuses. The key is null if the database refuses the rows of all keys together. */
export interface Refused {
  slug: string
  key: string | null
  reason: string
}

/**
 * Makes the rows of the given keys (null: of all keys) in the schema. If the database refuses a key, the key's old rows
 * stay, and the key is marked with the reason, so that the next run tries it again. A refused key that stands for many
 * keys is divided into these keys, so that only those are marked that the database refuses one by one.
 *
 * @throws errors for which `endsRun` is true
 */
export async function makeRows(
  tx: Transaction,
  slice: Slice,
  keys: readonly string[] | null,
  schema: string = slice.slug,
): Promise<void> {
  const { slug } = slice
  const refused = await within(tx, schema, () => makeOrDivide(tx, slice, keys ?? [null], new Set()))
  for (const { key, reason } of refused) await tx`insert into core.mark ${tx({ slug, key, reason: storable(reason) })}`
}

/** @param divided keys that were divided already, which are not divided again */
async function makeOrDivide(
  tx: Transaction,
  slice: Slice,
  keys: readonly (string | null)[],
  divided: Set<string | null>,
): Promise<Refused[]> {
  const { slug, refresh } = slice
  const failed: Refused[] = []
  await bisect(
    tx,
    keys,
    (sp, some) => refresh!.make(sp, some.includes(null) ? null : (some as readonly string[])),
    (key, error) => failed.push({ slug, key, reason: messageOf(error) }),
  )
  const refused: Refused[] = []
  for (const each of failed) {
    const parts = divided.has(each.key) ? [] : await partsOf(tx, slice, each.key)
    divided.add(each.key)
    if (parts.length === 0) refused.push(each)
    else refused.push(...(await makeOrDivide(tx, slice, parts, divided)))
  }
  return refused
}

/**
 * Returns the keys into which the key is divided. The result is empty if the key cannot be divided, or if the database
 * refuses the query for its parts.
 */
async function partsOf(tx: Transaction, { refresh }: Slice, key: string | null): Promise<readonly string[]> {
  let parts: readonly string[] = []
  const look = async (sp: Transaction) => {
    parts = (await refresh!.divide?.(sp, key)) ?? []
  }
  await bisect(tx, [key], look, () => {})
  return parts
}
