/** Lists funds that report their holdings, with the data of their newest period. */
import { rowsOf } from '../../../serve/lists.ts'
import { fundRow } from '../answers.ts'
import { fund } from '../views.ts'

export const funds = rowsOf({ of: fund, row: fundRow })
