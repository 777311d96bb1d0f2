/** Keeps the stored lists of similar firms in line with the advisers. */

import { similar } from '../../datasets/adv/rollups.ts'
import { copy } from '../../store/copy.ts'
import type { Transaction } from '../../store/db.ts'
import { ONE, type Similar } from './likeness.ts'
import { Population } from './lists.ts'
import { type Compared, comparedFirms, deleteLists, listEnds, listing } from './queries.ts'

/** Of more changed firms than this share every list is made: nearly all would be altered. */
const CHANGED_SHARE_MAX = 0.02

/**
 * Rewrites the lists that a change of these firms can alter; all for null. A load calls it after adv.adviser is written.
 * What it leaves is what making every list leaves. Each firm stands in some 25 lists: 200 changed ones of 45,000 alter
 * 7,600 lists, which takes a fifth of the time of all.
 */
export async function refreshSimilar(tx: Transaction, crds: readonly string[] | null): Promise<void> {
  if (crds?.length === 0) return
  const firms = await comparedFirms(tx)
  const population = new Population(firms)
  const isFew = crds !== null && crds.length <= firms.length * CHANGED_SHARE_MAX
  const touched = isFew
    ? new Set([...crds, ...(await listing(tx, crds)), ...population.entered(crds, await listEnds(tx))])
    : null
  await deleteLists(tx, touched && [...touched])
  const typesOf = new Map(firms.map((firm) => [firm.crd, firm.fund_type_list]))
  const wanted = touched ? [...touched].filter((crd) => population.has(crd)) : population.crds
  await copy(tx, similar.id, Object.keys(similar.columns), lists(population, wanted, typesOf))
}

type Types = ReadonlyMap<string, Compared['fund_type_list']>

/** A batch a firm, in the order of the table's columns. */
function* lists(population: Population, crds: readonly string[], typesOf: Types): Iterable<unknown[][]> {
  for (const crd of crds) {
    const types = typesOf.get(crd) ?? []
    yield population
      .similarTo(crd)
      .map((other: Similar, at) => [
        crd,
        at + 1,
        other.crd,
        other.size / ONE,
        other.serves / ONE,
        other.fund / ONE,
        other.comp / ONE,
        other.state / ONE,
        other.score / ONE,
        (typesOf.get(other.crd) ?? []).filter((type) => types.includes(type)),
      ])
  }
}
