/** Shapes of answers. */
import { z } from 'zod'
import { amendedBy } from '../../declare/amended.ts'
import { filingWith } from '../../serve/filings-of.ts'
import {
  financials,
  issuer,
  offering,
  sale,
  security_class,
  service,
  signature,
  submission,
  suspension,
  unregistered,
} from './tables.ts'

const { street1, street2, city, state, zip, phone, contact_name, industry, ...known } = submission.columns
const { tier, total_offered, raised, name_key: _, name_words: __, ...cover } = known

const issuerFacts = issuer.parsed.omit({ position: true })
const paid = service.parsed.omit({ sale: true }).meta({ id: 'RegAService' })

const otherFiling = filingWith({
  submission_type: cover.submission_type,
  entity_name: cover.entity_name,
  file_numbers: cover.file_numbers,
  reporting_period: cover.reporting_period,
  total_offered,
  raised,
}).meta({ id: 'RegAFilingRow' })

export const answer = z
  .object({
    submission: submission.row
      .pick({ accession: true, filed_date: true })
      .extend(cover)
      .extend({
        amended_by: amendedBy,
        signatures: z.array(signature.parsed.meta({ id: 'RegASignature' })).describe('Signatures of a 1-Z'),
      })
      .meta({ id: 'RegASubmission' }),
    issuer: issuerFacts
      .extend({ industry, street1, street2, city, state, zip, phone, contact_name })
      .extend({ co_issuers: z.array(issuerFacts.meta({ id: 'RegACoIssuer' })) })
      .describe('The primary issuer and its co-issuers')
      .meta({ id: 'RegAIssuer' }),
    offering: offering.parsed
      .partial()
      .describe('The terms are present only for an offering statement')
      .extend({ tier, total_offered, raised })
      .extend({
        financials: financials.parsed
          .meta({ id: 'RegAFinancials' })
          .nullable()
          .describe('Financial statement summary of an offering statement'),
        outstanding_classes: z
          .array(security_class.parsed.meta({ id: 'RegASecurityClass' }))
          .describe('Classes of securities that are outstanding when an offering statement is filed'),
        services: z.array(paid).describe('Fees that an offering statement expects'),
        unregistered: z
          .array(unregistered.parsed.meta({ id: 'RegAUnregisteredSale' }))
          .describe('Unregistered securities issued in the year before an offering statement'),
        sales: z
          .array(sale.parsed.extend({ services: z.array(paid) }).meta({ id: 'RegASale' }))
          .describe('Offerings that ended, as a 1-K or 1-Z reports them'),
        suspensions: z
          .array(suspension.parsed.meta({ id: 'RegASuspension' }))
          .describe('Classes for which a 1-Z ends the duty to report'),
      })
      .meta({ id: 'RegAOffering' }),
    other_filings: z
      .array(otherFiling)
      .describe('Up to 200 other Regulation A filings of the primary issuer, newest first'),
  })
  .meta({ id: 'RegADetail' })

export type Detail = z.infer<typeof answer>
