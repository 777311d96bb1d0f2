import { events } from './routes.ts'

/**
 * The feed of all changes: new, corrected and withdrawn filings, in the order in which this service learned of them.
 */
export default [events]
