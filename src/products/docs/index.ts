import { document } from './routes.ts'

export default [document]
