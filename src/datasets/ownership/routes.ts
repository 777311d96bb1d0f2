import { amendedRows } from '../../declare/amended.ts'
import { BULK } from '../../declare/catalog.ts'
import { byDayOfFiling, countedBy } from '../../declare/paging.ts'
import { choice, cik, flag, get, query, whole } from '../../declare/route.ts'
import { show } from '../../serve/details.ts'
import { list, through } from '../../serve/lists.ts'
import { nothing, withMissing } from '../../serve/loaded.ts'
import { person as insider, page } from './answers.ts'
import { CODES } from './codes.ts'
import { FORMS } from './forms.ts'
import * as queries from './queries.ts'
import * as lines from './queries-lines.ts'
import { rows } from './queries-list.ts'
import { owner } from './tables.ts'

const READ = { families: { ownership: 'holdings and transactions of insiders (Forms 3, 4, 5)' } }

export const search = list('/ownership/filings', {
  name: 'insider_filings',
  summary: 'List filings of insiders (Forms 3, 4, 5)',
  description:
    'Finds reports of insiders by company, insider and form, newest first. Each filing is listed once, however many owners it has; filings that state only holdings (Form 3) are included. A filing and its amendments are both listed and must not be summed: amended_by names the amendments, and amended=latest leaves out the filings that they amend. /ownership/transactions and the detail of a filing show what was traded. Both name other filings of the same trade (`joint`).',
  tag: 'holdings',
  rows,
  names: { says: 'Name of the company, or of an insider', of: ['name', 'owner'] },
  filters: {
    cik: { column: 'issuer_cik', type: cik.describe('CIK of the issuer, with or without leading zeros') },
    person: {
      ...through(owner, 'cik', (sql) => lines.firstOf(sql, 'w')),
      type: cik.describe('CIK of a reporting owner, with or without leading zeros'),
    },
    form: { column: 'submission_type', type: choice(FORMS, 'Only filings with this form code') },
  },
  counts: ['form'],
  sources: READ,
  examples: [
    { q: 'apple' },
    { q: 'elon musk' },
    { cik: '320193', form: '4' },
    { person: '1780525', from: '2026-01-01', to: '2026-12-31' },
  ],
})

export const transactions = get('/ownership/transactions', {
  name: 'insider_transactions',
  summary: 'List what insiders bought and sold',
  description:
    'Transactions of Forms 4 and 5 by company, person and code, newest first. One row per line, as filed. An amendment repeats lines of its original, so lines of both must not be summed. `amended_by` names the filings that certainly amend the filing of a row. `is_amendment` marks rows of an amendment. /ownership/filings/by-accession/{accession} names the original of an amendment. amended=latest leaves out all lines of an amended filing, even lines that its amendment does not repeat. Insiders who hold the same securities may report one trade in several filings: `joint` of a row names the other filings, and joint=once lists the trade once. Derivative securities are a separate list (derivative=true).',
  tag: 'holdings',
  reads: [BULK, 'companies', 'identifiers'],
  leads: {
    found: {
      cik: { in: 'ownership.security', by: 'issuer_cik', where: 'not t.is_holding' },
      person: {
        ...{ in: 'ownership.owner', by: 'cik', isCounted: false },
        where: 'exists (select from ownership.security s where s.accession = t.accession and not s.is_holding)',
      },
    },
  },
  mistaken: { ids: ['cik', 'person'] },
  input: {
    cik: cik.describe('CIK of the issuer, with or without leading zeros').optional(),
    person: cik.describe('CIK of a reporting owner, with or without leading zeros').optional(),
    ticker: query('Ticker of the issuer, in any spelling: brk-b, $AAPL').optional(),
    role: choice(
      lines.ROLES,
      'Relationship of the insider to the issuer; in a filing of several insiders, one of them must match',
    ).optional(),
    min_value: whole({
      describe: 'Minimum value of the transaction, US dollars: its shares times its price, or the stated value',
    }).optional(),
    plan_10b5_1: flag(
      'true: transactions under a Rule 10b5-1 plan, by the checkbox of the form; false: transactions not under such a plan. Forms without the checkbox (before 2023) match neither',
    ).optional(),
    code: choice(CODES, 'Transaction code: P purchase, S sale, A award, M exercise, F tax, G gift …').optional(),
    acquired_disposed: choice(['A', 'D'], 'A: acquired; D: disposed of').optional(),
    amended: amendedRows,
    joint: choice(
      ['all', 'once'],
      'all: every row, and `joint` names the other filings of its trade. once: a trade that several filings report is listed once, from the first filing that matches the request. With once, an exact count tests each row, which takes too long (503) for more than a few hundred thousand rows',
    ).default('all'),
    derivative: flag('true: derivative securities (Table II); false: all others (Table I)').default(false),
    ...byDayOfFiling,
    ...countedBy(['code', 'month']),
  },
  examples: [
    { cik: '320193' },
    { person: '1494730', from: '2021-01-01', to: '2026-12-31' },
    { code: 'S', acquired_disposed: 'D', amended: 'latest', joint: 'once' },
    { ticker: 'aapl', role: 'officer', min_value: '100000', plan_10b5_1: 'true' },
    { cik: '320193', derivative: 'true' },
  ],
  output: page,
  rows: 'transactions',
  run: async (input, { sql }) => {
    const found = await lines.transactions(sql, input)
    return found.transactions.length > 0 ? found : withMissing(sql, READ, found)
  },
})

export const person = get('/ownership/by-person/{cik}', {
  name: 'insider',
  summary: 'Show an insider with its companies',
  description:
    'The companies of which somebody is or was an insider, and the Forms 3, 4 and 5 of this insider. An insider is a person, or a company that owns shares of another company; it is found by its CIK. Its transactions are in /ownership/transactions?person=.',
  tag: 'holdings',
  leads: { found: { cik: { in: 'ownership.owner', by: 'cik' } } },
  input: { cik },
  examples: [{ cik: '1494730' }],
  output: insider,
  run: async (input, { sql }) => (await queries.person(sql, input.cik)) ?? nothing(sql, READ),
})

export const detail = show('/ownership/filings/by-accession/{accession}', {
  name: 'ownership_detail',
  summary: 'Show a Form 3, 4 or 5',
  description:
    'Who owns and trades what, with each footnote next to the line that it concerns, and the amendments of the filing. For a filing without XML (before 2003-06-30), `source` is text: only what EDGAR’s header states is given. The tables are empty because they were not read.',
  tag: 'holdings',
  detail: queries.detail,
  sources: READ,
  examples: [{ accession: '0001140361-26-020298' }],
})
