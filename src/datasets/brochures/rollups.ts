/** Rollup of brochures, from their versions. */
import { crd, date, rollup, text } from '../../declare/table.ts'

export const brochure = rollup(
  'brochures.brochure',
  'One row per brochure of a firm: its newest version, which a search reads',
  ['crd', 'brochure'],
  {
    crd: crd('CRD number of the firm'),
    brochure: text('Number of the brochure; the number of the version if the brochure’s number is unknown'),
    id: text('Number of the newest version'),
    filing_date: date('Day on which the newest version was filed').nullable(),
  },
  { indexes: ['(id)'] },
)
