/**
 * Links an amendment to the filing that it amends. Since December 2024 an amendment names that filing; earlier
 * amendments give only their own number.
 */

export interface Linked {
  accession: string
  /** `YYYY-MM-DD` */
  filed_date: string
  schedule: string
  is_amendment: boolean
  amendment_number: number | null
  /** The filing that the amendment names. */
  previous_accession: string | null
  cusip: string | null
}

export const LINKS = ['original', 'stated', 'sequence', 'not_held', 'ambiguous'] as const

export interface Link {
  link: (typeof LINKS)[number]
  /** Accession of the amended filing, if it is certain. */
  amends: string | null
}

/**
 * Returns the link to the filing that `filing` amends. An amendment that names no filing amends the last earlier filing
 * of the same schedule and class. The link is uncertain if two such filings have the same day, or if the amendment
 * numbers show that a filing in between is missing.
 *
 * @param filings filings of the same filer about the same issuer, with or without `filing` itself
 */
export function linkOf(filing: Linked, filings: readonly Linked[]): Link {
  if (!filing.is_amendment) return { link: 'original', amends: null }
  if (filing.previous_accession !== null) return { link: 'stated', amends: filing.previous_accession }
  const before = filings.filter((one) => isBefore(one, filing) && isAlike(one, filing))
  const last = before.reduce<string | null>(
    (day, one) => (day === null || one.filed_date > day ? one.filed_date : day),
    null,
  )
  const [found, second] = before.filter(({ filed_date }) => filed_date === last)
  if (!found) return { link: 'not_held', amends: null }
  if (second) return { link: 'ambiguous', amends: null }
  const [number, next] = [numberOf(found), filing.amendment_number]
  if (number !== null && next !== null && number + 1 !== next) return { link: 'not_held', amends: null }
  return { link: 'sequence', amends: found.accession }
}

/** Returns the filings that certainly amend this filing, in the order of `filings`. */
export const amendmentsOf = (filing: Linked, filings: readonly Linked[]): Linked[] =>
  filings.filter((one) => one.accession !== filing.accession && linkOf(one, filings).amends === filing.accession)

/** Tests whether one filing was made before another. On one day, an original comes first, then amendments by number. */
function isBefore(one: Linked, other: Linked): boolean {
  if (one.accession === other.accession || one.filed_date > other.filed_date) return false
  if (one.filed_date < other.filed_date || !one.is_amendment) return true
  return (one.amendment_number ?? Infinity) < (other.amendment_number ?? -Infinity)
}

const isAlike = (one: Linked, other: Linked) =>
  one.schedule === other.schedule && (one.cusip === null || other.cusip === null || one.cusip === other.cusip)

const numberOf = ({ is_amendment, amendment_number }: Linked) => (is_amendment ? amendment_number : 0)
