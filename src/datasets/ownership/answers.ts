/** Shapes of answers. */
import { z } from 'zod'
import { amendedBy } from '../../declare/amended.ts'
import { countedValues, nextCursor } from '../../declare/paging.ts'
import { accession, cik, text, texts } from '../../declare/table.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { derivative, owner, report, security } from './tables.ts'

const { filed_date } = report.row.shape
const { submission_type, is_amendment, source, issuer_cik, issuer_name, ticker, period } = report.columns
const { original_date, plan_10b5_1 } = report.columns

/** A footnote and the column of the value that it concerns. */
const note = z
  .object({
    column: z.string().describe('Column of the line: price, shares, code …'),
    id: z.string().describe('Number of the footnote in the filing, such as F1'),
    footnote: text('Text of the footnote; null if the filing has no such footnote').nullable(),
  })
  .meta({ id: 'OwnershipFootnoteAt' })

const joined = {
  joint: texts(
    'Accessions of other filings of the same day that certainly report this same trade. They are by other insiders who hold the same securities. Count the trade once in sums. Empty if no such filing is known',
  ),
  code_meaning: z.string().nullable().describe('Meaning of the transaction code, by instruction 8 of the form'),
  footnotes: z.array(note).describe('Footnotes of the values of the line; a value that only a footnote gives is null'),
}

const dropped = { filed_date: true, issuer_cik: true, footnote_refs: true } as const
const securityLine = security.parsed.omit(dropped).extend(joined).meta({ id: 'OwnershipSecurityLine' })
const derivativeLine = derivative.parsed.omit(dropped).extend(joined).meta({ id: 'OwnershipDerivativeLine' })
const ownerShape = owner.parsed.omit({ filed_date: true })

export const linked = z
  .object({
    accession: accession('The filing'),
    filed_date,
    submission_type,
    original_date,
    amended_by: amendedBy,
  })
  .meta({ id: 'OwnershipLinked' })

export const other = z
  .object({
    accession: accession('The filing'),
    filed_date,
    submission_type,
    period,
    owner_name: report.columns.owner_name,
    amended_by: amendedBy,
  })
  .meta({ id: 'OwnershipOtherFiling' })

const LINKS = ['original', 'held', 'not_held', 'ambiguous', 'not_stated'] as const

/** Lines of both tables of one filing. */
export const lines = z.object({
  non_derivative: z.array(securityLine).describe('Table I: transactions and holdings in the order of `line`'),
  derivative: z.array(derivativeLine).describe('Table II: transactions and holdings in the order of `line`'),
})

export type Lines = z.infer<typeof lines>

/** The filing that an amendment amends. */
export const original = z.object({
  link: z
    .enum(LINKS)
    .describe(
      'original: the filing is not an amendment. held: the original of the amendment is known for certain. not_held: no stored filing matches what the amendment says about its original. ambiguous: several filings match. not_stated: the amendment does not say when its original was filed',
    ),
  amends: linked
    .nullable()
    .describe(
      'The filing that this amendment amends. It has the same form, owners and issuer, and was filed on the day that the amendment names. If several match, it is the one of the same period. The amendment restates its lines, so lines of both must not be summed',
    ),
})

export type Original = z.infer<typeof original>

const ownerOfRow = ownerShape
  .pick({
    cik: true,
    name: true,
    is_director: true,
    is_officer: true,
    is_ten_percent_owner: true,
    is_other: true,
    officer_title: true,
    other_relationship: true,
  })
  .meta({ id: 'OwnershipOwnerRow' })

const row = derivative.parsed
  .omit({ footnote_refs: true, is_holding: true })
  .extend({
    accession: accession('The filing'),
    submission_type,
    is_amendment,
    source,
    amended_by: amendedBy,
    plan_10b5_1,
    issuer_name,
    ticker,
    owners: z
      .array(ownerOfRow)
      .describe('Owners who report the transaction. It is one transaction, even if several owners report it'),
    ...joined,
  })
  .meta({ id: 'InsiderTransaction' })

export const page = z
  .object({ transactions: z.array(row), ...countedValues, next_cursor: nextCursor, ...notLoaded })
  .meta({ id: 'InsiderTransactionPage' })

export type Page = z.infer<typeof page>

export const filing = z
  .object({
    accession: accession('The filing'),
    filed_date,
    ...{
      submission_type,
      is_amendment,
      amended_by: amendedBy,
      source,
      period,
      issuer_cik,
      issuer_name,
      ticker,
      plan_10b5_1,
    },
    owners: z
      .array(ownerOfRow)
      .describe(
        'Reporting owners, in the order of the form, or of their CIKs if `source` is `set`; empty if `source` is `text`',
      ),
  })
  .meta({ id: 'OwnershipFilingRow' })

export const person = z
  .object({
    cik: cik('CIK of the person'),
    names: z.array(z.string()).describe('Names of the person in its Forms 3, 4 and 5, the most recent name first'),
    companies: z
      .array(
        z
          .object({
            issuer_cik,
            issuer_name,
            ticker,
            ...ownerOfRow.omit({ cik: true, name: true }).shape,
            accession: accession('The last filing about the company, which states the relationship'),
            filed_date,
          })
          .meta({ id: 'InsiderCompany' }),
      )
      .describe(
        'Companies in the Forms 3, 4 and 5 of the person, each with the relationship that the last filing about the company states',
      ),
    filings: z
      .array(
        z
          .object({
            accession: accession('The filing'),
            filed_date,
            submission_type,
            amended_by: amendedBy,
            period,
            issuer_cik,
            issuer_name,
          })
          .meta({ id: 'InsiderFilingRow' }),
      )
      .describe('Forms 3, 4 and 5 of the person that were read, newest first, at most 500'),
  })
  .meta({ id: 'Insider' })

export type Person = z.infer<typeof person>
