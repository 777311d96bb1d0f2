/** A list's declaration of parameters whose values clients confuse. `suggestions.ts` says what is done with them. */
export interface Mistaken {
  /**
   * Parameters that take an identifier of the same kind. If `q`, which takes a name, is among them, a number in it is
   * tried as the value of the others. No other value is tried as a name.
   */
  readonly ids?: readonly string[]
  /** Groups of codes that mean the same form in different years, by the parameter that takes them. */
  readonly codes?: Readonly<Record<string, readonly (readonly string[])[]>>
}

/** Codes of forms that EDGAR renamed: Schedules 13D and 13G on 2024-12-18, Form N-MFP with each generation. */
export const RENAMED_FORMS = [
  ['SCHEDULE 13D', 'SC 13D'],
  ['SCHEDULE 13D/A', 'SC 13D/A'],
  ['SCHEDULE 13G', 'SC 13G'],
  ['SCHEDULE 13G/A', 'SC 13G/A'],
  ['N-MFP3', 'N-MFP2', 'N-MFP1', 'N-MFP'],
  ['N-MFP3/A', 'N-MFP2/A', 'N-MFP1/A', 'N-MFP/A'],
] as const
