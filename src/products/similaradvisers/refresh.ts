/** Keeps the stored lists of similar firms consistent with the advisers. */
import type { Refresh } from '../../declare/refresh.ts'
import { copy } from '../../store/copy.ts'
import type { Transaction } from '../../store/db.ts'
import { ONE, type Similar } from './likeness.ts'
import { Population } from './lists.ts'
import { type Compared, comparedFirms, deleteLists, listEnds, listed, listing } from './queries-refresh.ts'
import { firm } from './rollups.ts'

/** Share of changed firms above which all lists are computed, because nearly all of them would change. */
const CHANGED_SHARE_MAX = 0.02

/**
 * Marks firms by CRD number. The key `110 list` means only the list of firm 110; other keys are divided into such keys.
 * A change of some firms can alter the lists of other firms too, and all altered lists are computed again. Each firm is
 * in about 25 lists: 200 changed firms of 45,000 alter 7,600 lists, which takes a fifth of the time for all lists.
 */
export const refresh: Refresh = {
  follows: { adv: (_, crds) => crds },

  async divide(tx, key) {
    if (key?.endsWith(LIST)) return []
    const firms = await comparedFirms(tx)
    const population = new Population(firms)
    const touched = key === null ? null : await touchedBy(tx, population, [key])
    const crds = touched ?? new Set([...population.crds, ...(await listed(tx))])
    return [...crds].map((crd) => crd + LIST)
  },

  async make(tx, keys) {
    const firms = await comparedFirms(tx)
    const population = new Population(firms)
    const crds = keys?.filter((key) => !key.endsWith(LIST)) ?? null
    const isFew = crds !== null && crds.length <= firms.length * CHANGED_SHARE_MAX
    const touched = isFew ? await touchedBy(tx, population, crds) : null
    for (const key of touched ? keys! : []) if (key.endsWith(LIST)) touched!.add(key.slice(0, -LIST.length))
    await deleteLists(tx, touched && [...touched])
    const typesOf = new Map(firms.map((own) => [own.crd, own.fund_type_list]))
    const wanted = touched ? [...touched].filter((crd) => population.has(crd)) : population.crds
    await copy(tx, firm.name, Object.keys(firm.columns), lists(population, wanted, typesOf))
  },
}

const LIST = ' list'

/** Returns the firms whose lists a change of these firms can alter. */
async function touchedBy(tx: Transaction, population: Population, crds: readonly string[]): Promise<Set<string>> {
  if (crds.length === 0) return new Set()
  return new Set([...crds, ...(await listing(tx, crds)), ...population.entered(crds, await listEnds(tx))])
}

type Types = ReadonlyMap<string, Compared['fund_type_list']>

/** Yields one batch of rows for each firm; the values of a row are in the order of the table's columns. */
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
