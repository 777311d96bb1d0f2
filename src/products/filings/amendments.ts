/** Which filings amend which, without reading them. */
import type { Relative } from './queries.ts'

const isAmendment = ({ form_type }: { form_type: string }) => form_type.endsWith('/A')

/**
 * The original and the amendments that belong with a filing. Two filings of the same form by the same filers:
 * - with another period, known on both sides: never;
 * - with the same period: an original and its amendments, but not two originals;
 * - with a period unknown on either side: what was filed from one original until the next, since an amendment follows
 *   what it amends and comes before the report of the next period. An amendment years late, known by its date alone, is
 *   then put to the wrong original; reading the headers corrects it.
 *
 * @param relatives same form with or without `/A`, same filers, oldest first, the filing itself among them
 */
export function amendmentsOf<T extends Relative>(filing: Relative, relatives: readonly T[]): T[] {
  const own = relatives.findIndex(({ accession }) => accession === filing.accession)
  const start = relatives.slice(0, own + 1).findLastIndex((other) => !isAmendment(other))
  const following = relatives.findIndex((other, i) => i > own && !isAmendment(other))
  const end = following === -1 ? relatives.length : following
  return relatives.filter((other, i) => {
    if (i === own || (!isAmendment(other) && !isAmendment(filing))) return false
    const bothKnown = other.period_of_report !== null && filing.period_of_report !== null
    return bothKnown ? other.period_of_report === filing.period_of_report : i >= start && i < end
  })
}
