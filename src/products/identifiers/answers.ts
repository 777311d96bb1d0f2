/** Shapes of answers. */
import { z } from 'zod'
import { notLoaded } from '../../serve/loaded.ts'
import { best, identifier } from './rollups.ts'

export const believed = best.row.meta({ id: 'SecurityNumbers' })

export const securityIdentifiers = z
  .object({
    cusip: best.columns.cusip,
    believed: believed.describe(
      'For each kind of identifier, the most certain value. If several values are equally certain, the newest of them; if several of these are equally new, the most frequent. Null if two values are equal in all of this',
    ),
    rows: z
      .array(identifier.row.omit({ cusip: true }).meta({ id: 'SecurityIdentifier' }))
      .describe('All identifiers that were found, the most certain first'),
    ...notLoaded,
  })
  .meta({ id: 'SecurityIdentifiers' })

export const companySecurities = z
  .object({
    cik: z.string().describe('CIK of the company, ten digits'),
    rows: z.array(believed).describe('Securities that the company is believed to have issued, ordered by CUSIP'),
    ...notLoaded,
  })
  .meta({ id: 'CompanySecurities' })

export type SecurityIdentifiers = z.infer<typeof securityIdentifiers>
export type CompanySecurities = z.infer<typeof companySecurities>
