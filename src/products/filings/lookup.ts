/** Answers /filing/{accession}: all known data of one filing. */
import { z } from 'zod'
import { apiError, HttpError } from '../../declare/api-errors.ts'
import { BULK, type Catalog, everyFiling, type Family, HEADERS } from '../../declare/catalog.ts'
import { corpusOf } from '../../declare/corpora.ts'
import { moment } from '../../declare/moment-type.ts'
import type { ReadSubmissions } from '../../declare/ports.ts'
import { accession, get } from '../../declare/route.ts'
import type { DocumentEntry } from '../../read/sgml/document.ts'
import type { Header } from '../../read/sgml/header.ts'
import { filingRow } from '../../serve/filings-of.ts'
import { nothing } from '../../serve/loaded.ts'
import type { Sql } from '../../store/db.ts'
import { amendmentsOf } from './amendments.ts'
import { header, headerOf, withHeader } from './header.ts'
import * as queries from './queries.ts'
import { familyEntry, familyOf } from './registry.ts'

const TIMELINE = 20

/** An address on this server. */
const address = (meaning: string) => z.string().meta({ format: 'uri-reference', description: meaning })

const document = z
  .object({
    seq: z.int().describe('Number of the document, for /edgar/doc/{accession}/{seq}'),
    type: z.string().describe('Type of the document, as the filer states it: 10-K, EX-99.1, GRAPHIC'),
    filename: z.string().nullable().describe('File name of the document, as filed'),
    description: z.string().nullable().describe('Description of the document by the filer'),
    media_type: z.string().describe('Media type with which the document is sent, such as text/html'),
    size: z.int().min(0).describe('Size of the document as filed, in bytes'),
    url: address(
      'Address of the document; if EDGAR puts its own tags around XML, the address of the XML without these tags (raw=1). Null if the document is cut off: the service does not send a part of a document as if it were whole',
    ).nullable(),
    is_cut_off: z
      .literal(true)
      .optional()
      .describe(
        'True if the submission ends before the end of this document, so that only a part of the document exists',
      ),
    cut_off_reason: z
      .string()
      .optional()
      .describe('If the document is cut off: where the submission ends, as EDGAR serves it'),
  })
  .meta({ id: 'FilingDocument' })

const relative = z
  .object({
    accession: filingRow.shape.accession,
    form_type: filingRow.shape.form_type,
    filed_date: filingRow.shape.filed_date,
    period_of_report: filingRow.shape.period_of_report,
    accepted_at: filingRow.shape.accepted_at,
  })
  .meta({ id: 'RelatedFiling' })

const problem = z
  .object({
    path: z.string().describe('Path of the value in the document'),
    value: z.string().describe('The value as filed'),
    reason: z.string().describe('Reason why the value could not be read'),
  })
  .meta({ id: 'UnreadValue' })

const answer = z
  .object({
    header,
    unlisted_since: moment
      .optional()
      .describe(
        'Time at which an index that lacks the filing was read. If an index that was made later, and read at least a day later, lacks the filing too, the filing counts as removed. Absent if the indexes list the filing',
      ),
    family: z
      .string()
      .nullable()
      .describe('Slug of the family that the form belongs to; null if the form belongs to no family'),
    family_entry: familyEntry
      .nullable()
      .describe('Entry of the family in /filings/families; null if the form belongs to no family'),
    documents: z.array(document),
    documents_note: z
      .string()
      .optional()
      .describe(
        'Reason why documents are missing: EDGAR cannot be reached now, EDGAR serves the submission without documents, or no loaded index lists the filing',
      ),
    timeline: z.array(filingRow).describe(`The ${TIMELINE} newest filings of the first filer`),
    amendments: z
      .array(relative)
      .describe(
        'The original filing and the other amendments that belong to this filing, oldest first. They have the same form as ' +
          'this filing (with or without /A), the same filers and the same period. If one of the periods is unknown, an amendment is taken ' +
          'to belong to the last original filing before it',
      ),
    capabilities: z
      .object({
        original: address('Address of the first complete document, as filed; null if there is none').nullable(),
        reader: z.boolean().describe('True if the filing can be read as text; the same as `has_text` of the header'),
        text: address(
          'Address of the text of the filing; null if `reader` is false. If the documents of the filing have no text, the answer at this address states the reason',
        ).nullable(),
        struct: z.boolean().describe('True if `family_data` is not null'),
        bespoke: address(
          'Address of the endpoint with more detail about this filing; null if there is none, or if the filing was not read into rows yet',
        ).nullable(),
        has_columns: z
          .boolean()
          .describe(
            'True if `fam_rows` of /filings, requested with the family of this filing, has values that were read from the filing',
          ),
      })
      .meta({ id: 'FilingCapabilities' }),
    family_data: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        `Rows that were read from the filing, by table; at most ${queries.TABLE_ROWS} rows of each table. Null if the filing was not read into rows`,
      ),
    family_data_cut: z
      .record(z.string(), z.int())
      .optional()
      .describe(
        'Full number of rows of each table that is incomplete in `family_data`; absent if all tables are complete',
      ),
    ingest: z
      .object({
        state: z
          .enum(['pending', 'done', 'failed', 'set'])
          .describe(
            'pending: the filing waits to be read. done: it was read. failed: it could not be read; `error` has the reason. set: its rows are from a quarterly data set of the SEC, and its submission was not read',
          ),
        unread: z
          .int()
          .describe(
            'Number of values of the document that the parser did not read. Values that the parser ignores by name are not counted',
          ),
        unread_paths: z.array(z.string()).describe('Paths of these unread values in the document'),
        problems: z.array(problem).describe('Values that could not be read'),
        error: z.string().nullable().describe('Reason why the last attempt failed; null if it did not fail'),
      })
      .meta({ id: 'FilingReading' })
      .nullable()
      .describe('Result of reading the filing; null if no parser reads its form'),
  })
  .meta({ id: 'FilingDetail' })

