/** Short lists that are only read together with their row. Each is stored as JSON in a column. */
import { z } from 'zod'

export const classification = z
  .array(
    z
      .object({
        classification: z
          .string()
          .nullable()
          .describe('Liquidity class: MLI moderately liquid, LLI less liquid, ILI illiquid'),
        percent: z
          .string()
          .nullable()
          .describe('Per cent of the highly liquid investments that are pledged for derivatives of the class'),
      })
      .meta({ id: 'NportDerivativeClass' }),
  )
  .describe('One entry per liquidity class')

export const term = z
  .array(
    z
      .object({
        term: z.string().nullable().describe('Term in the name of the fund'),
        definition: z.string().nullable().describe('Meaning of the term for the fund'),
      })
      .meta({ id: 'NportNamesRuleTerm' }),
  )
  .describe('One entry per term')

export const tenor = z
  .array(
    z
      .object({
        reset: z.string().nullable().describe('Unit of time between resets: Day, Month, Year'),
        resetCount: z.string().nullable().describe('Number of units of time (see reset) between resets'),
        tenor: z.string().nullable().describe('Unit of time of the term of the rate'),
        tenorCount: z.string().nullable().describe('Number of units of time (see tenor) in the term of the rate'),
      })
      .meta({ id: 'NportRateTenor' }),
  )
  .describe('One entry per tenor')

export const notional = z
  .array(
    z
      .object({
        amount: z.string().nullable().describe('Notional amount'),
        currency: z.string().nullable().describe('Currency of the notional amount'),
      })
      .meta({ id: 'NportNotional' }),
  )
  .describe('One entry per amount')
