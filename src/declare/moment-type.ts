/**
 * The type of a moment in an answer. The type is not in moment.ts, which writes moments, because each connection loads
 * moment.ts and does not need Zod.
 */
import { z } from 'zod'

export const moment = z.iso.datetime({ offset: true, precision: 3 })
