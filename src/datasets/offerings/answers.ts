/** Shapes of answers. */
import { z } from 'zod'
import { countedValues, nextCursorOnRequest } from '../../declare/paging.ts'
import { text } from '../../declare/table.ts'
import { evidence, PLACE } from '../../serve/evidence.ts'
import { filingRow } from '../../serve/filings-of.ts'
import { headerAddress } from '../../serve/header-address.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { member, offering, registrant, step } from './rollups.ts'
import { fact, filing } from './tables.ts'

const { accession, cik, form, filed_date, company_name, sic, sic_description, is_spac, tickers, exchanges } =
  offering.columns
const { stage, stage_date, file_numbers, terms_accession, range_moved, price_to_range } = offering.columns
const { security, shares, price, price_low, price_high, gross, proceeds, underwriters, left_out } = filing.columns
const terms = { security, shares, price, price_low, price_high, gross }

const row = z
  .object({
    accession,
    cik,
    form_type: form,
    filed_date,
    company_name: registrant.columns.company_name.describe(
      'Name of the company in `cik`; null if no header of the filings has it',
    ),
    registrant_count: offering.columns.registrant_count,
    ...{ sic, sic_description, tickers, exchanges, is_spac, stage, stage_date, file_numbers },
    ...terms,
    ...{ price_low: offering.columns.price_low, price_high: offering.columns.price_high, range_moved, price_to_range },
    underwriters,
    terms_accession,
  })
  .meta({ id: 'IpoRow' })

export const page = z
  .object({ rows: z.array(row), ...countedValues, next_cursor: nextCursorOnRequest, ...notLoaded })
  .meta({ id: 'IpoPage' })

export type IpoPage = z.infer<typeof page>

const part = (meaning: string) => text(meaning).nullable()

export const answer = z
  .object({
    filing: z
      .object({
        accession: filing.row.shape.accession.describe('The requested filing'),
        form_type: text('Form code'),
        filed_date: filing.row.shape.filed_date,
        company_name: text('Name of the first filer as the filing was indexed'),
        cik,
      })
      .meta({ id: 'IpoFiling' }),
    issuer: z
      .object({
        ...{ cik, company_name, sic, sic_description, is_spac, tickers, exchanges },
        state_of_incorporation: part('State of incorporation as an EDGAR code'),
        address: headerAddress.nullable().describe('Business address, from the header of the first filing'),
      })
      .meta({ id: 'IpoIssuer' }),
    registrants: z
      .array(
        z
          .object({ cik: registrant.columns.cik, company_name: registrant.columns.company_name })
          .meta({ id: 'IpoRegistrant' }),
      )
      .describe('Companies that register the securities: the issuer, and then co-registrants such as guarantors'),
    offering: z
      .object({
        ...{ accession, file_numbers, stage, stage_date, range_moved, price_to_range },
        terms: z
          .object({
            accession: filing.row.shape.accession.describe('The filing that has this cover'),
            form: form.describe('Form type of the filing'),
            filed_date,
            ...terms,
            ...{
              proceeds,
              underwriters,
              exchanges: filing.columns.exchanges,
              tickers: filing.columns.tickers,
              left_out,
            },
          })
          .meta({ id: 'IpoTerms' })
          .nullable()
          .describe(
            'Terms on the cover of one filing. It is the prospectus with the price, else the newest registration statement or amendment with terms, else the newest prospectus with terms. Null if no cover states any terms',
          ),
        covers: z
          .array(
            z
              .object({
                accession: filing.row.shape.accession.describe('The filing that has this cover'),
                ...{ form: form.describe('Form type of the filing'), filed_date },
                ...{ shares, price, price_low, price_high, gross },
              })
              .meta({ id: 'IpoCover' }),
          )
          .describe(
            'Number of securities, price and price range of each cover that states any of them, the first filed first',
          ),
        facts: z.array(z.object(fact.columns).omit(PLACE).extend({ evidence }).meta({ id: 'IpoFact' })).meta({
          description: 'Facts of the cover that `terms` names, each with the sentence that states it',
          'x-filing': 'terms.accession',
        }),
      })
      .meta({ id: 'IpoOffering' }),
    stages: z
      .array(z.object(step.columns).omit({ offering_accession: true, n: true }).meta({ id: 'IpoStage' }))
      .describe('The stages that the offering reached, each with the filing that states it. Each amendment is listed'),
    filings: z
      .array(z.object(member.columns).omit({ offering_accession: true }).meta({ id: 'IpoMember' }))
      .describe('The filings of the offering, the first filed first'),
    other_filings: z.array(filingRow).describe('Up to 200 filings of the issuer, newest first'),
  })
  .meta({ id: 'IpoDetail' })

export type IpoDetail = z.infer<typeof answer>
