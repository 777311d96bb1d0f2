/**
 * The type of a moment in an answer. It is apart from moment.ts, which writes moments: the connection loads that, and
 * so it loads no types.
 */
import { z } from 'zod'

export const moment = z.iso.datetime({ offset: true, precision: 3 })
