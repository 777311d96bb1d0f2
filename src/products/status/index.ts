import { status } from './routes.ts'

/** How far the service is behind EDGAR. */
export default [status]
