/** The shape of a source of /feed: every dataset of fundraising filings publishes such a view. */
import { accession, address, boolean, cik, date, nameWords, text, usd } from '../../declare/table.ts'

export const feedColumns = {
  source: text('Slug of the dataset that has the filing'),
  accession: accession('SEC accession number'),
  entity_name: text('Name of the company'),
  cik: cik('CIK of the company').nullable(),
  ...address({ of: 'the company' }),
  filing_date: date('Date the SEC gives as the filing date'),
  submission_type: text('Form code'),
  industry: text('Industry, in the words of the form').nullable(),
  amount: usd(
    'Amount offered, US dollars; null if the form says that the amount is indefinite, or states none',
  ).nullable(),
  raised: usd('Amount sold so far, US dollars').nullable(),
  website: text('Website of the company').nullable(),
  name_key: text('Name of the company, normalized for comparison'),
  name_words: nameWords('Words by which a search finds the company’s name: names.ts'),
  industry_key: text('Industry, normalized for comparison').nullable(),
  may_be_amended: boolean(
    'Whether later filings may amend this one. False is certain; if true, pub.<slug>_amended has the answer',
  ),
}
