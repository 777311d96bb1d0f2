/** Form N-PX: one report, its managers and series, and its votes. */
import { z } from 'zod'
import {
  address,
  boolean,
  cik,
  count,
  cusip,
  date,
  decimal,
  fileNumber,
  firm,
  integer,
  json,
  nameWords,
  prefixed,
  table,
  text,
  texts,
} from '../../declare/table.ts'

export const report = table(
  'npx.report',
  'One row per filing: the person who voted, and the period',
  [],
  {
    submission_type: text('N-PX or N-PX/A'),
    is_amendment: boolean('The filing amends an earlier one, by its form type'),
    source: text('xml; text if the filing has no XML (before July 2024): then its votes were not read', {
      values: ['xml', 'text'],
    }),
    cik: cik('CIK of the reporting person', { named: 'person_name' }).nullable(),
    registrant_type: text('RMIC: a fund; IM: an institutional manager').nullable(),
    investment_company_type: text('Form on which the fund is registered: N-1A, N-2 …').nullable(),
    period: date('Last day of the period of report, June 30 of a whole year').nullable(),
    is_year: boolean('The report covers a whole year').nullable(),
    report_year: integer('Year in which the period ends').nullable(),
    person_name: text('Name of the reporting person').nullable(),
    name_key: text('Name as it is compared: accents stripped, lower case').nullable(),
    name_words: nameWords('The words by which that name is found: names.ts').nullable(),
    phone: text('Telephone, as filed').nullable(),
    ...address({ of: 'the reporting person' }),
    agent_name: text('Agent for service').nullable(),
    ...prefixed('agent_', address({ of: 'the agent for service' })),
    report_type: text(
      'FUND VOTING REPORT, FUND NOTICE REPORT, INSTITUTIONAL MANAGER VOTING REPORT, … NOTICE REPORT, … COMBINATION REPORT',
    ).nullable(),
    notice_explanation: text('Why a notice has no votes, in the words of the form').nullable(),
    confidential_treatment: boolean('Votes are omitted under a request for confidential treatment').nullable(),
    file_number: fileNumber('File number: 811-… for a fund, 028-… for a manager').nullable(),
    crd: firm('CRD number of the reporting person').nullable(),
    sec_file_number: fileNumber('SEC file number of a manager that is an adviser, 801-…').nullable(),
    lei: text('Legal entity identifier', { entity: 'lei' }).nullable(),
    explanatory_notes: text('Explanatory notes').nullable(),
    amendment_number: integer('Number of the amendment').nullable(),
    amendment_type: text('RESTATEMENT replaces the report; NEW PROXY adds votes to it').nullable(),
    confidential_denied: boolean('Amendments: votes that were confidential until that treatment ended').nullable(),
    denied_date: date('Day on which confidential treatment expired or was denied').nullable(),
    nonconfidentiality_reason: text('Why confidential treatment has ended: denied or expired, as filed').nullable(),
    first_reported: date('Day of the report from which these votes were omitted').nullable(),
    included_managers: count('Managers whose votes are included').nullable(),
    series_count: count('Series that are reported on').nullable(),
    signed_for: text('For whom it is signed').nullable(),
    signature: text('Signature, as signed').nullable(),
    signed_name: text('Name of the signer, printed').nullable(),
    signed_title: text('Title of the signer').nullable(),
    signed: date('Day of signing').nullable(),
    vote_count: count('Matters in the table of votes; null where the filing has no table').nullable(),
    cut_off: text('Why the table could not be read to its end').nullable(),
  },
  {
    indexes: [
      // The order of the list of a person.
      '(cik, filed_date desc, accession desc) where cik is not null',
      'using gin (name_words)',
      'using gin (name_key public.gin_trgm_ops)',
    ],
  },
)

const lists = ['reports_votes', 'included'] as const

export const manager = table('npx.manager', 'One row another manager or fund that the report names', ['position'], {
  position: integer('Order in the filing, from 0'),
  list: text('reports_votes: it reports votes of this person; included: its votes are in this report', {
    values: lists,
  }),
  number: integer('Number by which the table of votes names it').nullable(),
  name: text('Its name').nullable(),
  file_number: fileNumber('Its file number, 028-… or 811-…').nullable(),
  other_file_number: fileNumber('Another of its file numbers').nullable(),
  sec_file_number: fileNumber('Its SEC file number, 801-…').nullable(),
  crd: firm('Its CRD number').nullable(),
  lei: text('Its legal entity identifier', { entity: 'lei' }).nullable(),
})

export const cosigner = table('npx.cosigner', 'One row per further person who signs the report', ['position'], {
  position: integer('Order in the filing, from 0'),
  signature: text('Signature, as signed').nullable(),
  name: text('Printed name').nullable(),
  title: text('Title').nullable(),
  signed: date('Day of signing').nullable(),
})

export const series = table('npx.series', 'One row per series that the report is about', ['position'], {
  position: integer('Order in the filing, from 0'),
  series_id: text('S and nine digits').nullable(),
  name: text('Its name').nullable(),
  lei: text('Its legal entity identifier', { entity: 'lei' }).nullable(),
})

const cast = z
  .object({
    how: z.string().nullable().describe('FOR, AGAINST, ABSTAIN, WITHHOLD, 1 YEAR …, as filed'),
    shares: z.string().nullable().describe('Number of shares voted in this way'),
    management: z
      .string()
      .nullable()
      .describe(
        'Whether the vote was FOR or AGAINST the recommendation of management; NONE if none was made. This is not the recommendation itself',
      ),
  })
  .meta({ id: 'NpxVoteCast' })

export const vote = table(
  'npx.vote',
  'One row per matter that was voted on',
  ['line'],
  {
    line: integer('Number of the line in the table of votes, from 1'),
    cik: cik('CIK of the reporting person').nullable(),
    issuer_name: text('Issuer of the security').nullable(),
    cusip: cusip('CUSIP of the security', { named: 'issuer_name' }).nullable(),
    isin: text('ISIN of the security').nullable(),
    figi: text('FIGI of the security', { entity: 'figi' }).nullable(),
    meeting_date: date('Day of the meeting').nullable(),
    listed_day: date('Day by which votes are listed: that of the meeting, else of filing'),
    description: text('The matter voted on').nullable(),
    categories: texts('Kinds of the matter, in the words of the form'),
    other_category: text('Description of the kind OTHER').nullable(),
    proposed_by: text('ISSUER or SECURITY HOLDER').nullable(),
    shares_voted: decimal('Shares voted', { unit: 'shares' }).nullable(),
    shares_on_loan: decimal('Shares that were lent and not recalled', { unit: 'shares' }).nullable(),
    votes: json(z.array(cast), 'How the shares were voted; several where they were split'),
    how: texts('The ways in which they were voted, each once, in capitals'),
    managers: texts('Numbers of included managers on whose behalf the votes were cast, as filed'),
    series_id: text('Series that voted').nullable(),
    other_info: text('Other information').nullable(),
  },
  {
    indexes: [
      '(cusip, listed_day desc, accession desc, line) where cusip is not null',
      '(cik, listed_day desc, accession desc, line) where cik is not null',
      '(series_id, listed_day desc, accession desc, line) where series_id is not null',
    ],
  },
)
