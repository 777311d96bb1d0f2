import { z } from 'zod'
import { byDayOfFiling } from '../../declare/paging.ts'
import { accession, choice, cik, get, query, wholeCusip } from '../../declare/route.ts'
import { NAME_MEANING } from '../../names.ts'
import { nothing, withMissing } from '../../serve/loaded.ts'
import { answer, page } from './answers.ts'
import { FORMS } from './forms.ts'
import * as queries from './queries.ts'

/** The text of the number, so that the comparison is exact. */
const percent = (describe: string) =>
  z
    .string()
    .regex(/^\d{1,3}(?:\.\d{1,6})?$/, 'is a number from 0 to 100')
    .refine((text) => Number(text) <= 100, 'is a number from 0 to 100')
    .describe(describe)

const READ = { families: { schedule13: 'owners of more than 5% (Schedules 13D, 13G)' } }

export const search = get('/schedule13/filings', {
  name: 'schedule13_filings',
  summary: 'List owners of more than 5% (13D, 13G)',
  description:
    'Schedules 13D and 13G: who owns more than 5% of a class of equity, the last filed first. Filings before December 2024 are text: only their cover pages are read, and a value that is not certain is null and named in left_out. Persons of a group report the same shares, so shares and percent are the largest of any person.',
  tag: 'holdings',
  input: {
    q: query(`Name of the issuer, or of a person that reports. ${NAME_MEANING}`).optional(),
    issuer_cik: cik.describe('CIK of the issuer, with or without leading zeros').optional(),
    cik: cik.describe('CIK of the filer or of a reporting person, with or without leading zeros').optional(),
    cusip: wholeCusip('CUSIP of the class, nine characters').optional(),
    form: choice(FORMS, 'Form code').optional(),
    schedule: choice(['13D', '13G'], 'The schedule, under its form codes of now and of before').optional(),
    min_percent: percent('Least percentage of the class that a person reports, 7.5').optional(),
    ...byDayOfFiling,
  },
  examples: [
    { schedule: '13G', from: '2026-01-01', to: '2026-12-31' },
    { q: 'tesla' },
    { issuer_cik: '1318605', schedule: '13G', min_percent: '28' },
    { cik: '1364742', form: 'SC 13G' },
    { cusip: '037833100' },
  ],
  output: page,
  rows: 'rows',
  run: async (input, { sql }) => {
    const found = await queries.search(sql, input)
    return found.rows.length > 0 ? found : withMissing(sql, READ, found)
  },
})

export const detail = get('/schedule13/filings/by-accession/{accession}', {
  name: 'schedule13_detail',
  summary: 'Show a Schedule 13D or 13G',
  description:
    'Who owns how much of a class of securities: the class, the owners, what the filing amends, and the answers to all items. Persons of a group report the same shares, so theirs must not be summed: shares and percent of the filing are the largest of any person. For a filing before December 2024, the cover pages of its text are read, and facts have the row of the cover that says each fact; its items are prose that /doc-text has.',
  tag: 'holdings',
  input: { accession },
  examples: [{ accession: '0002100119-26-000139' }, { accession: '0001193125-12-060227' }],
  output: answer,
  run: async ({ accession }, { sql }) => (await queries.detail(sql, accession)) ?? nothing(sql, READ, accession),
})
