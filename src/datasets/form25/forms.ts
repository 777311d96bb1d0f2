/** Both forms of the notice. */
export const FORMS = ['25-NSE', '25-NSE/A'] as const
