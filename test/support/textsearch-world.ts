/** Invented documents and brochures for tests of the search, in tables with the columns that the search reads. */
import { documentName, type Lexemes, lexemesOf } from '../../src/read/lexemes.ts'
import { type Passage, passagesOf } from '../../src/read/passages.ts'
import { copyLine, copyLines } from '../../src/store/copy.ts'
import type { Sql, Transaction } from '../../src/store/db.ts'

export interface MadeDocument {
  accession: string
  sequence: number
  corpus: string
  form: string
  filed_date: string
  cik: string
  company_name: string
  text: string
  title?: string
  headings?: string[]
  sections?: { id: string; start: number; end: number }[]
}

export interface MadeBrochure {
  id: number
  crd: string
  firm_name: string
  filing_date: string
  text: string
}

const TABLES = `
  drop view if exists pub.documents_document, pub.documents_passage, pub.brochures_version, pub.brochures_passage;
  drop schema if exists documents cascade;
  drop schema if exists brochures cascade;
  create schema if not exists pub;
  create schema documents;
  create table documents.document (
    accession text collate "C", sequence integer, corpus text collate "C" not null, form text collate "C" not null,
    filed_date date not null, cik text collate "C", company_name text, type text, title text, search tsvector not null,
    primary key (accession, sequence)
  );
  create table documents.passage (
    accession text collate "C", sequence integer, n integer, corpus text collate "C" not null, section text,
    start integer not null, text text not null, search tsvector not null
  );
  create schema brochures;
  create table brochures.version (
    id text collate "C" primary key, crd text collate "C", filing_date date, brochure_name text, search tsvector
  );
  create table brochures.passage (
    id text collate "C", n integer, section text, start integer not null, text text not null, search tsvector not null
  );
  create view pub.documents_document as select * from documents.document;
  create view pub.documents_passage as select * from documents.passage;
  create view pub.brochures_version as select *, true as is_newest from brochures.version;
  create view pub.brochures_passage as select * from brochures.passage;`

const INDEXES = `
  create index if not exists document_search on documents.document using gin (search) with (fastupdate = off);
  create index if not exists document_filed on documents.document (filed_date desc, accession desc, sequence);
  create index if not exists passage_search on documents.passage using gin (search) with (fastupdate = off);
  create index if not exists version_search on brochures.version using gin (search) with (fastupdate = off);
  create index if not exists version_filed on brochures.version (filing_date desc);
  create index if not exists brochure_passage_search on brochures.passage using gin (search) with (fastupdate = off);
  analyze documents.document;
  analyze documents.passage;
  analyze brochures.version;
  analyze brochures.passage;`

export async function makeTables(sql: Sql): Promise<void> {
  await sql.unsafe(TABLES)
}

/** Builds the indexes; to be called after the rows are inserted. */
export async function makeIndexes(sql: Sql): Promise<void> {
  await sql.unsafe(INDEXES)
}

/** Returns passages of a document and their search keys, made as by ingest. */
export function madeOf(document: MadeDocument): { passages: Passage[]; lexemes: Lexemes } {
  const { accession, sequence, corpus, form, filed_date, cik, company_name, text } = document
  const passages = passagesOf({ text }, document.sections ?? [])
  const described = {
    name: documentName(accession, sequence),
    ...{ corpus, form, filedDate: filed_date, ciks: cik ? [cik] : [] },
    titles: [company_name, ...(document.title === undefined ? [] : [document.title])],
    headings: document.headings ?? [],
  }
  return { passages, lexemes: lexemesOf(described, text, passages) }
}

/** Stores documents as they arrive. */
export async function storeDocuments(sql: Sql, documents: Iterable<MadeDocument>): Promise<void> {
  for (const some of chunks(documents)) await sql.begin((tx) => storeSome(tx, some))
}

async function storeSome(tx: Transaction, some: readonly MadeDocument[]): Promise<void> {
  const all = some.map((document) => ({ document, ...madeOf(document) }))
  await copyLines(
    tx,
    'documents.document',
    ['accession', 'sequence', 'corpus', 'form', 'filed_date', 'cik', 'company_name', 'title', 'search'],
    all.map(({ document: d, lexemes }) =>
      copyLine([
        d.accession,
        d.sequence,
        d.corpus,
        d.form,
        d.filed_date,
        d.cik,
        d.company_name,
        d.title ?? null,
        lexemes.document,
      ]),
    ),
  )
  await copyLines(
    tx,
    'documents.passage',
    ['accession', 'sequence', 'n', 'corpus', 'section', 'start', 'text', 'search'],
    all.flatMap(({ document: d, passages, lexemes }) =>
      passages.map(({ start, end, section }, i) =>
        copyLine([
          d.accession,
          d.sequence,
          i + 1,
          d.corpus,
          section,
          start,
          d.text.slice(start, end),
          lexemes.passages[i],
        ]),
      ),
    ),
  )
}

export async function storeBrochures(sql: Sql, brochures: readonly MadeBrochure[]): Promise<void> {
  for (const { id, crd, firm_name, filing_date, text } of brochures) {
    const passages = passagesOf({ text }, [])
    const described = {
      name: documentName(String(id), 1),
      corpus: 'brochures',
      form: 'ADV Part 2',
      filedDate: filing_date,
      ...{ ciks: [], crd, titles: [firm_name], headings: [] },
    }
    const made = lexemesOf(described, text, passages)
    await sql`
      insert into brochures.version (id, crd, brochure_name, filing_date, search)
      values (${String(id)}, ${crd}, ${firm_name}, ${filing_date}, ${made.document}::tsvector)`
    for (const [i, { start, end, section }] of passages.entries()) {
      await sql`
        insert into brochures.passage
        values (${String(id)}, ${i + 1}, ${section}, ${start}, ${text.slice(start, end)}, ${made.passages[i]!}::tsvector)`
    }
  }
}

/** Yields documents in groups of 500 or of two million characters, so that long documents do not fill the memory. */
function* chunks(documents: Iterable<MadeDocument>): Generator<MadeDocument[]> {
  let some: MadeDocument[] = []
  let length = 0
  for (const one of documents) {
    some.push(one)
    length += one.text.length
    if (some.length === 500 || length > 2_000_000) {
      yield some
      some = []
      length = 0
    }
  }
  if (some.length > 0) yield some
}
