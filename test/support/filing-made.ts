/** Filings as parsers get them. */
import type { Filing, FilingHeader } from '../../src/declare/documents.ts'

/** Returns a header that says so much of a filing, and nothing else. */
export const headerWith = (said: Partial<FilingHeader> = {}): FilingHeader => ({
  accession: '9000000000-26-000001',
  form: '',
  family: '',
  filedDate: '2026-01-02',
  cik: null,
  name: null,
  period: null,
  effectiveDate: null,
  items: [],
  filers: [],
  series: [],
  ...said,
})

/** Returns a filing of one document, whose role is `form`. */
export const filingOf = <D>(form: D, said?: Partial<FilingHeader>): Filing<{ form: D }> => ({
  documents: { form },
  header: headerWith(said),
  tell() {},
})
