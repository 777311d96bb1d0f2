/** The effect of each form on a fund. */

export type Kind = 'registration' | 'amendment' | 'update' | 'delay' | 'summary'

const forms = (codes: string): string[] => codes.split(/, */)

const FORMS: Readonly<Record<Kind, readonly string[]>> = {
  /** The filing is the registration statement of a trust or a closed-end fund. */
  registration: forms('N-1, N-1A, N-1A EL, N-2, N-2ASR, N-2MEF, N-2 POSASR, N-3, N-3 EL, N-4, N-4 EL, N-5, N-6'),
  /**
   * The filing amends a registration statement before it is effective, or becomes effective only after a review. Form
   * 485APOS announces new series.
   */
  amendment: forms(
    'N-1/A, N-1A/A, N-1A EL/A, N-2/A, N-3/A, N-3 EL/A, N-4/A, N-4 EL/A, N-5/A, N-6/A, 485APOS, 485A24E, 485A24F, 486APOS, 486A24E, POS AMI, POS AMI/A, POS 8C, POS 8C/A',
  ),
  /**
   * The filing becomes effective at once, or on the day that it names. A new series begins with the first such filing
   * that names the series.
   */
  update: forms('485BPOS, 485B24E, 485B24F, 486BPOS, 486B24E'),
  /** The filing names a new day on which an amendment becomes effective. */
  delay: forms('485BXT, 485BXTF, 486BXT'),
  /** The filing is a summary prospectus, with the fee table of one fund. */
  summary: forms('497K, 497K1, 497K2, 497K3A, 497K3B'),
}

export const KIND_OF: Readonly<Record<string, Kind>> = Object.fromEntries(
  Object.entries(FORMS).flatMap(([kind, codes]) => codes.map((code) => [code, kind as Kind])),
)

/** Forms that announce a series of an open-end fund or ETF. */
export const ANNOUNCES: readonly string[] = ['485APOS', '485A24E', '485A24F', 'N-1A', 'N-1A EL', 'N-1A/A', 'N-1A EL/A']
/** Forms that register a closed-end fund. */
export const CLOSED_END: readonly string[] = ['N-2', 'N-2ASR']
