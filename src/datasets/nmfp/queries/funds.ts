/** Money market funds, as the report of their newest month has them. */
import { rowsOf } from '../../../serve/lists.ts'
import type { Sql } from '../../../store/db.ts'
import { fundRow } from '../answers.ts'
import { nmfpFund } from '../views.ts'

export const funds = rowsOf({ of: nmfpFund, row: fundRow })

/** The index of reports by registrant has the keys of its funds. */
export const ofRegistrant = (sql: Sql, cik: string) =>
  sql`t.fund in (select r.fund from nmfp.report r where r.cik = ${cik})`
