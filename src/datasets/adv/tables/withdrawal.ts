/** Form ADV-W: notices of withdrawal from registration. */
import { advFiling, boolean, crd, date, fileNumber, json, table, text } from '../../../declare/table.ts'
import { filed } from './filing.ts'

export const withdrawal = table(
  'adv.withdrawal',
  'One row per Form ADV-W: a notice of withdrawal from registration',
  [],
  {
    filing_id: advFiling('Filing ID of the Form ADV-W'),
    crd: crd('CRD number of the firm, digits without leading zeros').nullable(),
    sec_number: fileNumber('SEC file number as given').nullable(),
    business_name: text('Primary business name').nullable(),
    legal_name: text('Full legal name').nullable(),
    form_type: text('Type of form, as filed').nullable(),
    status: text('FULL: withdrawal from all registrations. PARTIAL: withdrawal from some').nullable(),
    date: date('Day of filing').nullable(),
    is_business_ceased: boolean('The firm has ceased its advisory business').nullable(),
    ceased_date: date('Day on which the business ceased').nullable(),
    reasons: text('Reasons for withdrawal, in the words of the filer').nullable(),
    details: json(filed, 'All answered columns of the CSV line, as filed, by column name'),
  },
  { record: 'filing_id', indexes: ['(crd, date desc)'] },
)

export const withdrawal_line = table(
  'adv.withdrawal_line',
  'One row per line of Schedules W1 (books, custodians) and W2 (balance sheet), as filed',
  [],
  {
    filing_id: advFiling('Filing ID of the Form ADV-W'),
    member: text('Name of the file, without its prefix and days: W1_5, W1_8, W2'),
    details: json(filed, 'All answered columns of the CSV line, as filed, by column name'),
  },
  { record: 'filing_id', numbered: true },
)
