/** For each source, the queries on its reports that fill `held` and `holder`. */
import type { Held, Source } from '../sources.ts'
import { heldBy } from './held-funds.ts'
import * as thirteenf from './held-thirteenf.ts'

export const HELD: Record<Source, Held> = { f13: thirteenf, nport: heldBy('nport'), nmfp: heldBy('nmfp') }
