/** Funds that report their holdings, as the report of their newest period has them. */
import { rowsOf } from '../../../serve/lists.ts'
import { fundRow } from '../answers.ts'
import { fund } from '../views.ts'

export const funds = rowsOf({ of: fund, row: fundRow })
