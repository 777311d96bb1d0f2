/**
 * The corpora of text: groups of documents that are read and searched together. A corpus of filings has the main
 * documents of the forms that its families claim.
 */
export interface Corpus {
  slug: string
  label: string
  /** Families whose main documents the corpus has; none for a corpus of other documents. */
  families: readonly string[]
}

/** The corpus of exhibits: the exhibits of all filings whose main documents are in any corpus. */
export const EXHIBITS = 'exhibits'
export const BROCHURES = 'brochures'

export const CORPORA = [
  { slug: 'tenx', label: 'Annual and quarterly reports (10-K, 10-Q)', families: ['tenx'] },
  { slug: 'foreign', label: 'Reports of foreign issuers (20-F, 40-F, 6-K)', families: ['foreign'] },
  { slug: 'ncsr', label: 'Shareholder reports of funds (N-CSR)', families: ['ncsr'] },
  {
    slug: 'fundreg',
    label: 'Fund registration statements and prospectuses (N-1A, N-2, 485, 497)',
    families: ['fundreg', 'fundprospectuses', 'variable'],
  },
  { slug: 'x17', label: 'Annual reports of broker-dealers (X-17A-5)', families: ['x17a5'] },
  {
    slug: 's1',
    label: 'Registration statements and prospectuses of companies (S-1, F-1, S-3, S-4, 10-12B, 424B)',
    families: ['offerings', 'prospectuses', 'shelves', 'mergers', 'registrations'],
  },
  { slug: 'sc13', label: 'Beneficial ownership above 5% (Schedules 13D, 13G)', families: ['schedule13'] },
  { slug: 'eightk', label: 'Current reports (8-K)', families: ['eightk'] },
  { slug: 'proxies', label: 'Proxy and information statements (14A, 14C)', families: ['proxies'] },
  {
    slug: 'tender',
    label: 'Tender offers and going-private transactions (SC TO, SC 14D9, SC 13E3)',
    families: ['tenderoffers', 'goingprivate'],
  },
  { slug: BROCHURES, label: 'Brochures of advisers (Form ADV Part 2)', families: [] },
  { slug: EXHIBITS, label: 'Exhibits of these filings', families: [] },
] as const satisfies readonly Corpus[]

export type CorpusSlug = (typeof CORPORA)[number]['slug']

/** Corpora of filings. Each path of /doc-text contains the slug of one of these corpora. */
export const SOURCES: readonly Corpus[] = CORPORA.filter(({ families }) => families.length > 0)

/** Families whose filings are served as text. */
export const READABLE: readonly string[] = SOURCES.flatMap(({ families }) => families)

/** The corpus of the main documents of a family's filings; null if no corpus has them. */
export const corpusOf = (family: string | null): CorpusSlug | null =>
  (SOURCES.find(({ families }) => family !== null && families.includes(family))?.slug as CorpusSlug | undefined) ?? null
