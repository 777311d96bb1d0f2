/** Rollup that links advisers to their filers in EDGAR. */
import { cik, confidence, crd, rollup, text } from '../../declare/table.ts'

export const link = rollup(
  'links.link',
  'One row per adviser, filer of EDGAR that is or may be the same firm, and method that links them',
  ['crd', 'cik', 'method'],
  {
    crd: crd('CRD number of the adviser'),
    cik: cik('CIK of the filer'),
    method: text(
      'Method that links the adviser and the filer. adv_cik: the adviser states the CIK (Form ADV Item 1.D(3)). 801_number: both have the same SEC file number. name: both have the same name, which no other adviser or filer has',
      { values: ['adv_cik', '801_number', 'name'] },
    ),
    confidence: confidence(
      'Confidence in the link, 0 to 1: 1 for a CIK that the adviser states, 0.95 for a file number, 0.6 for a name',
    ),
    basis: text(
      'Evidence of the link: the filing, file number or name that was compared, for example filing 2107670, 801-16048, goldman sachs & co. llc',
    ),
  },
  { indexes: ['(cik)'] },
)
