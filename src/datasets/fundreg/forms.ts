/** The effect of each form on a fund. */

export type Kind = 'registration' | 'amendment' | 'update' | 'delay' | 'summary'

const forms = (codes: string): string[] => codes.split(/, */)

const FORMS: Readonly<Record<Kind, readonly string[]>> = {
  /** The registration statement of a trust or a closed-end fund. */
  registration: forms('N-1, N-1A, N-1A EL, N-2, N-2ASR, N-2MEF, N-2 POSASR, N-3, N-3 EL, N-4, N-4 EL, N-5, N-6'),
  /**
   * An amendment of such a statement before it is effective, or an amendment that becomes effective after review. New
   * series are announced by 485APOS.
   */
  amendment: forms(
    'N-1/A, N-1A/A, N-1A EL/A, N-2/A, N-3/A, N-3 EL/A, N-4/A, N-4 EL/A, N-5/A, N-6/A, 485APOS, 485A24E, 485A24F, 486APOS, 486A24E, POS AMI, POS AMI/A, POS 8C, POS 8C/A',
  ),
  /**
   * Effective at once, or on the day that the filing names. A new series begins with the first such filing that names
   * it.
   */
  update: forms('485BPOS, 485B24E, 485B24F, 486BPOS, 486B24E'),
  /** Names a new day for an amendment to become effective. */
  delay: forms('485BXT, 485BXTF, 486BXT'),
  /** Summary prospectus, with the fee table of one fund. */
  summary: forms('497K, 497K1, 497K2, 497K3A, 497K3B'),
}

export const KIND_OF: Readonly<Record<string, Kind>> = Object.fromEntries(
  Object.entries(FORMS).flatMap(([kind, codes]) => codes.map((code) => [code, kind as Kind])),
)

/** Forms that announce a series of an open-end fund or ETF. */
export const ANNOUNCES: readonly string[] = ['485APOS', '485A24E', '485A24F', 'N-1A', 'N-1A EL', 'N-1A/A', 'N-1A EL/A']
/** Forms that register a closed-end fund. */
export const CLOSED_END: readonly string[] = ['N-2', 'N-2ASR']
