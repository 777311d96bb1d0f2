import { status } from './routes.ts'

/** The service's delay after EDGAR. */
export default [status]
