import { z } from 'zod'
import { choice, cik, flag, get, limit, offset, query, states } from '../../declare/route.ts'
import { NAME_MEANING } from '../../names.ts'
import { filingWith } from '../../serve/filings-of.ts'
import { nothing, notLoaded, withMissing } from '../../serve/loaded.ts'
import * as queries from './queries.ts'
import { broker } from './rollups.ts'
import { report } from './tables.ts'

const READ = { families: { x17a5: 'annual reports of broker-dealers (X-17A-5)' } }

const { accession, filed_date } = report.row.shape
const { submission_type, material_weakness, period_begin, period_end } = report.columns

const name = report.columns.broker_name
const source = z
  .enum(['cover'])
  .nullable()
  .describe('Where the material weakness was read: the cover; null when it says nothing readable')

const registrant_type = z
  .string()
  .nullable()
  .describe('Broker-dealer, Security-based swap dealer, Major security-based swap participant; comma-separated')

const weakness = { material_weakness, material_weakness_source: source }

const row = z.object({
  cik: broker.columns.cik,
  name,
  file_number: broker.columns.file_number,
  registrant_type,
  city: report.columns.city,
  state: report.columns.state,
  auditor: report.columns.auditor,
  period_begin,
  period_end,
  ...weakness,
  accession,
  filed_date,
})

const page = z.object({ total: z.int().describe('Brokers that match'), brokers: z.array(row), ...notLoaded })

export type BrokerPage = z.infer<typeof page>

const { street1, street2, city, state, zip, contact_name, contact_phone, ...accountant } = report.columns

const answer = z.object({
  broker: z
    .object({
      name,
      cik: broker.columns.cik,
      file_number: broker.columns.file_number,
      registrant_type,
      registrant_subtype: z
        .string()
        .nullable()
        .describe('OTC derivatives dealer, Filing pursuant to a Commission substituted compliance order'),
      address: z.object({ street1, street2, city, state, zip }),
      contact: z.object({ name: contact_name, phone: contact_phone }),
      auditor: z.object({
        name: accountant.auditor,
        type: accountant.auditor_type,
        street1: accountant.auditor_street1,
        street2: accountant.auditor_street2,
        city: accountant.auditor_city,
        state: accountant.auditor_state,
        zip: accountant.auditor_zip,
      }),
      period_begin,
      period_end,
      ...weakness,
      accession,
      filed_date,
    })
    .describe('As its newest report shows it: that of the latest fiscal year, there the last filed'),
  filings: z
    .array(
      filingWith({
        submission_type,
        amendment_description: report.columns.amendment_description,
        name,
        period_begin,
        period_end,
        auditor: report.columns.auditor,
        ...weakness,
        is_newest: z.boolean().describe('The report that shows the broker’s present state'),
      }),
    )
    .describe('Its annual reports and their amendments, the last filed first, at most 500'),
})

export type BrokerDetail = z.infer<typeof answer>

export const search = get('/brokers', {
  name: 'brokers',
  summary: 'Broker-dealers that file annual reports (X-17A-5), the last filed first',
  description:
    'One row a filer, in the state of its newest report: a late amendment of an older year does not change it.',
  tag: 'x17a5',
  bucket: 'search',
  input: {
    q: query(`Name of the broker. ${NAME_MEANING}`).optional(),
    state: states.optional(),
    auditor: query('Name of the accountant, met as the name of the broker is').optional(),
    weakness: flag('true: only brokers whose newest report discloses a material weakness').default(false),
    sort: choice(queries.SORTS, 'date of the newest report, or name').default('date'),
    dir: choice(['asc', 'desc'], 'Direction').default('desc'),
    limit: limit({ max: 100, default: 50 }),
    offset: offset(),
  },
  output: page,
  run: async (input, { sql }) => {
    const found = await queries.search(sql, input)
    return found.total > 0 ? found : withMissing(sql, READ, found)
  },
})

export const detail = get('/brokers/{cik}', {
  name: 'broker',
  summary: 'One broker-dealer with the history of its annual reports',
  tag: 'x17a5',
  input: { cik },
  output: answer,
  run: async (input, { sql }) => (await queries.detail(sql, input.cik)) ?? nothing(sql, READ),
})
