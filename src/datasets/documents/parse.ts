/** Documents of a filing → text, sections and passages. */

import { corpusOf, EXHIBITS } from '../../declare/corpora.ts'
import type { ParsedRow } from '../../declare/dataset.ts'
import type { EveryPart } from '../../declare/documents.ts'
import { isExhibit, isProse, readText } from '../../read/document-text.ts'
import { documentName, lexemesOf } from '../../read/lexemes.ts'
import { passagesOf } from '../../read/passages.ts'
import { storable } from '../../read/text.ts'

/** Yields a document's rows before the next one is read, so that one document is held at a time. */
export async function* parse(filing: EveryPart): AsyncGenerator<ParsedRow> {
  const { accession, form, filedDate, cik, name, family } = filing
  const corpus = corpusOf(family)!
  const of = { form, cik, company_name: name }
  const total = { documents: 0, length: 0 }
  for (const { entry, bytes } of filing.documents) {
    if (!isProse(entry)) continue
    const read = await readText(entry, bytes())
    const place = `document ${entry.seq}`
    if (read.format === null) {
      filing.tell({ problems: [{ path: place, value: entry.filename ?? entry.type, reason: read.reason }] })
      continue
    }
    const { markdown, pages } = read
    const text = storable(markdown.text)
    if (text === '') continue
    filing.tell({
      problems: markdown.problems.map(({ place: at, reason }) => ({ path: `${place}, ${at}`, value: '', reason })),
    })
    total.documents++
    total.length += text.length
    const own = isExhibit(entry) ? EXHIBITS : corpus
    const title = storable(entry.description ?? markdown.headings[0]?.text ?? '') || null
    const passages = passagesOf({ text }, [])
    const vectors = lexemesOf(
      {
        name: documentName(accession, entry.seq),
        corpus: own,
        form,
        filedDate,
        cik,
        titles: [name, title].filter((each) => each !== null),
        headings: markdown.headings.map((heading) => heading.text),
      },
      text,
      passages,
    )
    const sequence = entry.seq
    yield ['document', { sequence, corpus: own, ...of, filed_date: filedDate, type: entry.type, filename: entry.filename, title, pages, length: text.length, search: vectors.document }] // biome-ignore format: one row
    for (const [i, { start, end, section }] of passages.entries()) {
      yield ['passage', { sequence, n: i + 1, corpus: own, section, start, text: text.slice(start, end), search: vectors.passages[i] }] // biome-ignore format: one row
    }
  }
  yield ['filing', { ...of, corpus, ...total }]
}
