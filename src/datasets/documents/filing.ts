/** Turns the documents of a filing into rows: text in passages, and its sections. */

import { corpusOf, EXHIBITS } from '../../declare/corpora.ts'
import type { ParsedRow } from '../../declare/dataset.ts'
import type { FiledDocument, Filing, FilingHeader } from '../../declare/documents.ts'
import { documentName, lexemesOf } from '../../read/lexemes.ts'
import { passagesOf } from '../../read/passages.ts'
import { type DocumentText, isExhibit } from '../../read/readable.ts'
import { type Section, type SectionKind, sectionKindOf, sectionsOf } from '../../read/sections.ts'
import type { DocumentEntry } from '../../read/sgml/submission.ts'
import { excerpt, storable } from '../../read/text.ts'

type Text = Extract<DocumentText, { markdown: unknown }>

/** Maximum length of a title. Longer titles are sentences that look like headings. */
const TITLE_MAX = 300

/**
 * Replaces the text of a document if the submission ends before the document does. Earlier documents of such a
 * submission are complete (0000320193-97-000011).
 */
const CUT_OFF: DocumentText = {
  format: null,
  reason: 'it is cut off: the submission ends within it, as EDGAR serves it',
}

type Texts = Filing<{ texts: readonly FiledDocument[] }>

/** Yields the rows of one document before it reads the next document, so that only one document is in memory. */
export async function* parse({ documents, header, tell }: Texts): AsyncGenerator<ParsedRow> {
  const corpus = corpusOf(header.family)!
  const total = { documents: 0, length: 0 }
  for (const { entry, text } of documents.texts) {
    const place = entry.filename ?? `document ${entry.seq}`
    const read = entry.cutOff ? CUT_OFF : await text()
    if (read.format === null) {
      tell({ problems: [{ path: place, value: entry.type, reason: read.reason }] })
      continue
    }
    const { problems } = read.markdown
    tell({ problems: problems.map(({ place: at, reason }) => ({ path: `${place}, ${at}`, value: '', reason })) })
    total.documents++
    total.length += read.markdown.text.length
    yield* rowsOf(header, entry, read, isExhibit(entry) ? EXHIBITS : corpus)
  }
  const { form, cik, name, period } = header
  yield ['filing', { form, corpus, cik, company_name: name, period, ...total }]
}

function* rowsOf(header: FilingHeader, entry: DocumentEntry, read: Text, corpus: string): Generator<ParsedRow> {
  const { accession, form, filedDate, cik, name, filers } = header
  const { markdown, pages } = read
  const { text, headings, tables, images } = markdown
  const sequence = entry.seq
  const title = titleOf(entry, read)
  const sections = sectionsIn(markdown, form, entry)
  const passages = passagesOf(markdown, sections)
  const described = {
    name: documentName(accession, sequence),
    corpus,
    form,
    filedDate,
    ciks: [cik, ...filers.map((filer) => filer.cik)].filter((each) => each !== null),
    titles: [name, title].filter((each) => each !== null),
    headings: headings.map((heading) => heading.text),
  }
  const vectors = lexemesOf(described, text, passages)
  const { type, filename } = entry
  const of = { form, filed_date: filedDate, cik, company_name: name, type, filename, title }
  const size = { length: text.length, pages, tables, images }
  yield ['document', { sequence, corpus, ...of, ...size, search: vectors.document }]
  for (const [i, { id, title, start, end, confidence, doubt }] of sections.entries()) {
    const own = { sequence, n: i + 1, id, title: excerpt(title, TITLE_MAX), start, stop: end }
    yield ['section', { ...own, confidence: confidence.toFixed(2), doubt }]
  }
  for (const [i, { start, end, section }] of passages.entries()) {
    const own = { sequence, n: i + 1, corpus, section, start, text: text.slice(start, end) }
    yield ['passage', { ...own, search: vectors.passages[i] }]
  }
}

/** Returns the sections of a document, as its form defines them; an exhibit has none. */
export function sectionsIn(markdown: Text['markdown'], form: string, entry: Pick<DocumentEntry, 'type'>): Section[] {
  const kind = kindOf(form, entry)
  return kind === null ? [] : sectionsOf(markdown, kind)
}

/** Returns the kind of form whose headings divide the document into sections; null if the document has no sections. */
export const kindOf = (form: string, entry: Pick<DocumentEntry, 'type'>): SectionKind | null =>
  isExhibit(entry) ? null : sectionKindOf(form)

/**
 * Returns the title of a document: its first heading, or the filer's description. If both are known, an exhibit gets
 * the heading, and any other document the description.
 */
export function titleOf(entry: Pick<DocumentEntry, 'type' | 'description'>, { markdown }: Text): string | null {
  const heading = markdown.headings.find(({ text }) => text.length <= TITLE_MAX && /\p{L}/u.test(text))?.text
  const description = entry.description
  const title = isExhibit(entry) ? (heading ?? description) : (description ?? heading)
  return title ? excerpt(storable(title), TITLE_MAX) : null
}
