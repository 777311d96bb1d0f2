/** Filings of Form ADV Part 1A: the base files of the monthly data. */
import { z } from 'zod'
import { advFiling, crd, date, fileNumber, integer, json, table, text, texts, usd } from '../../../declare/table.ts'
import { figures, office } from './figures.ts'

export const filed = z.record(z.string(), z.string())

export const filing = table(
  'adv.filing',
  'One row per filing and form (IA or ERA); a filing with which an adviser changes from one to the other has two rows',
  ['form'],
  {
    filing_id: advFiling('FilingID that IARD gave the filing'),
    form: text(
      'IA: filed by a registered adviser or an applicant (file IA_ADV_Base_A). ERA: filed by an exempt reporting adviser (file ERA_ADV_Base)',
    ),
    crd: crd('Item 1.E(1): CRD number of the firm, digits without leading zeros').nullable(),
    submitted_date: date('Day of submission').nullable(),
    form_version: text('Version of Form ADV that was filed: 10/2021').nullable(),
    sec_number: fileNumber('Item 1.D: SEC file number as given, 801- or 802-').nullable(),
    legal_name: text('Item 1.A: full legal name').nullable(),
    business_name: text('Item 1.B(1): primary business name').nullable(),
    new_name: text('Item 1.C: new name that this filing reports').nullable(),
    ...office,
    lei: text('Item 1.P: legal entity identifier', { entity: 'lei' }).nullable(),
    ...figures,
    private_fund_assets: usd('Item 2.B of an exempt reporting adviser: private fund assets, US dollars').nullable(),
    execution_type: text('Execution page: Domestic or Non-Resident').nullable(),
    base_a: json(filed, 'All answered columns of the CSV line, as filed, by column name: {"5F2c": "…"}'),
  },
  { record: 'filing_id', indexes: ['(crd, submitted_date desc, filing_id)'] },
)

export const filing_more = table(
  'adv.filing_more',
  'One row per filing and additional file with one line per filing (such as Items 2 and 3), as filed',
  ['member'],
  {
    filing_id: advFiling('FilingID'),
    member: text('Name of the file, without its prefix and days: ADV_Base_B (Items 2 and 3), ADV_1J_1K'),
    as_filed: json(filed, 'All answered columns of the CSV line, as filed, by column name'),
  },
  { record: 'filing_id', numbered: true },
)

export const filing_type = table(
  'adv.filing_type',
  'One row per filing: its types, which are the boxes ticked in the file ADV_Filing_Types',
  [],
  {
    filing_id: advFiling('FilingID'),
    types: texts(
      'Types of filing that are ticked, in the words of the file: Annual Updating Amendment for Registered Adviser',
    ),
    fiscal_year: integer('Fiscal year of an annual updating amendment').nullable(),
  },
  { record: 'filing_id', numbered: true },
)
