/** The type of a moment in an answer: moment.ts, which the connection needs and which loads no types, writes them. */
import { z } from 'zod'

export const moment = z.iso.datetime({ offset: true, precision: 3 })
