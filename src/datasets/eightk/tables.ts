/** Tables of current reports (Form 8-K): the items, the text of each item, and the facts that items state. */
import { boolean, cik, count, date, decimal, integer, table, text, texts, usd } from '../../declare/table.ts'
import { EVENT_KINDS, FACTS, LEFT_OUT, OFFICER_EVENTS, PERIODS, REASONS, SOURCES } from './tables-words.ts'

const filed_date = date('Date the SEC gives as the filing date')

/** Position of the sentence that states the fact. */
const evidence = {
  sequence: integer('Sequence number of the document in the submission'),
  start: integer(
    'Offset in the document’s Markdown at which the sentence, or the line of a table, begins, in UTF-16 units from 0',
  ),
  stop: integer('Offset at which the sentence or line ends, exclusive'),
  sentence: text('The sentence or line, as written; two consecutive sentences if the second states the day'),
}

export const filing = table(
  'eightk.filing',
  'One row per current report: its items, and the number of facts that they state',
  [],
  {
    form: text('Form code of the filing in EDGAR’s index'),
    cik: cik('CIK of the first filer in EDGAR’s header', { named: 'company_name' }).nullable(),
    company_name: text('Name of the first filer in EDGAR’s header').nullable(),
    period: date('Date of report: the day of the earliest event that is reported').nullable(),
    items: texts('Items that the header or the text lists: 5.02; before 2004-08-23, numbers from 1 to 12'),
    header_items: texts('Items that the header of the submission names'),
    text_items: texts('Items that have a section in the text'),
    items_differ: boolean('Whether the header and the text have different items; false if the header names none'),
    officers: count('Number of events of officers and directors (item 5.02, before 2004-08-23 item 6)'),
    facts: count('Number of facts that items other than 5.02 state'),
    left_out_count: count('Number of names and facts that were left out because they were not certain'),
    left_out: texts('What was left out: officer (events of item 5.02), vote (item 5.07), or names of facts', {
      values: LEFT_OUT,
    }),
  },
  {
    indexes: ['(cik, filed_date desc, accession desc) where cik is not null'],
  },
)

export const filer = table(
  'eightk.filer',
  'One row per filer of a current report: a parent and its subsidiaries may file one report together',
  ['cik'],
  {
    cik: cik('CIK of the filer', { named: 'company_name' }),
    company_name: text('Name of the filer in EDGAR’s header').nullable(),
    filed_date,
  },
  { indexes: ['(cik, filed_date desc, accession desc)'] },
)

export const item = table(
  'eightk.item',
  'One row per item of a current report',
  ['item'],
  {
    item: text('Number of the item: 5.02; before 2004-08-23 from 1 to 12'),
    filed_date,
    title: text('Title of the item in the form'),
    source: text('Source that lists the item: header (of the submission), text, or both', { values: SOURCES }),
    description: text(
      'Description of the item in the header of the submission; null if the header has none',
    ).nullable(),
    sequence: integer('Sequence number of the document that has the item’s section').nullable(),
    excerpt: text('Beginning of the text of the item’s section, up to 400 characters').nullable(),
  },
  { indexes: ['(item, filed_date desc, accession desc)'] },
)

export const event = table(
  'eightk.event',
  'One row per report and kind of event whose main facts were read with certainty',
  ['kind'],
  {
    kind: text(
      'agreement: material agreement entered into (item 1.01). termination: end of such an agreement (1.02). deal: acquisition or disposal, also of the filer itself (2.01, 5.01). exit: exit costs (2.05). sale: unregistered securities sold (3.02). amendment: change of charter, bylaws or fiscal year (5.03). vote: vote of holders (5.07). repurchase, dividend: share repurchase or dividend (7.01, 8.01)',
      { values: EVENT_KINDS },
    ),
    item: text('Number of the item that states the event; if several items do, the first in the order of the form'),
    filed_date,
  },
  { indexes: ['(kind, filed_date desc, accession desc)'] },
)

export const section = table('eightk.section', 'One row per item that has a section in the text', ['n'], {
  n: integer('Number of the section in the order of the text, from 1'),
  item: text('Number of the item: 5.02; before 2004-08-23, from 1 to 12'),
  heading: text('Heading of the item, as written'),
  sequence: integer('Sequence number of the document in the submission'),
  start: integer('Offset in the document’s Markdown at which the line of the heading begins, in UTF-16 units from 0'),
  text_start: integer('Offset at which the text after the heading begins'),
  stop: integer('Offset at which the text ends, exclusive. Items under one heading share their text'),
  text: text(
    'Text after the heading, up to 20,000 characters; /doc-text has the whole text at the offsets text_start to stop',
    {
      isMarkdown: true,
    },
  ),
  excerpt: text('Beginning of the text, up to 400 characters, without Markdown syntax'),
  exhibits: texts('Numbers of the exhibits that the section names: 99.1'),
})

