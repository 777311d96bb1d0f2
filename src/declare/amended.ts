/** Filings that a later one amends. A slice whose filings can be amended publishes them as the view `pub.<slug>_amended`. */
import { accession, texts } from './column.ts'
import type { View } from './view.ts'

const SAYS =
  'Accessions of the filings that amend the filing of this row for certain, directly or one through another, newest first: they state it anew, so that both must not be summed. Empty where none is known'

/** The column of every list and export whose rows an amendment replaces. */
export const amendedBy = texts(SAYS)

export const amendedColumns = { accession: accession('The filing that is amended'), amended_by: amendedBy }

/** The view of a slice that says what is amended; undefined where it has none. */
export const amendedOf = (slug: string, views: readonly View[]): View | undefined =>
  views.find(({ id }) => id === `pub.${slug}_amended`)
