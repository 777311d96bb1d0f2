import { z } from 'zod'
import { choice, cik, wholeCusip } from '../../declare/route.ts'
import { show } from '../../serve/details.ts'
import { list, through } from '../../serve/lists.ts'
import { FORMS } from './forms.ts'
import * as queries from './queries.ts'
import { filer } from './tables.ts'

/** Keeps the number as text, so that the comparison is exact. */
const percent = (describe: string) =>
  z
    .string()
    .regex(/^(?:\d{1,2}(?:\.\d{1,6})?|100(?:\.0{1,6})?)$/, 'must be a number from 0 to 100, such as 5 or 7.25')
    .describe(describe)

const READ = { families: { schedule13: 'owners of more than 5% (Schedules 13D, 13G)' } }

export const search = list('/schedule13/filings', {
  name: 'schedule13_filings',
  summary: 'List owners of more than 5% (13D, 13G)',
  description:
    'Schedules 13D and 13G: who owns more than 5% of a class of equity, newest first. Filings before December 2024 are text: only their cover pages are read, and a value that is not certain is null and named in left_out. Persons of a group report the same shares, so shares and percent are the largest figures that one person reports. An amendment states what is held on a later day and replaces nothing, so all filings are listed; amended_by names the later amendments.',
  tag: 'holdings',
  leads: { found: { cusip: { in: 'schedule13.security', by: 'cusip' } } },
  rows: queries.rows,
  names: { says: 'Name of the issuer, or of a person that reports', of: ['name', 'person'] },
  filters: {
    issuer_cik: { column: 'issuer_cik', type: cik.describe('CIK of the issuer, with or without leading zeros') },
    cik: {
      ...through(filer, 'cik'),
      type: cik.describe('CIK of the filer or of a reporting person, with or without leading zeros'),
    },
    cusip: { where: queries.ofSecurity, type: wholeCusip('CUSIP of the class, nine characters') },
    form: {
      column: 'submission_type',
      type: choice(
        FORMS,
        'Only filings with this form code. Codes that begin with SC were used until December 2024, and `schedule` takes both codes of a schedule',
      ),
    },
    schedule: {
      column: 'schedule',
      type: choice(['13D', '13G'], 'The schedule, under its current and former form codes'),
    },
    min_percent: {
      column: 'percent',
      op: '>=',
      type: percent('Minimum percentage of the class that a person reports, such as 7.5'),
    },
  },
  counts: ['form', 'schedule'],
  sources: READ,
  examples: [
    { schedule: '13G', from: '2026-01-01', to: '2026-12-31' },
    { q: 'tesla' },
    { issuer_cik: '1318605', schedule: '13G', min_percent: '28' },
    { cik: '1364742', form: 'SC 13G' },
    { cusip: '037833100' },
  ],
})

export const detail = show('/schedule13/filings/by-accession/{accession}', {
  name: 'schedule13_detail',
  summary: 'Show a Schedule 13D or 13G',
  description:
    'Who owns how much of a class of securities: the class, the owners, what the filing amends, and the answers to all items. Persons of a group report the same shares, so their shares must not be summed. The shares and percent of the filing are the largest figures that one person reports. For a filing before December 2024, only the cover pages of its text are read. `facts` has each fact with the row of the cover that states it; /doc-text has the prose of its items.',
  tag: 'holdings',
  detail: queries.detail,
  sources: READ,
  examples: [{ accession: '0002100119-26-000139' }, { accession: '0001193125-12-060227' }],
})
