/** Proxy and information statements: the kind of each filing, and its facts about the meeting. */
import { boolean, cik, count, date, decimal, integer, nameWords, table, text, texts, usd } from '../../declare/table.ts'
import { CATEGORIES, FACTS, MEETING_KINDS, RECOMMENDATIONS } from './tables-words.ts'

export const statement = table(
  'proxies.statement',
  'One row per filing of a solicitation, or an information statement',
  [],
  {
    form: text('Form code in the index'),
    category: text(
      'Kind of filing, by its form: definitive or preliminary statement, additional material, revised statement, merger, special meeting, contested solicitation, dissident (by others than the company), information (14C: no proxies are asked for), other (forms of the 1990s)',
      { values: CATEGORIES },
    ),
    is_preliminary: boolean('Filed for review before it is sent to holders'),
    is_amendment: boolean('The filing amends an earlier one, by its form type'),
    cik: cik('CIK of the company whose holders are asked', { named: 'company_name' }).nullable(),
    company_name: text('Name of that company, from EDGAR’s header').nullable(),
    name_key: text('Name as it is compared: accents stripped, lower case').nullable(),
    name_words: nameWords('The words by which that name is found: names.ts').nullable(),
    filed_by_cik: cik('CIK of the filer, if that is not the company', { named: 'filed_by_name' }).nullable(),
    filed_by_name: text('Name of the filer, if that is not the company').nullable(),
    meeting_date: date('Day of the meeting').nullable(),
    meeting_kind: text('annual, or special', { values: MEETING_KINDS }).nullable(),
    record_date: date('Day on which a holder must own shares to have a vote').nullable(),
    proposal_count: count('Number of proposals in the list that was read; null if no list is complete').nullable(),
    left_out: texts('Facts about which it says something that was not certain', { values: FACTS }),
  },
  {
    indexes: [
      // Indexes for the orders of the list by name. The indexes of the facets serve the orders by day, in both
      // directions.
      '(name_key, accession)',
      '(category, name_key, accession)',
      '(cik, filed_date desc, accession desc) where cik is not null',
      '(filed_by_cik) where filed_by_cik is not null',
      'using gin (name_words)',
      'using gin (name_key public.gin_trgm_ops)',
    ],
  },
)

const place = {
  sequence: integer('Sequence of the document in the submission'),
  start: integer('Where the sentence, or the line, begins in the Markdown of the document, in UTF-16 units from 0'),
  stop: integer('Where it ends, exclusive'),
  sentence: text('The sentence or line, as written'),
}

export const fact = table('proxies.fact', 'One row per fact that a statement says, with its evidence', ['n'], {
  n: integer('Number of the fact in the filing, from 1'),
  name: text(
    'Which fact: the column of proxies.statement that has it; for a recommendation, `number` has the proposal',
    {
      values: FACTS,
    },
  ),
  number: integer('Number of the proposal that it is about').nullable(),
  value: text('Its value'),
  ...place,
})

export const proposal = table('proxies.proposal', 'One row per proposal that is put to the vote', ['number'], {
  number: integer('Number of the proposal'),
  title: text('The proposal in the words of the notice or summary'),
  recommendation: text(
    'Vote that the board recommends; for a frequency, the years; none if it says that it recommends nothing. Null if it is not certain, and if the statement is filed by somebody against the board',
    {
      values: RECOMMENDATIONS,
    },
  ).nullable(),
})

const tagged = 'as tagged in inline XBRL'

export const pay = table(
  'proxies.pay',
  'One row per fiscal year and principal executive officer: pay versus performance (Item 402(v))',
  ['n'],
  {
    n: integer('Number of the row, from 1; the newest year first'),
    fiscal_year_start: date('First day of the fiscal year').nullable(),
    fiscal_year_end: date('Last day of the fiscal year'),
    peo_name: text(`Principal executive officer, ${tagged}`).nullable(),
    peo_total: usd('Total of the summary compensation table for that officer').nullable(),
    peo_actually_paid: usd('Compensation actually paid to that officer').nullable(),
    others_average_total: usd('Average total for the other named executive officers').nullable(),
    others_average_actually_paid: usd('Average compensation actually paid to them').nullable(),
    shareholder_return: usd('Value of 100 dollars invested in the company').nullable(),
    peer_shareholder_return: usd('Value of 100 dollars invested in its peers').nullable(),
    net_income: usd('Net income').nullable(),
    measure_name: text('Measure that the company selected as the most important one').nullable(),
    measure: decimal('Value of that measure; its unit is in measure_unit', { unit: 'ratio' }).nullable(),
    measure_unit: text('Unit of that measure: USD, pure, USD/shares').nullable(),
  },
)
