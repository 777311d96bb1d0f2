/**
 * Decides which documents of a filing are read, and therefore kept in the archive. Most bytes of a filing are pictures
 * and exhibits that no slice reads. They are not kept, and are fetched again when a client asks for them.
 */
import type { Catalog } from './catalog.ts'
import type { FilingsDataset } from './dataset.ts'
import { isFit, type Reads } from './documents.ts'

export type { Reads } from './documents.ts'

/** Returns which documents of its filings a dataset reads: at least all documents for which its parser may ask. */
export function readsOf({ source }: FilingsDataset): Reads {
  const roles = Object.values(source.documents)
  return (document) => roles.some((role) => isFit(document, role))
}

const NOTHING: Reads = () => false

/** Returns, for a form, which documents of its filings are read: those that the dataset of the form's family reads. */
export const readsOfForms =
  ({ familyOfForm }: Pick<Catalog, 'familyOfForm'>): ((form: string) => Reads) =>
  (form) => {
    const dataset = familyOfForm(form)?.dataset
    return dataset ? readsOf(dataset) : NOTHING
  }
