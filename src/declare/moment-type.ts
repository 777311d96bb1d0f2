/**
 * The type of a moment in an answer. moment.ts, which writes moments, does not have it: the connection loads moment.ts,
 * and need not load Zod.
 */
import { z } from 'zod'

export const moment = z.iso.datetime({ offset: true, precision: 3 })