export const officer = table(
  'eightk.officer',
  'One row per event of an officer or director (item 5.02, before 2004-08-23 item 6)',
  ['n'],
  {
    n: integer('Number of the event in the filing, from 1'),
    name: text('Name of the person, as the text gives it'),
    title: text(
      'Office of the person; "director" for a seat on the board. Null if the text names no office with the event',
    ).nullable(),
    event: text(
      'Kind of event: appointed, resigned, retired, removed, compensation, or departed if the text reports a departure but not its kind',
      { values: OFFICER_EVENTS },
    ),
    event_date: date('Day on which the event happened or was announced, if the sentence states a day').nullable(),
    effective_date: date('Day on which the event takes effect, if the sentence states a day').nullable(),
    ...evidence,
  },
)

export const earnings = table(
  'eightk.earnings',
  'One row per filing that reports results (item 2.02, before 2004-08-23 item 12)',
  [],
  {
    item: text('Number of the item that reports the results'),
    period: text('Span of time that the results cover', { values: PERIODS }).nullable(),
    period_end: date('Last day of the period').nullable(),
    release_sequence: integer('Sequence number of the press release among the documents of the submission').nullable(),
    release_exhibit: text('Number of the exhibit with the release: 99.1').nullable(),
    revenue: usd('Headline of the release: revenue of the period').nullable(),
    net_income: usd('Headline of the release: net income; a loss is negative').nullable(),
    eps_diluted: decimal('Headline of the release: diluted earnings per share; a loss is negative', {
      unit: 'USD_per_share',
    }).nullable(),
  },
)

const votes = (meaning: string) => decimal(meaning, { unit: 'shares' }).nullable()

export const vote = table(
  'eightk.vote',
  'One row per nominee and per proposal on which holders voted (item 5.07), with its evidence',
  ['n'],
  {
    n: integer('Number of the row in the filing, from 1'),
    proposal: text('Number of the proposal, as the text writes it: 1, ii, two').nullable(),
    title: text('Title of the proposal, in the words of the text').nullable(),
    nominee: text('Person who stood for election; null for a vote on a proposal').nullable(),
    votes_for: votes('Votes for the person or proposal'),
    votes_against: votes('Votes against the person or proposal'),
    votes_withheld: votes('Votes withheld from the person'),
    abstained: votes('Abstentions'),
    broker_non_votes: votes('Broker non-votes: shares for which brokers had no instruction to vote on the matter'),
    one_year: votes('Votes for a vote on pay every year'),
    two_years: votes('Votes for a vote on pay every two years'),
    three_years: votes('Votes for a vote on pay every three years'),
    ...evidence,
  },
)

export const delisting = table('eightk.delisting', 'One row per filing on the listing of a security (item 3.01)', [], {
  exchange: text('Exchange that gives or receives the notice about the listing').nullable(),
  rules: texts('Rules of the exchange that the item names: 5450(a)(1)'),
  reason: text(
    'Reason for the notice: price (of the shares), market_value, equity, late_report, audit_committee, independent_directors, annual_meeting, voluntary, merger, bankruptcy; compliance_regained: an earlier deficiency has ended',
    { values: REASONS },
  ).nullable(),
  notice_date: date('Day of the notice').nullable(),
  deadline: date('Day by which compliance must be regained, or a plan submitted').nullable(),
})

export const fact = table(
  'eightk.fact',
  'One row per fact that an item other than 5.02 states, with its evidence',
  ['n'],
  {
    n: integer('Number of the fact in the filing, from 1'),
    item: text('Number of the item that states the fact'),
    name: text('Name of the fact', { values: FACTS }),
    value: text(
      'Value of the fact: a day as YYYY-MM-DD or a day of each year as MM-DD, an amount in US dollars, a number of securities, a name as written, or one of a few fixed words (credit for agreement_kind; bylaws, articles or fiscal_year for amended)',
    ),
    period: text('Period that a figure of results covers; null for other facts, and if the release names no period', {
      values: PERIODS,
    }).nullable(),
    ...evidence,
  },
)
