/** A list's declaration of parameters whose values clients confuse. `suggestions.ts` says what is done with them. */
export interface Mistaken {
  /**
   * Parameters that take identifiers of the same kind, so that clients confuse them. The value of one of these
   * parameters is tried as the value of each other one. `q`, which takes a name, may be one of them: a number in `q` is
   * tried in the other parameters, but no value is tried in `q`.
   */
  readonly ids?: readonly string[]
  /** For each parameter that takes codes of forms: groups of codes that mean the same form in different years. */
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
