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
  'One row per filing: the reporting person, the period and the kind of report',
  [],
  {
    submission_type: text('Form type: N-PX, or N-PX/A for an amendment'),
    is_amendment: boolean('True if the form type is that of an amendment'),
    source: text(
      'Source of the report. xml: an XML document. text: the filing has no XML (before July 2024), so its votes were not read',
      {
        values: ['xml', 'text'],
      },
    ),
    cik: cik('CIK of the reporting person', { named: 'person_name' }).nullable(),
    registrant_type: text('Type of reporting person. RMIC: a fund. IM: an institutional manager').nullable(),
    investment_company_type: text('Form on which the fund is registered: N-1A, N-2 …').nullable(),
    period: date('Last day of the reported period; June 30 if it is a whole year').nullable(),
    is_year: boolean('True if the report covers a whole year').nullable(),
    report_year: integer('Year in which the period ends').nullable(),
    person_name: text('Name of the reporting person').nullable(),
    name_key: text('Name of the reporting person for comparisons: lower case, without accents').nullable(),
    name_words: nameWords('Search words of the name of the reporting person (names.ts)').nullable(),
    phone: text('Telephone of the reporting person, as filed').nullable(),
    ...address({ of: 'the reporting person' }),
    agent_name: text('Name of the agent for service').nullable(),
    ...prefixed('agent_', address({ of: 'the agent for service' })),
    report_type: text(
      'Kind of report in the words of the form: FUND VOTING REPORT, FUND NOTICE REPORT, INSTITUTIONAL MANAGER VOTING REPORT, … NOTICE REPORT, … COMBINATION REPORT',
    ).nullable(),
    notice_explanation: text('Reason why a notice report has no votes, in the words of the form').nullable(),
    confidential_treatment: boolean('True if votes are omitted under a request for confidential treatment').nullable(),
    file_number: fileNumber('File number: 811-… for a fund, 028-… for a manager').nullable(),
    crd: firm('CRD number of the reporting person').nullable(),
    sec_file_number: fileNumber('SEC file number of a manager that is an adviser, 801-…').nullable(),
    lei: text('Legal entity identifier (LEI) of the reporting person', { entity: 'lei' }).nullable(),
    explanatory_notes: text('Explanatory notes').nullable(),
    amendment_number: integer('Number of the amendment').nullable(),
    amendment_type: text(
      'Kind of amendment. RESTATEMENT: it replaces the report. NEW PROXY: it adds votes to the report',
    ).nullable(),
    confidential_denied: boolean(
      'Amendment: true if it reports votes whose confidential treatment was denied or expired',
    ).nullable(),
    denied_date: date('Day on which confidential treatment expired or was denied').nullable(),
    nonconfidentiality_reason: text('Reason why confidential treatment ended (denied or expired), as filed').nullable(),
    first_reported: date('Amendment: day of the earlier report that omitted the votes').nullable(),
    included_managers: count(
      'Number of other managers whose votes are included, as the summary page declares',
    ).nullable(),
    series_count: count('Number of series that the report is about, as declared').nullable(),
    signed_for: text('Person on whose behalf the report is signed').nullable(),
    signature: text('Signature, as signed').nullable(),
    signed_name: text('Name of the signer, printed').nullable(),
    signed_title: text('Title of the signer').nullable(),
    signed: date('Day of signing').nullable(),
    vote_count: count(
      'Number of matters that were read from the table of votes; null if the filing has no table',
    ).nullable(),
    cut_off: text(
      'Reason why the table of votes could not be read to its end; null if it was read to its end',
    ).nullable(),
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

export const manager = table('npx.manager', 'One row per other manager or fund that the report names', ['position'], {
  position: integer('Order in the filing, from 0'),
  list: text(
    'List of the form. reports_votes: the other manager or fund reports votes of this reporting person; included: the votes of the other manager or fund are in this report',
    {
      values: lists,
    },
  ),
  number: integer('Number by which the table of votes refers to the manager; only in the list included').nullable(),
  name: text('Name of the manager or fund').nullable(),
  file_number: fileNumber('File number of the manager or fund, 028-… or 811-…').nullable(),
  other_file_number: fileNumber('Second file number of the manager or fund').nullable(),
  sec_file_number: fileNumber('SEC file number of a manager that is an adviser, 801-…').nullable(),
  crd: firm('CRD number of the manager').nullable(),
  lei: text('LEI of the manager or fund', { entity: 'lei' }).nullable(),
})

export const cosigner = table('npx.cosigner', 'One row per further person who signed the report', ['position'], {
  position: integer('Order in the filing, from 0'),
  signature: text('Signature, as signed').nullable(),
  name: text('Name of the signer, printed').nullable(),
  title: text('Title of the signer').nullable(),
  signed: date('Day of signing').nullable(),
})

export const series = table('npx.series', 'One row per series that the report is about', ['position'], {
  position: integer('Order in the filing, from 0'),
  series_id: text('EDGAR series identifier, S and nine digits').nullable(),
  name: text('Name of the series').nullable(),
  lei: text('LEI of the series', { entity: 'lei' }).nullable(),
})

const cast = z
  .object({
    how: z
      .string()
      .nullable()
      .describe('How the shares were voted, as filed: FOR, AGAINST, ABSTAIN, WITHHOLD, 1 YEAR …'),
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
    issuer_name: text('Name of the issuer of the security').nullable(),
    cusip: cusip('CUSIP of the security', { named: 'issuer_name' }).nullable(),
    isin: text('ISIN of the security').nullable(),
    figi: text('FIGI of the security', { entity: 'figi' }).nullable(),
    meeting_date: date('Day of the meeting').nullable(),
    listed_day: date('Day of the meeting, else the filing date; lists of votes are ordered by it'),
    description: text('Description of the matter that was voted on').nullable(),
    categories: texts('Categories of the matter, in the words of the form'),
    other_category: text('Description of the matter if its category is OTHER').nullable(),
    proposed_by: text('Who proposed the matter: ISSUER or SECURITY HOLDER').nullable(),
    shares_voted: decimal('Number of shares voted', { unit: 'shares' }).nullable(),
    shares_on_loan: decimal('Number of shares that were on loan and not recalled', { unit: 'shares' }).nullable(),
    votes: json(z.array(cast), 'Votes cast: one entry, or several if the shares were voted in different ways'),
    how: texts('Different ways in which the shares were voted, in capitals'),
    managers: texts('Numbers of included managers on whose behalf the votes were cast, as filed'),
    series_id: text('EDGAR identifier of the series that voted').nullable(),
    other_info: text('Other information about the vote, as filed').nullable(),
  },
  {
    indexes: [
      '(cusip, listed_day desc, accession desc, line) where cusip is not null',
      '(cik, listed_day desc, accession desc, line) where cik is not null',
      '(series_id, listed_day desc, accession desc, line) where series_id is not null',
    ],
  },
)
