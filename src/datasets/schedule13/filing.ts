/** Reads a filing of Schedule 13D or 13G: its XML if it has one, else the text of its main document. */
import type { ParsedRow } from '../../declare/dataset.ts'
import { type FiledDocument, type Filing, isNamed, type Reads } from '../../declare/documents.ts'
import { isMainText } from '../../read/readable.ts'
import { readText, textRows } from './filing-text.ts'
import { readXml } from './filing-xml.ts'

export const DOCUMENT = 'primary_doc.xml'

const isCover: Reads = (document) => isNamed(document, { name: DOCUMENT })

export const isRead: Reads = (document) => isCover(document) || isMainText(document)

type Schedule = Filing<{ files: readonly FiledDocument[] }>

/** Yields the rows of one filing, first the row of `report`. */
export async function* parse(filing: Schedule): AsyncGenerator<ParsedRow> {
  const cover = filing.documents.files.find(({ entry }) => isCover(entry))
  const ciks = new Set<string>()
  for await (const row of cover ? readXml(cover, filing.tell) : ofText(filing)) {
    const [table, { cik }] = row
    if ((table === 'report' || table === 'person') && typeof cik === 'string') ciks.add(cik)
    yield row
  }
  for (const cik of ciks) yield ['filer', { cik, filed_date: filing.header.filedDate }]
}

async function* ofText({ documents, header, tell }: Schedule): AsyncGenerator<ParsedRow> {
  const { form, filedDate, filers } = header
  const main = documents.files.find(({ entry }) => isMainText(entry))
  const problem = (path: string, value: string, reason: string) => tell({ problems: [{ path, value, reason }] })
  const made = main ? await main.text() : null
  const place = main ? nameOf(main) : 'documents'
  if (!made) problem(place, form, 'no document has text')
  else if (made.format === null) problem(place, form, made.reason)
  const markdown = made && made.format !== null ? made.markdown.text : ''
  const own = { form, filedDate, filers, markdown, sequence: main?.entry.seq ?? 0 }
  const read = readText(own)
  if (markdown !== '' && read.persons === 0) problem(place, form, 'no cover page of a person was found')
  for (const { name, person, text } of read.leftOut) {
    problem(
      person === null ? `${place}, cover` : `${place}, person ${person}`,
      text,
      `${name} could not be read with certainty`,
    )
  }
  yield* textRows(own, read)
}

const nameOf = ({ entry }: FiledDocument) => entry.filename ?? `document ${entry.seq}`
