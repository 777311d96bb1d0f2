/** Makes filings in the form that parsers receive. */
import type { Filing, FilingHeader } from '../../src/declare/documents.ts'
import type { HeaderFiler } from '../../src/read/sgml/header.ts'

/** Returns a header with these facts about a filing, and no others. */
export const headerWith = (header: Partial<FilingHeader> = {}): FilingHeader => ({
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
  ...header,
})

/** Returns a filer of a header with these facts, and no others. */
export const filerWith = (filer: Partial<HeaderFiler> & Pick<HeaderFiler, 'role'>): HeaderFiler => ({
  ...{ cik: null, name: null, sic: null, sicDescription: null, irsNumber: null, stateOfIncorporation: null },
  ...{ fiscalYearEnd: null, formType: null, act: null, fileNumber: null, filmNumber: null },
  ...{ businessAddress: null, mailAddress: null, formerNames: [] },
  ...filer,
})

/** Returns a filing of one document, whose role is `form`. */
export const filingOf = <D>(form: D, header?: Partial<FilingHeader>): Filing<{ form: D }> => ({
  documents: { form },
  header: headerWith(header),
  tell() {},
})
