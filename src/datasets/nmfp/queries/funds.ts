/** Lists money market funds with the data of their newest month. */
import { rowsOf } from '../../../serve/lists.ts'
import { fundRow } from '../answers.ts'
import { nmfpFund } from '../views.ts'

export const funds = rowsOf({ of: nmfpFund, row: fundRow })
