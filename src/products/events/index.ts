import { events } from './routes.ts'

/** The feed of everything: what is new, corrected or withdrawn, in the order in which this service learned of it. */
export default [events]
