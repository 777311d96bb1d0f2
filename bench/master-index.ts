/** A generated quarterly index in the proportions of 2025 Q4: lines, accessions, filers and forms. */
import { Random } from './random.ts'
import { part } from './share.ts'

export interface IndexLine {
  cik: string
  name: string
  form: string
  /** `YYYY-MM-DD` */
  date: string
  accession: string
}

/** 2025 Q4 has 275,447 lines, 193,299 accessions, 63,677 filers. */
const ACCESSIONS = 193_000
const FILERS = 64_000

/** Form, share of accessions in thousandths, mean number of filers in addition to the first. */
const FORMS: readonly (readonly [form: string, share: number, extra: number])[] = [
  ['4', 175, 1.06],
  ['424B2', 170, 0.36],
  ['144', 43, 1],
  ['8-K', 80, 0.05],
  ['NPORT-P', 68, 0],
  ['D', 48, 0.02],
  ['13F-HR', 43, 0],
  ['SCHEDULE 13G/A', 18, 1.1],
  ['6-K', 36, 0],
  ['FWP', 26, 0.34],
  ['3', 14, 1.1],
  ['D/A', 28, 0.02],
  ['10-Q', 27, 0.05],
  ['497K', 24, 0],
  ['SCHEDULE 13G', 9, 1.2],
  ['497', 17, 0],
  ['10-D', 8, 0.9],
  ['40-APP/A', 1, 13],
  ['424B3', 13, 0.05],
  ['425', 5, 1],
  ['13F-NT', 10, 0],
  ['UPLOAD', 30, 0],
  ['CORRESP', 30, 0],
  ['10-K', 7, 0],
  ['S-8', 5, 0],
]

const WORDS =
  `Capital Global Energy Holdings First American Financial Partners International Bank Health Technologies Growth
  National Resources Systems Medical Real Estate Opportunity Acquisition United Western Pharma Therapeutics Credit Income Equity
  Value Mortgage Asset Oil Gas Power Water Gold Mining Digital Data Network Media Software Trust Fund Series`.split(
    /\s+/,
  )
const SYLLABLES = 'ba be co da fe ga ha jo ka le li mo na pe ra ri sa te va wi yo ze'.split(' ')

/** Returns the lines, sorted by filer as EDGAR sorts them; no filer occurs twice under one accession. */
export function indexLines(seed: number, share: number): IndexLine[] {
  const random = new Random(seed)
  const filers = Array.from({ length: part(FILERS, share) }, (_, i) => ({
    cik: String(1000 + i * 31),
    name: nameOf(random),
  }))
  const forms = FORMS.flatMap(([form, share, extra]) => Array.from({ length: share }, () => ({ form, extra })))
  const lines: IndexLine[] = []
  for (let n = 0; n < part(ACCESSIONS, share); n++) {
    const { form, extra } = random.pick(forms)
    const accession = `${String(900_000 + random.below(3000)).padStart(10, '0')}-25-${String(n).padStart(6, '0')}`
    const date = new Date(Date.UTC(2025, 9, 1 + random.below(92))).toISOString().slice(0, 10)
    const count = 1 + Math.floor(extra + random.next())
    const own = new Set(Array.from({ length: count }, () => random.pick(filers, 1.3)))
    for (const { cik, name } of own) lines.push({ cik, name, form, date, accession })
  }
  return lines.sort((a, b) => compare(a.cik, b.cik) || compare(a.form, b.form) || compare(a.accession, b.accession))
}

/** Formats the lines as a `master.idx`. */
export function* masterIndex(lines: readonly IndexLine[]): Generator<string> {
  yield [
    'Description:           Master Index of EDGAR Dissemination Feed',
    'Last Data Received:    December 31, 2025',
    '',
    'CIK|Company Name|Form Type|Date Filed|Filename',
    `${'-'.repeat(80)}\n`,
  ].join('\n')
  for (const { cik, name, form, date, accession } of lines) {
    yield `${cik}|${name}|${form}|${date}|edgar/data/${cik}/${accession}.txt\n`
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function nameOf(random: Random): string {
  const own = SYLLABLES[random.below(SYLLABLES.length)]! + random.pick(SYLLABLES) + random.pick(SYLLABLES)
  return `${own.toUpperCase()} ${random.pick(WORDS, 1.5)} ${random.pick(WORDS, 1.5)}`
}
