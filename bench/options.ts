/** Options of `npm run bench`. */
import { parseArgs } from 'node:util'
import { SECTIONS, STANDING } from './sections.ts'

export interface Options {
  /** In the order in which they run. */
  wanted: string[]
  share: number
  smoke: boolean
  json: boolean
  write: boolean
  /** A folder of PDFs that replace generated ones. */
  pdfs?: string
}

/** An invalid option; the message names it. */
export class Refused extends Error {}

/** The share of a smoke run. */
const SMOKE_SHARE = 0.01

/** @throws Refused */
export function readOptions(args: readonly string[]): Options {
  const { only, share: given, smoke, json, write, pdfs } = parsed(args)
  const all: readonly string[] = smoke ? [...SECTIONS, ...STANDING] : SECTIONS
  const names = only?.split(',') ?? all
  const unknown = names.find((name) => !all.includes(name))
  if (unknown !== undefined) throw new Refused(`--only: there is no section ${unknown}; there are ${all.join(', ')}`)
  if (smoke && given !== undefined) throw new Refused('--share: a smoke run has a share of its own')
  const share = smoke ? SMOKE_SHARE : Number(given ?? 1)
  if (!(share > 0 && share <= 1)) throw new Refused('--share: must be a number above 0, at most 1')
  if (write && share < 1)
    throw new Refused(`--write: rows of a part are not written, as of ${smoke ? '--smoke' : '--share'}`)
  if (pdfs !== undefined && only !== 'pdf') throw new Refused('--pdfs: only with --only pdf')
  const wanted = all.filter((name) => names.includes(name))
  return { wanted, share, smoke, json, write, ...(pdfs === undefined ? {} : { pdfs }) }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string' },
        json: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
        share: { type: 'string' },
        smoke: { type: 'boolean', default: false },
        pdfs: { type: 'string' },
      },
    }).values
  } catch (error) {
    throw new Refused((error as Error).message)
  }
}
