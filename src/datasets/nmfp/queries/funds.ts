/** Money market funds, as the report of their newest month has them. */
import { rowsOf } from '../../../serve/lists.ts'
import { fundRow } from '../answers.ts'
import { nmfpFund } from '../views.ts'

export const funds = rowsOf({ of: nmfpFund, row: fundRow })
