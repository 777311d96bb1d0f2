/** Rollup of brochures, from their versions. */
import { crd, date, rollup, text } from '../../declare/table.ts'

export const brochure = rollup(
  'brochures.brochure',
  'One row a brochure of a firm: its newest version, which is the one that is searched',
  ['crd', 'brochure'],
  {
    crd: crd('CRD number of the firm'),
    brochure: text('Number of the brochure, or of the version where that of the brochure is not known'),
    id: text('Number of the newest version'),
    filing_date: date('Day on which that was filed').nullable(),
  },
  { indexes: ['(id)'] },
)
