/** Links amendments to filings without reading their documents. */
import type { Relative } from './queries.ts'

const isAmendment = ({ form_type }: { form_type: string }) => form_type.endsWith('/A')

/**
 * Returns the original and the amendments that belong with a filing. The rules for two filings of the same form by the
 * same filers:
 * - If both periods are known and differ, the filings do not belong together.
 * - If the periods are the same, an original and its amendments belong together, but two originals do not belong
 *   together.
 * - If one of the periods is unknown, the filings from one original until the next original belong together. An
 *   amendment follows its original and comes before the report of the next period. An amendment that is years late is
 *   linked to the wrong original while only the date of the amendment is known; reading the headers corrects this.
 *
 * @param relatives filings of the same form, with or without `/A`, by the same filers, oldest first. They include the
 * filing itself
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
