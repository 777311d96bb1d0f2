/** One finding of `doctor`, and its line for people. */
import { inOneLine } from '../../declare/visible.ts'

export interface Check {
  name: string
  /** `FAIL` means that a requested feature cannot work; `warn` means that a person should check the finding. */
  state: 'ok' | 'warn' | 'FAIL'
  found: string
  /** The way to fix it. */
  wayOut?: string
}

export const lineOf = ({ name, state, found, wayOut }: Check) =>
  inOneLine(`${state.padEnd(4)}  ${name}: ${found}${wayOut ? `; ${wayOut}` : ''}`)
