import { status } from './routes.ts'

/** How this service keeps up with EDGAR. */
export default [status]
