/** Shapes of answers. */
import { z } from 'zod'
import { amendedBy } from '../../declare/amended.ts'
import { evidence, PLACE } from '../../serve/evidence.ts'
import { filingWith } from '../../serve/filings-of.ts'
import { broker, weakness as sentences } from './rollups.ts'
import { report } from './tables.ts'

const { accession, filed_date } = report.row.shape
const { submission_type, material_weakness, period_begin, period_end } = report.columns

const name = report.columns.broker_name
const source = z
  .enum(['cover'])
  .nullable()
  .describe('Source of material_weakness: the cover; null if the cover has nothing readable about it')

const registrant_type = z
  .string()
  .nullable()
  .describe(
    'Types of registrant whose boxes are checked, separated by commas: Broker-dealer, Security-based swap dealer, Major security-based swap participant',
  )

const weakness = {
  material_weakness,
  material_weakness_source: source,
  material_weakness_text: broker.columns.material_weakness_text.describe(
    'What the text of the report says, apart from its cover. True if a sentence discloses a material weakness, false if one says that there is none. Null if the report was not read as text, or says neither. Cover and text may disagree',
  ),
}

const sentence = sentences.row.omit({ cik: true, ...PLACE })

/** A broker in the list of brokers. */
export const brokerRow = z
  .object({
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
  .meta({ id: 'BrokerRow' })

const { street1, street2, city, state, zip, contact_name, contact_phone, ...accountant } = report.columns

export const answer = z
  .object({
    broker: z
      .object({
        name,
        cik: broker.columns.cik,
        file_number: broker.columns.file_number,
        registrant_type,
        registrant_subtype: z
          .string()
          .nullable()
          .describe(
            'Further boxes that are checked, separated by commas: OTC derivatives dealer, Filing pursuant to a Commission substituted compliance order',
          ),
        address: z.object({ street1, street2, city, state, zip }).meta({ id: 'BrokerAddress' }),
        contact: z.object({ name: contact_name, phone: contact_phone }).meta({ id: 'BrokerContact' }),
        auditor: accountant.auditor,
        auditor_type: accountant.auditor_type,
        auditor_address: z
          .object({
            street1: accountant.auditor_street1,
            street2: accountant.auditor_street2,
            city: accountant.auditor_city,
            state: accountant.auditor_state,
            zip: accountant.auditor_zip,
          })
          .meta({ id: 'BrokerAuditorAddress' }),
        period_begin,
        period_end,
        ...weakness,
        accession,
        filed_date,
      })
      .describe('The broker-dealer as its newest report shows it: the report filed last about the latest fiscal year')
      .meta({ id: 'Broker' }),
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
          is_newest: z.boolean().describe('True for the report that shows the broker’s current state'),
        }).meta({ id: 'BrokerReportRow' }),
      )
      .describe('Annual reports of the broker-dealer and their amendments, newest first, at most 500'),
    material_weakness_sentences: z
      .array(
        z
          .object({ ...sentence.shape, evidence, filed_date, amended_by: amendedBy })
          .describe('A sentence about a material weakness, with its place')
          .meta({ id: 'BrokerWeaknessSentence' }),
      )
      .describe(
        'Sentences about material weaknesses in the texts of its reports, newest first, at most 200. Sentences that only define the term are left out',
      ),
  })
  .meta({ id: 'BrokerDetail' })

export type BrokerDetail = z.infer<typeof answer>