export const detail = get('/filing/{accession}', {
  name: 'filing',
  summary: 'Show a filing',
  description:
    'The header of a filing, its documents, the newest filings of its first filer, the amendments that belong to it, and the rows that were read from it. The first request for a filing fetches the filing from EDGAR, which takes a second or two.',
  tag: 'filings',
  reads: (catalog) => [...everyFiling(catalog), BULK, 'facts'],
  // The members that come from the submission depend on whether EDGAR could be reached.
  cached: false,
  leads: {
    found: {
      accession: [
        { in: 'edgar.filing', by: 'accession' },
        { in: 'facts.filing', by: 'accession' },
        // The key of the table begins with the dataset.
        {
          ...{ in: 'bulk.set_filing', by: 'accession' },
          where: 't.dataset = any (array(select s.dataset from bulk.filing_set s))',
        },
      ],
    },
    more: ({ capabilities }: { capabilities: { text: string | null } }) => ({ doc_text: capabilities.text }),
  },
  input: { accession },
  examples: [{ accession: '0001104659-24-098969' }],
  output: answer,
  run: async ({ accession }, { sql, catalog, submissions }) => {
    const indexed = await queries.filing(sql, accession)
    if (!indexed) {
      const removed = await queries.removedOn(sql, accession)
      if (removed) throw apiError('filing_removed', { accession, day: removed })
      const named = await queries.filingOfFacts(sql, accession)
      if (named) return unlisted(sql, catalog, named)
      const ofSet = await queries.filingOfSets(sql, catalog, accession)
      return ofSet ? unlistedOfSet(sql, catalog, ofSet) : nothing(sql, { edgar: true })
    }
    const family = catalog.familyOfForm(indexed.form_type)
    const [submission, listed, relatives, rows, ingest] = await Promise.all([
      submissionOf(submissions, accession),
      queries.newestOf(sql, indexed.cik, TIMELINE),
      queries.sameForm(sql, indexed),
      family?.dataset ? queries.datasetRows(sql, family.dataset, accession) : null,
      queries.ingest(sql, accession, family?.dataset?.slug ?? HEADERS),
    ])
    const filing = withHeader(indexed, submission.header)
    const { period_of_report, accepted_at } = filing
    const timeline = listed.map((row) =>
      row.accession === accession ? { ...row, period_of_report, accepted_at } : row,
    )
    const familyData = rows?.data ?? null
    const isCut = rows !== null && Object.keys(rows.cut).length > 0
    const documents = submission.documents.map(
      ({ seq, type, filename, description, mediaType, size, cutOff, wrapper }) => {
        const described = { seq, type, filename, description, media_type: mediaType, size }
        if (cutOff)
          return {
            ...described,
            url: null,
            is_cut_off: true as const,
            cut_off_reason: String(submission.header?.cutOff),
          }
        return { ...described, url: `/v1/edgar/doc/${accession}/${seq}${wrapper === 'XML' ? '?raw=1' : ''}` }
      },
    )
    return {
      header: headerOf(filing, submission.header),
      ...(filing.unlisted_since === null ? {} : { unlisted_since: filing.unlisted_since }),
      family: family?.slug ?? null,
      family_entry: family ? familyOf(family, 'live') : null,
      documents,
      ...(submission.note === undefined ? {} : { documents_note: submission.note }),
      timeline,
      amendments: amendmentsOf(filing, relatives),
      capabilities: {
        original: documents.find(({ url }) => url !== null)?.url?.replace(/\?.*/, '') ?? null,
        reader: filing.has_text,
        text: textOf(filing.has_text, family, accession),
        struct: familyData !== null,
        bespoke: bespokeOf(family, familyData !== null, accession),
        has_columns: family?.feed != null && familyData !== null,
      },
      family_data: familyData,
      ...(isCut ? { family_data_cut: rows.cut } : {}),
      ingest: ingest as z.infer<typeof answer>['ingest'],
    }
  },
})

