import { search } from './routes.ts'

/** Newly registered and newly reporting advisers. */
export default [search]
