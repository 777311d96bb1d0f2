/**
 * Derives the stages of a launch from the set of filings about the fund. The order in which the program read the
 * filings has no effect.
 */
import { KIND_OF } from './forms.ts'
import type { STAGES } from './tables-words.ts'

export type Stage = (typeof STAGES)[number]

export interface LaunchFiling {
  accession: string
  form: string
  /** `YYYY-MM-DD` */
  filed_date: string
  /** The date in EDGAR's header. */
  effective_date: string | null
}

export interface Step {
  stage: Stage
  date: string
  accession: string
  form: string
}

/**
 * @param first the filing that announces the fund
 * @param others any filings about the fund. Filings before `first`, and `first` itself, are ignored
 */
export function stepsOf(first: LaunchFiling, others: readonly LaunchFiling[]): Step[] {
  const later = others
    .filter(({ accession, filed_date }) => accession !== first.accession && filed_date >= first.filed_date)
    .toSorted((a, b) => compare(a.filed_date, b.filed_date) || compare(a.accession, b.accession))
  const steps: Step[] = [{ stage: 'filed', date: first.filed_date, accession: first.accession, form: first.form }]
  for (const filing of later) {
    // A header can name a series twice, so the list may have the same filing twice.
    if (steps.at(-1)!.accession === filing.accession) continue
    const stage = stageOf(filing, steps)
    if (stage === null) continue
    const { accession, form, filed_date, effective_date } = filing
    steps.push({ stage, date: (stage === 'effective' && effective_date) || filed_date, accession, form })
  }
  return steps
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))

/**
 * Returns the stage that a launch reaches with a filing; null if the filing begins no stage. A launch that is effective
 * or withdrawn gets no more stages, since later filings are the yearly amendments of its fund.
 */
function stageOf({ form }: LaunchFiling, before: readonly Step[]): Stage | null {
  if (before.some(({ stage }) => stage === 'effective' || stage === 'withdrawn')) return null
  if (form === 'EFFECT') return 'effective'
  if (form === 'RW' || form === 'AW') return 'withdrawn'
  switch (KIND_OF[form]) {
    case 'amendment':
      return 'amended'
    case 'update':
      return 'effective'
    case 'delay':
      return 'delayed'
    default:
      return null
  }
}
