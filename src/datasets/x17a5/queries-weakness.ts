/** Extracts sentences about material weaknesses from the passages of reports that were read as text. */
import type { Fragment, Sql, Transaction } from '../../store/db.ts'
import { type WeaknessSentence, weaknessSentences } from './weakness.ts'

/**
 * The words of `TERM` as a query on the words of passages. They are singular, because read/words.ts removes the plural.
 */
const TERM = "'material' <-> ('weakness' | 'inadequacy')"
/** Number of reports whose passages are in memory at a time. A report has about five passages with these words. */
const REPORTS = 200

interface Passage {
  accession: string
  cik: string
  sequence: number
  start: number
  text: string
}

/** Rebuilds the sentences of the reports of these filers; null means all filers. */
export async function makeWeaknesses(tx: Transaction, ciks: readonly string[] | null): Promise<void> {
  const only = ciks ? tx`r.cik = any(${ciks as string[]})` : tx`r.cik is not null`
  await tx`delete from weakness r where ${only}`
  await tx`delete from read_report r where ${only}`
  await tx`
    insert into read_report (accession, cik, length)
    select r.accession, r.cik, d.length from report r join pub.documents_filing d using (accession) where ${only}`
  const reports = await tx<{ accession: string }[]>`
    select distinct r.accession
    from report r join pub.documents_passage p using (accession)
    where ${only} and p.search @@ ${TERM}::tsquery`
  for (let at = 0; at < reports.length; at += REPORTS) {
    const accessions = reports.slice(at, at + REPORTS).map(({ accession }) => accession)
    const passages = await tx<Passage[]>`
      select r.accession, r.cik, p.sequence, p.start, p.text
      from report r join pub.documents_passage p using (accession)
      where r.accession = any(${accessions}) and p.search @@ ${TERM}::tsquery
      order by r.accession, p.sequence, p.start`
    const rows = documentsOf(passages).flatMap(({ of, sentences }) =>
      sentences.map(({ start, end, ...sentence }) => ({ ...of, start, stop: end, ...sentence })),
    )
    if (rows.length > 0) await tx`insert into weakness ${tx(rows)}`
  }
}

/** Returns filers with reports whose text changed since their sentences were extracted. */
export async function othersRead(tx: Transaction): Promise<string[]> {
  const rows = await tx<{ cik: string }[]>`
    select r.cik
    from report r join pub.documents_filing d using (accession) left join read_report t using (accession)
    where r.cik is not null and t.length is distinct from d.length
    union
    select t.cik from read_report t left join pub.documents_filing d using (accession) where d.accession is null`
  return rows.map(({ cik }) => cik)
}

interface Document {
  of: { accession: string; cik: string; sequence: number }
  sentences: WeaknessSentence[]
}

function documentsOf(passages: readonly Passage[]): Document[] {
  const documents: Document[] = []
  for (const passage of passages) {
    const { accession, cik, sequence } = passage
    const last = documents.at(-1)
    const isSame = last?.of.accession === accession && last.of.sequence === sequence
    const document = isSame ? last : { of: { accession, cik, sequence }, sentences: [] }
    if (!isSame) documents.push(document)
    addOf(document.sentences, passage)
  }
  return documents
}

/** Adds a passage's sentences. Passages overlap, so keeps the longer of two pieces of one sentence. */
function addOf(sentences: WeaknessSentence[], { start: from, text }: Passage): void {
  for (const { start, end, ...sentence } of weaknessSentences(text)) {
    const next = { start: from + start, end: from + end, ...sentence }
    const before = sentences.at(-1)
    if (!before || before.end <= next.start) sentences.push(next)
    else if (next.end - next.start > before.end - before.start) sentences[sentences.length - 1] = next
  }
}

/**
 * SQL that is true if a report's text discloses a material weakness, false if the text denies a weakness, else null.
 */
export const textOf = (sql: Sql | Transaction, accession: Fragment, schema = ''): Fragment => sql`
  (select case when bool_or(w.reading = 'disclosed') then true when bool_or(w.reading = 'denied') then false end
    from ${sql(`${schema}weakness`)} w where w.accession = ${accession})`
