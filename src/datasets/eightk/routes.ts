import { z } from 'zod'
import { apiError } from '../../declare/api-errors.ts'
import { byCursor, countedBy, filedOn } from '../../declare/paging.ts'
import { choice, cik, get, known, limit, offset } from '../../declare/route.ts'
import { nothing, withMissing } from '../../serve/loaded.ts'
import { answer, KINDS, page } from './answers.ts'
import { ITEM_TITLES } from './item-titles.ts'
import * as queries from './queries.ts'
import { OFFICER_EVENTS } from './tables-words.ts'

const READ = { families: { eightk: 'current reports (8-K)' } }

export const events = get('/eightk/events', {
  name: 'eightk_events',
  summary: 'List events of current reports (8-K)',
  description:
    'Events reported on Form 8-K, newest first: officers, results, delistings, agreements, deals, votes, or any item. One row per filing. `source` says whether the header of the submission, the text, or both list the item. Facts are read from the text; /eightk/by-accession/{accession} shows each fact with its sentence. Uncertain facts are left out. For the kinds officer, earnings, delisting and item, filings without a certain fact are listed too. For the other kinds, only filings whose text names the event are listed.',
  tag: 'companies',
  bucket: 'search',
  leads: {
    found: {
      cik: {
        ...{ in: 'eightk.filer', by: 'cik', isCounted: false },
        where: 'exists (select from eightk.item d where d.accession = t.accession)',
      },
    },
  },
  input: {
    kind: choice(
      KINDS,
      'officer: directors and officers who are appointed, leave or are paid (item 5.02; before 2004-08-23 item 6, which is only about directors who resign); earnings: results (2.02; before 2004-08-23 item 12); delisting: notices of an exchange (3.01); agreement: agreements that the filer entered into (1.01); termination: agreements that ended (1.02); deal: acquisitions and disposals (2.01), including acquisitions of the filer itself (2.01, 5.01); exit: exit costs (2.05); sale: sales of unregistered securities (3.02); amendment: changes of charter, bylaws or fiscal year (5.03); repurchase: authorized repurchases of shares (7.01, 8.01); dividend: declared dividends (7.01, 8.01); vote: votes of holders (5.07); item: filings with the item that `item` names',
    ).default('officer'),
    item: known(
      Object.keys(ITEM_TITLES) as [string, ...string[]],
      'item of Form 8-K',
      'Number of an item, with kind=item: 4.02 restatements, 1.03 bankruptcies, 1.01 agreements; before 2004-08-23 a number from 1 to 12',
    ).optional(),
    event: choice(
      OFFICER_EVENTS,
      'With kind=officer: only filings whose text certainly reports an event of this kind; each row still has all events of its filing',
    ).optional(),
    cik: cik.describe('CIK of a filer, with or without leading zeros').optional(),
    ...filedOn,
    limit: limit({ max: 50, default: 50 }),
    offset: offset(),
    ...byCursor,
    ...countedBy(['event', 'month']),
  },
  examples: [
    { kind: 'officer' },
    { kind: 'officer', event: 'resigned' },
    { kind: 'earnings' },
    { kind: 'delisting' },
    { kind: 'dividend' },
    { kind: 'vote' },
    { kind: 'item', item: '1.01' },
    { cik: '320193', from: '2020-01-01', to: '2026-12-31' },
  ],
  output: page,
  unrequested: 'none',
  rows: 'rows',
  run: async (input, { sql }) => {
    if (input.kind === 'item' && input.item === undefined) {
      throw apiError('missing_parameter', { parameter: 'item', reason: 'is required with kind=item' })
    }
    if (input.kind !== 'item' && input.item !== undefined) {
      throw apiError('conflicting_parameters', { parameter: 'item', reason: 'only with kind=item' })
    }
    if (input.kind !== 'officer' && (input.event !== undefined || input.count === 'event')) {
      const parameter = input.event === undefined ? 'count' : 'event'
      const reason = input.event === undefined ? 'event: only with kind=officer' : 'only with kind=officer'
      throw apiError('conflicting_parameters', { parameter, reason })
    }
    const found = await queries.events(sql, input)
    return found.rows.length > 0 ? found : withMissing(sql, READ, found)
  },
})

export const detail = get('/eightk/by-accession/{accession}', {
  name: 'eightk_detail',
  summary: 'Show a current report (8-K)',
  description:
    'The items of a current report with their text, its officers, results and notices, with evidence. `items` has every item that the header or the text lists, with its source. `left_out` lists the facts that were left out because they were not certain, and `left_out_count` counts them.',
  tag: 'companies',
  input: {
    // The contract accepts only the dashed form on this path.
    accession: z
      .string()
      .regex(/^\d{10}-\d{2}-\d{6}$/, { error: 'must be a dashed accession such as 0001140361-25-000228' })
      .describe('SEC accession number, dashed')
      .meta({ 'x-entity': 'accession' }),
  },
  examples: [{ accession: '0001104659-23-108985' }],
  output: answer,
  run: async ({ accession }, { sql }) => (await queries.detail(sql, accession)) ?? nothing(sql, READ, accession),
})
