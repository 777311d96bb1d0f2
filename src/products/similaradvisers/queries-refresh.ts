/** SQL that maintains the lists of similar firms. */
import type { Transaction } from '../../store/db.ts'
import type { Figures } from './likeness.ts'
import { type ListEnd, SIMILAR_MAX } from './lists.ts'

export interface Compared extends Figures {
  fund_type_list: string[]
}

/**
 * Returns the compared figures of all firms. A firm that only ticks boxes "fewer than 5" counts as serving these types
 * equally.
 */
export async function comparedFirms(tx: Transaction): Promise<Compared[]> {
  return tx<Compared[]>`
    select crd, state, is_terminated, latest_raum as raum, fund_count, fund_types, fund_values, fund_type_list,
      coalesce(client_shares, (
        select jsonb_object_agg(key, 1) from jsonb_each(clients) where (value ->> 'fewer_than_5')::boolean
      )) as clients,
      array[comp_pct_aum, comp_hourly, comp_subscription, comp_fixed, comp_commissions, comp_performance, comp_other]
        as comp
    from pub.adv_adviser`
}

/** Returns the firms whose list contains one of these firms. Also returns those of these firms that have a list. */
export async function listing(tx: Transaction, crds: readonly string[]): Promise<string[]> {
  const rows = await tx<{ crd: string }[]>`
    select distinct crd from firm where other_crd = any(${crds as string[]})
    union
    select distinct crd from firm where crd = any(${crds as string[]})`
  return rows.map(({ crd }) => crd)
}

/** Returns the firms that have a list. */
export async function listed(tx: Transaction): Promise<string[]> {
  const rows = await tx<{ crd: string }[]>`select distinct crd from firm`
  return rows.map(({ crd }) => crd)
}

/** Returns the last entries of the full lists. */
export async function listEnds(tx: Transaction): Promise<ListEnd[]> {
  return tx<ListEnd[]>`
    select crd, round(score * 10000)::int as score, other_crd as last from firm where rank = ${SIMILAR_MAX}`
}

/** Removes the lists of these firms; null means all firms. */
export async function deleteLists(tx: Transaction, crds: readonly string[] | null): Promise<void> {
  await tx`delete from firm where ${crds ? tx`crd = any(${crds as string[]})` : tx`true`}`
}