/**
 * Answers a request for a filing that is named only by a company's JSON file of figures: the answer has the form, the
 * day and the company.
 */
async function unlisted(sql: Sql, catalog: Catalog, filing: queries.Filing): Promise<z.infer<typeof answer>> {
  const family = catalog.familyOfForm(filing.form_type)
  return {
    header: headerOf(filing, null),
    family: family?.slug ?? null,
    family_entry: family ? familyOf(family, 'live') : null,
    documents: [],
    documents_note: 'no loaded index lists the filing; only the company’s file of figures (XBRL) names it',
    timeline: await queries.newestOf(sql, filing.cik, TIMELINE),
    amendments: [],
    capabilities: { original: null, reader: false, text: null, struct: false, bespoke: null, has_columns: false },
    family_data: null,
    ingest: null,
  }
}

/**
 * Answers a request for a filing that only a data set of the SEC has: the answer has the form, the day, the company and
 * the rows.
 */
async function unlistedOfSet(
  sql: Sql,
  catalog: Catalog,
  { dataset, filing }: NonNullable<Awaited<ReturnType<typeof queries.filingOfSets>>>,
): Promise<z.infer<typeof answer>> {
  const [own, { data, cut }] = await Promise.all([
    unlisted(sql, catalog, filing),
    queries.datasetRows(sql, dataset, filing.accession),
  ])
  const family = catalog.familyOfForm(filing.form_type)
  return {
    ...own,
    documents_note: 'no loaded index lists the filing: only a data set of the SEC has it',
    capabilities: {
      ...own.capabilities,
      struct: data !== null,
      bespoke: bespokeOf(family, data !== null, filing.accession),
      has_columns: family?.feed != null && data !== null,
    },
    family_data: data,
    ...(Object.keys(cut).length > 0 ? { family_data_cut: cut } : {}),
  }
}

/**
 * Returns the submission's header and documents, or the reason why they are unavailable now; the rest of the answer is
 * served without them.
 */
async function submissionOf(
  submissions: ReadSubmissions,
  accession: string,
): Promise<{ header: Header | null; documents: readonly DocumentEntry[]; note?: string }> {
  try {
    const stored = await submissions.get(accession)
    if (!stored) return { header: null, documents: [], note: 'the filing is no longer listed' }
    const { header, documents } = stored
    const note = lackOf(header, documents)
    return { header, documents, ...(note === undefined ? {} : { note }) }
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return { header: null, documents: [], note: error.message }
  }
}

/** Describes the parts that are missing in a submission as EDGAR serves it. */
function lackOf({ cutOff, documentCount }: Header, documents: readonly DocumentEntry[]): string | undefined {
  if (cutOff) return `as EDGAR serves it, ${cutOff}`
  if (documents.length > 0 || !documentCount) return undefined
  return `as EDGAR serves it, the submission has none of the ${documentCount} documents that it announces`
}

/** Returns the address of the filing as text; null for a form without text. */
function textOf(hasText: boolean, family: Family | undefined, accession: string): string | null {
  const corpus = corpusOf(family?.slug ?? null)
  return hasText && corpus !== null ? `/v1/doc-text/${corpus}/${accession}` : null
}

/**
 * Returns the address of the family's endpoint that shows more about this filing; null if there is no such endpoint. If
 * the rows of the endpoint come from a parser, the address is null until the parser has read the filing.
 */
function bespokeOf(family: Family | undefined, extracted: boolean, accession: string): string | null {
  if (!family?.bespokeRoute?.includes('{accession}') || (family.dataset && !extracted)) return null
  return `/v1${family.bespokeRoute.replace('{accession}', accession)}`
}
