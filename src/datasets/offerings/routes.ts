import { byCursor, countedBy, filedOn } from '../../declare/paging.ts'
import { accession, choice, cik, get, limit, offset, query } from '../../declare/route.ts'
import { NAME_MEANING } from '../../names.ts'
import { nothing, withMissing } from '../../serve/loaded.ts'
import { answer, page } from './answers.ts'
import { STAGES } from './pipeline.ts'
import * as queries from './queries.ts'
import { PUBLIC_BEFORE } from './queries-refresh.ts'
import { PLACES } from './tables-words.ts'

const READ = { families: { offerings: 'registration statements and prospectuses (S-1, F-1, 424B)' } }

export const search = get('/ipos', {
  name: 'ipos',
  summary: 'List initial public offerings',
  description:
    'IPOs with their current stage, newest first. One row per offering, which is identified by its first registration statement. Offerings of listed companies are left out. A company counts as listed if it had registered a class of securities for an exchange, had a ticker on an exchange according to the loaded ticker files, or states on the cover that it is listed. A company that filed annual or quarterly reports in the two years before the offering counts as listed too, unless the cover says that the securities are to be listed. An offering whose cover says that it is the initial public offering is always listed. Data that is not loaded cannot be considered.',
  tag: 'offerings',
  bucket: 'search',
  leads: {
    found: {
      cik: {
        ...{ in: 'offerings.registrant', by: 'cik' },
        where: `exists (select from offerings.offering o where o.accession = t.offering_accession
          and o.listed_basis is null and not exists (${PUBLIC_BEFORE('o')}))`,
      },
    },
  },
  mistaken: { ids: ['q', 'cik'] },
  input: {
    q: query(`Name of the company. ${NAME_MEANING}`).optional(),
    cik: cik.describe('CIK of the issuer or of a co-registrant, with or without leading zeros').optional(),
    from: filedOn.from.describe('Only offerings whose first registration statement was filed on this day or later'),
    to: filedOn.to.describe('Only offerings whose first registration statement was filed on this day or earlier'),
    stage: choice(
      STAGES,
      'Latest stage that the offering has reached. An offering is listed if its class is registered with an exchange (Form 8-A) and the offering was declared effective or priced. Nearly every Form 8-A is filed before pricing, so a priced offering is usually listed',
    ).optional(),
    spac: choice(
      ['exclude', 'only'],
      'exclude: leaves out blank check companies; only: lists only blank check companies',
    ).optional(),
    price_to_range: choice(
      PLACES,
      'Only offerings whose price is above, within or below the last expected price range. Offerings without a price or without a range are left out',
    ).optional(),
    sort: choice(
      queries.SORTS,
      'Sorts by the date of the first registration statement, by name, or by stage_date. stage_date is the day on which the offering reached its stage, so offerings that were just priced or listed come first',
    ).default('date'),
    dir: choice(['asc', 'desc'], 'Ascending (asc) or descending (desc) order').default('desc'),
    limit: limit({ max: 50, default: 50 }),
    offset: offset(),
    ...byCursor,
    ...countedBy(['stage', 'month']),
  },
  examples: [
    { spac: 'exclude' },
    { spac: 'only' },
    { stage: 'listed', sort: 'stage_date' },
    { price_to_range: 'within' },
    { q: 'reddit', sort: 'name', dir: 'asc' },
    { cik: '1713445', from: '2020-01-01', to: '2026-12-31' },
  ],
  output: page,
  unrequested: 'none',
  rows: 'rows',
  run: async (input, { sql }) => {
    const found = await queries.search(sql, input)
    return found.rows.length > 0 ? found : withMissing(sql, READ, found)
  },
  arrived: (input, arrival, { sql }) => queries.arrived(sql, input, arrival),
})

export const detail = get('/ipos/by-accession/{accession}', {
  name: 'ipo',
  summary: 'Show an initial public offering',
  description:
    'The issuer of an IPO, its terms with their evidence, and its stages. The accession of any filing of the offering is accepted. Terms are those of the prospectus with the price, else of the newest cover that states any terms. A term is null if a cover leaves it blank or states it ambiguously.',
  tag: 'offerings',
  leads: {
    found: {
      accession: {
        ...{ in: 'offerings.member', by: 'accession' },
        // The index of an earlier day may prove only now that the offering is not an initial one.
        where: `exists (select from offerings.offering o where o.accession = t.offering_accession
          and o.listed_basis is null and not exists (${PUBLIC_BEFORE('o')}))`,
      },
    },
  },
  input: { accession },
  examples: [{ accession: '0001628280-24-012380' }],
  output: answer,
  run: async ({ accession }, { sql }) => (await queries.detail(sql, accession)) ?? nothing(sql, READ, accession),
})
