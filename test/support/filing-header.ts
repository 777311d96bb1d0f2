/** Headers of filings for parsers. */
import type { FilingHeader } from '../../src/declare/documents.ts'

/** Returns a header that says so much of a filing; the rest is not said. */
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
