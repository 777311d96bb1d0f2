/** Rollup that links advisers to their filers in EDGAR. */
import { cik, confidence, crd, rollup, text } from '../../declare/table.ts'

export const link = rollup(
  'links.link',
  'One row per adviser and filer of EDGAR that is, or may be, the same firm',
  ['crd', 'cik', 'method'],
  {
    crd: crd('CRD number of the adviser'),
    cik: cik('CIK of the filer'),
    method: text(
      'adv_cik: the adviser states it (1.D(3)). 801_number: same SEC file number. cover_crd: CRD number on a 13F cover. ncen_crd: CRD number in an N-CEN. name: same name, which no other adviser or filer has',
      { values: ['adv_cik', '801_number', 'cover_crd', 'ncen_crd', 'name'] },
    ),
    confidence: confidence('0 to 1: 1 for what the firm states itself, 0.95 for a file number, 0.6 for a name'),
    basis: text('What was compared: filing 2107670, 801-16048, goldman sachs & co. llc'),
  },
  { indexes: ['(cik)'] },
)
