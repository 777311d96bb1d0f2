/** Transaction codes of Forms 4 and 5, as defined in their General Instruction 8. */
const MEANINGS = {
  P: 'Open market or private purchase of a security',
  S: 'Open market or private sale of a security',
  V: 'Transaction reported earlier than required',
  A: 'Grant, award or other acquisition under Rule 16b-3(d)',
  D: 'Disposition to the issuer under Rule 16b-3(e)',
  F: 'Payment of an exercise price or a tax by delivering or withholding securities',
  I: 'Discretionary transaction under Rule 16b-3(f)',
  M: 'Exercise or conversion of a derivative security exempted by Rule 16b-3',
  C: 'Conversion of a derivative security',
  E: 'Expiration of a short derivative position',
  H: 'Expiration or cancellation of a long derivative position with value received',
  O: 'Exercise of an out-of-the-money derivative security',
  X: 'Exercise of an in-the-money or at-the-money derivative security',
  G: 'Bona fide gift',
  L: 'Small acquisition under Rule 16a-6',
  W: 'Acquisition or disposition by will or the laws of descent and distribution',
  Z: 'Deposit into or withdrawal from a voting trust',
  J: 'Other acquisition or disposition, which a footnote describes',
  K: 'Transaction in an equity swap or a similar instrument',
  U: 'Disposition under a tender of shares in a change of control',
} as const

/** All codes. */
export const CODES = Object.keys(MEANINGS) as [keyof typeof MEANINGS, ...(keyof typeof MEANINGS)[]]

/**
 * Returns the meaning of a code. Returns null without a code, and for a letter that the instruction does not define.
 */
export const meaningOfCode = (code: string | null): string | null =>
  code === null ? null : ((MEANINGS as Readonly<Record<string, string>>)[code] ?? null)
