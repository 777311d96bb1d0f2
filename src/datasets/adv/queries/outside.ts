/**
 * Supplies inputs of the merge that the database cannot compute: names in their form for comparison, and coordinates of
 * postal codes.
 */
import { foldedKey } from '../../../read/fold.ts'
import type { Transaction } from '../../../store/db.ts'
import { runFile } from '../../../store/file.ts'
import { placeOf } from '../place.ts'

const OUTSIDE = new URL('../make/outside.sql', import.meta.url)
const SPOKEN = new URL('../make/spoken.sql', import.meta.url)

/**
 * Creates and fills the working tables `folded` and `place` of make/outside.sql, for the firms in `touched` and
 * `source`.
 */
export async function makeOutside(tx: Transaction): Promise<void> {
  await runFile(tx, OUTSIDE)
  const names = (await runFile<{ name: string }>(tx, SPOKEN)).map(({ name }) => name)
  await tx`
    insert into folded (name, name_key)
    select * from unnest(${names}::text[], ${names.map(foldedKey)}::text[])`
  const codes = await tx<{ code: string }[]>`
    select distinct postal_code as code from source where postal_code is not null`
  const places = codes.flatMap(({ code }) => {
    const place = placeOf(code)
    return place ? [{ code, ...place }] : []
  })
  await tx`
    insert into place (postal_code, lat, lng)
    select * from unnest(
      ${places.map(({ code }) => code)}::text[],
      ${places.map(({ lat }) => String(lat))}::numeric[],
      ${places.map(({ lng }) => String(lng))}::numeric[])`
  await tx`analyze folded, place`
}
