/** Tables of current reports (Form 8-K): their items, the text of each, and the facts that they state. */
import { boolean, cik, count, date, decimal, integer, table, text, texts, usd } from '../../declare/table.ts'
import { FACTS, OFFICER_EVENTS, PERIODS, REASONS, SOURCES } from './tables-words.ts'

const filed_date = date('Date the SEC gives as the filing date')

/** Position of the sentence that states the fact. */
const evidence = {
  sequence: integer('Sequence of the document in the submission'),
  start: integer(
    'Where the sentence, or the line of a table, begins in the Markdown of the document, in UTF-16 units from 0',
  ),
  stop: integer('Where it ends, exclusive'),
  sentence: text(
    'The sentence or line, as it stands there; two that follow one another where the second gives the day',
  ),
}

export const filing = table(
  'eightk.filing',
  'One row a current report: its items, and how many facts they state',
  [],
  {
    form: text('Form code in the index'),
    cik: cik('First filer of the header', { named: 'company_name' }).nullable(),
    company_name: text('Name of that filer').nullable(),
    period: date('Date of the report: of its earliest event').nullable(),
    items: texts('Items, by the header or by the text: 5.02; before 2004-08-23 numbers from 1 to 12'),
    header_items: texts('Those that the header of the submission names'),
    text_items: texts('Those that have a section in the text'),
    items_differ: boolean('The header names items, and the text has not the same'),
    officers: count('Events of officers and directors (items 5.02 and 6)'),
    facts: count('Facts that other items state'),
    left_out_count: count('Names and facts that were not certain'),
  },
  {
    indexes: ['(cik, filed_date desc, accession desc) where cik is not null'],
  },
)

export const item = table(
  'eightk.item',
  'One row an item of a current report',
  ['item'],
  {
    item: text('Number of the item: 5.02; before 2004-08-23 from 1 to 12'),
    filed_date,
    title: text('What the form calls the item'),
    source: text('Where it is known from: header of the submission, text, or both', { values: SOURCES }),
    description: text('The header’s words for it').nullable(),
    sequence: integer('Sequence of the document that has its section').nullable(),
    excerpt: text('How the text of its section begins, up to 400 characters').nullable(),
  },
  { indexes: ['(item, filed_date desc, accession desc)'] },
)

export const section = table('eightk.section', 'One row an item that has a section in the text', ['n'], {
  n: integer('Number of the section in the order of the text, from 1'),
  item: text('Number of the item'),
  heading: text('Its heading, as it stands there'),
  sequence: integer('Sequence of the document in the submission'),
  start: integer('Where the line of the heading begins in the Markdown of the document, in UTF-16 units from 0'),
  text_start: integer('Where the text behind the heading begins'),
  stop: integer('Where it ends, exclusive. Items under one heading share their text'),
  text: text('Text behind the heading, up to 20,000 characters; all of it is at these offsets of /doc-text', {
    isMarkdown: true,
  }),
  excerpt: text('How the text begins, up to 400 characters, without signs of Markdown'),
  exhibits: texts('Numbers of the exhibits that the section names: 99.1'),
})

export const officer = table(
  'eightk.officer',
  'One row an event of an officer or director (item 5.02, before 2004-08-23 item 6)',
  ['n'],
  {
    n: integer('Number of the event in the filing, from 1'),
    name: text('Name of the person, as the text gives it'),
    title: text('Office; director of a seat on the board. Null where the text names none with the event').nullable(),
    event: text(
      'appointed, resigned, retired, removed, compensation, or departed where the text says that somebody goes and not how',
      { values: OFFICER_EVENTS },
    ),
    event_date: date('Day on which it happened or was told, where the sentence says one').nullable(),
    effective_date: date('Day on which it takes effect, where the sentence says one').nullable(),
    ...evidence,
  },
)

export const earnings = table('eightk.earnings', 'One row a filing that reports results (item 2.02, before 12)', [], {
  item: text('Number of the item'),
  period: text('Span of time that the results are of', { values: PERIODS }).nullable(),
  period_end: date('Its last day').nullable(),
  release_sequence: integer('Sequence of the press release among the documents').nullable(),
  release_exhibit: text('Number of that exhibit: 99.1').nullable(),
  revenue: usd('Headline of the release: revenue of the period').nullable(),
  net_income: usd('Headline of the release: net income; a loss is negative').nullable(),
  eps_diluted: decimal('Headline of the release: diluted earnings per share; a loss is negative', {
    unit: 'USD_per_share',
  }).nullable(),
})

export const delisting = table('eightk.delisting', 'One row a filing on the listing of a security (item 3.01)', [], {
  exchange: text('Exchange that gives notice, or is given it').nullable(),
  rules: texts('Rules of the exchange that the item names: 5450(a)(1)'),
  reason: text(
    'price (of the shares), market_value, equity, late_report, audit_committee, independent_directors, annual_meeting, voluntary, merger, bankruptcy; compliance_regained: the deficiency told of before is over',
    { values: REASONS },
  ).nullable(),
  notice_date: date('Day of the notice').nullable(),
  deadline: date('Day until which compliance can be regained, or a plan be given').nullable(),
})

export const fact = table(
  'eightk.fact',
  'One row a fact that an item other than 5.02 states, with its evidence',
  ['n'],
  {
    n: integer('Number of the fact in the filing, from 1'),
    item: text('Number of the item'),
    name: text('Which fact', { values: FACTS }),
    value: text('Its value: a day as YYYY-MM-DD, an amount in US dollars, a name as it stands'),
    ...evidence,
  },
)
