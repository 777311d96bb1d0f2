/** Shapes of answers. */
import { z } from 'zod'
import { notLoaded } from '../../serve/loaded.ts'
import { best, identifier } from './rollups.ts'

export const believed = best.row.meta({ id: 'SecurityNumbers' })

export const securityIdentifiers = z
  .object({
    cusip: best.columns.cusip,
    believed: believed.describe(
      'Of each kind what is most sure; of equals the newest, of these what is said most often, and nothing where two are equal in all of that',
    ),
    rows: z
      .array(identifier.row.omit({ cusip: true }).meta({ id: 'SecurityIdentifier' }))
      .describe('Everything that was found, the surest first'),
    ...notLoaded,
  })
  .meta({ id: 'SecurityIdentifiers' })

export const companySecurities = z
  .object({
    cik: z.string().describe('CIK of the company, ten digits'),
    securities: z.array(believed).describe('Securities that are believed to be issued by it, by CUSIP'),
    ...notLoaded,
  })
  .meta({ id: 'CompanySecurities' })

export type SecurityIdentifiers = z.infer<typeof securityIdentifiers>
export type CompanySecurities = z.infer<typeof companySecurities>
