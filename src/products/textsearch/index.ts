import { search } from './routes.ts'

/** Searches words in the text of filings and brochures. Stores nothing: reads the views that these slices publish. */
export default [search]
