import { detail } from './lookup.ts'
import { coverage, families, search } from './routes.ts'

/** The filing spine: every filing that EDGAR lists, by family, company, date and item. */
export default [families, coverage, search, detail]
