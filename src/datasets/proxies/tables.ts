/** Proxy and information statements: the kind of each filing, and its facts about the meeting. */
import { boolean, cik, count, date, decimal, integer, nameWords, table, text, texts, usd } from '../../declare/table.ts'
import { CATEGORIES, FACTS, MEETING_KINDS, RECOMMENDATIONS } from './tables-words.ts'

export const statement = table(
  'proxies.statement',
  'One row per filing: a proxy statement, another filing of a proxy solicitation, or an information statement',
  [],
  {
    form: text('Form type in EDGAR’s index'),
    category: text(
      'Kind of filing, by its form type: definitive or preliminary statement, additional material, revised statement, merger, special meeting, contested solicitation, dissident (filed by somebody other than the company), information (14C: no proxies are solicited), other (forms of the 1990s)',
      { values: CATEGORIES },
    ),
    is_preliminary: boolean('True for a preliminary filing, which the SEC may review before it is sent to holders'),
    is_amendment: boolean('True if the form type is that of an amendment'),
    cik: cik('CIK of the company whose holders vote', { named: 'company_name' }).nullable(),
    company_name: text('Name of the company whose holders vote, from EDGAR’s header').nullable(),
    name_key: text('Name of the company for comparisons: lower case, without accents').nullable(),
    name_words: nameWords('Search words of the names of the companies (names.ts)').nullable(),
    company_count: count(
      'Number of companies whose holders vote. If there are several, a proposal may concern only some of them',
    ),
    filed_by_cik: cik('CIK of the filer; null if the company itself filed', { named: 'filed_by_name' }).nullable(),
    filed_by_name: text('Name of the filer; null if the company itself filed').nullable(),
    meeting_date: date('Day of the meeting; null if it could not be read with certainty').nullable(),
    meeting_kind: text('Kind of meeting: annual or special', { values: MEETING_KINDS }).nullable(),
    record_date: date('Record date: a holder must own shares on this day to vote').nullable(),
    proposal_count: count(
      'Number of proposals that were read; null if no complete list of proposals was read',
    ).nullable(),
    left_out: texts('Facts that the filing states but that were left out, because their text is ambiguous', {
      values: FACTS,
    }),
  },
  {
    indexes: [
      // The first two indexes serve the list in its order by name. The order by filing date needs no index here: the
      // store makes such indexes for every family, and reads them in both directions.
      '(name_key, accession)',
      '(category, name_key, accession)',
      '(cik, filed_date desc, accession desc) where cik is not null',
      '(filed_by_cik) where filed_by_cik is not null',
      'using gin (name_words)',
      'using gin (name_key public.gin_trgm_ops)',
    ],
  },
)

export const company = table(
  'proxies.company',
  'One row per company whose holders vote: the funds of a family often send one joint statement',
  ['cik'],
  {
    cik: cik('CIK of the company', { named: 'company_name' }),
    company_name: text('Name of the company in EDGAR’s header').nullable(),
    filed_date: date('Date the SEC gives as the filing date'),
  },
  { indexes: ['(cik, filed_date desc, accession desc)'] },
)

const place = {
  sequence: integer('Sequence of the document in the submission'),
  start: integer(
    'Offset of the first character of the sentence or line in the Markdown of the document, in UTF-16 units from 0',
  ),
  stop: integer('Offset of the end of the sentence or line (exclusive), in UTF-16 units'),
  sentence: text('Text of the sentence or line that states the fact, as written'),
}

export const fact = table(
  'proxies.fact',
  'One row per fact that was read from a statement, with the sentence that states it',
  ['n'],
  {
    n: integer('Number of the fact in the filing, from 1'),
    name: text(
      'Name of the fact. meeting_date, meeting_kind, record_date: facts about the meeting. proposal, recommendation: title and recommendation of the proposal that `number` names',
      {
        values: FACTS,
      },
    ),
    number: integer('Number of the proposal that the fact is about; null for a fact about the meeting').nullable(),
    value: text('Value of the fact, as text'),
    ...place,
  },
)

export const proposal = table('proxies.proposal', 'One row per proposal on which the holders vote', ['number'], {
  number: integer('Number of the proposal in the statement'),
  title: text('Title of the proposal in the words of the notice or summary'),
  recommendation: text(
    'Vote that the board recommends; for a proposal on how often to vote on pay, the recommended interval in years; none if the board states that it makes no recommendation. Null if it could not be read with certainty, or if somebody other than the company filed the statement',
    {
      values: RECOMMENDATIONS,
    },
  ).nullable(),
})

const tagged = 'as tagged in inline XBRL'

export const pay = table(
  'proxies.pay',
  'One row per fiscal year and principal executive officer (PEO) of the table "Pay versus performance" (Item 402(v))',
  ['n'],
  {
    n: integer('Number of the row, from 1; the newest year first'),
    fiscal_year_start: date('First day of the fiscal year').nullable(),
    fiscal_year_end: date('Last day of the fiscal year'),
    peo_name: text(`Name of the principal executive officer, ${tagged}`).nullable(),
    peo_total: usd('Total pay of the principal executive officer in the summary compensation table').nullable(),
    peo_actually_paid: usd('Compensation actually paid to the principal executive officer').nullable(),
    others_average_total: usd(
      'Average total pay of the other named executive officers in the summary compensation table',
    ).nullable(),
    others_average_actually_paid: usd(
      'Average compensation actually paid to the other named executive officers',
    ).nullable(),
    shareholder_return: usd(
      'Total shareholder return: what 100 dollars invested in the company are worth at the end of the year',
    ).nullable(),
    peer_shareholder_return: usd(
      'Total shareholder return of the peer group: what 100 dollars invested in it are worth at the end of the year',
    ).nullable(),
    net_income: usd('Net income of the company in the fiscal year').nullable(),
    measure_name: text('Name of the financial measure that the company selected as the most important one').nullable(),
    measure: decimal('Value of the company-selected measure, in the unit of measure_unit', {
      unit: 'ratio',
    }).nullable(),
    measure_unit: text('Unit of the company-selected measure: USD, pure (a number), USD/shares').nullable(),
  },
)
