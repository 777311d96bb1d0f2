import { search } from './routes.ts'

/** Words in the text of filings and brochures. It stores nothing: it reads what these slices publish. */
export default [search]
