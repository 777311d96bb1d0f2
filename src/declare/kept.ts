/**
 * Which documents of a filing are read, and so kept in the archive. Most bytes of a filing are pictures and exhibits that
 * no slice reads: they are fetched again when somebody asks for them.
 */
import type { DocumentEntry } from '../read/sgml/submission.ts'
import type { Catalog } from './catalog.ts'
import type { FilingsDataset, OneDocument } from './dataset.ts'
import type { Role } from './documents.ts'

/** The facts about a document after its first bytes. */
export type DocumentKind = Pick<DocumentEntry, 'type' | 'filename' | 'wrapper' | 'mediaType'>

export type Reads = (document: DocumentKind) => boolean

/** Whether a document has the file name of a role. */
export const isNamed = ({ filename }: Pick<DocumentKind, 'filename'>, { name }: Pick<Role, 'name'>): boolean =>
  name !== undefined && filename?.toLowerCase() === name.toLowerCase()

/** Whether a document has the type of a role; of XML only one that EDGAR wrapped as XML, of text one without wrapper. */
export function isTyped(document: Pick<DocumentKind, 'type' | 'wrapper'>, { type, reader }: Role): boolean {
  if (type === undefined || (reader === 'xml' && document.wrapper !== 'XML')) return false
  if (reader === 'text' && document.wrapper !== null) return false
  return typeof type === 'string' ? document.type === type : type.test(document.type)
}

/** Whether a document may stand for the one that is read whole where none has its name. */
export const isOfForm = ({ type, wrapper }: Pick<DocumentKind, 'type' | 'wrapper'>, { forms }: OneDocument): boolean =>
  wrapper === 'XML' && forms.includes(type)

/** The documents that a dataset reads of its filings: never fewer than its parser asks for. */
export function readsOf({ source }: FilingsDataset): Reads {
  if ('parseEvery' in source) return source.reads
  if (source.documents) {
    const roles = Object.values(source.documents)
    return (document) => roles.some((role) => isNamed(document, role) || isTyped(document, role))
  }
  return (document) => isNamed(document, { name: source.document }) || isOfForm(document, source)
}

const NOTHING: Reads = () => false

/** The documents that are read of every filing of a form: those of the dataset of its family. */
export const readsOfForms =
  ({ familyOfForm }: Pick<Catalog, 'familyOfForm'>): ((form: string) => Reads) =>
  (form) => {
    const dataset = familyOfForm(form)?.dataset
    return dataset ? readsOf(dataset) : NOTHING
  }
