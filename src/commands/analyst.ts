/** `analyst create | list | remove`. */
import { command } from './command.ts'

export const VERBS = {
  create: 'makes a read-only role, and prints the command that connects psql; its password cannot be shown again',
  list: 'lists every analyst, and how many sessions each has open',
  remove: 'removes the role and ends its sessions',
}
export const OPTIONS = {} as const

export default command({
  name: 'analyst',
  summary: 'makes, lists and removes roles that may read the database',
  usage: ['openfilings analyst create [NAME]', 'openfilings analyst list', 'openfilings analyst remove NAME'],
  about: `An analyst is a role that reads the database itself by SQL: filings, files and everything computed from them, but
neither API keys nor the records of runs. It cannot change anything. Without a NAME the role is called analyst.
docs/analysts.md describes tables, columns and first queries.`,
  verbs: VERBS,
  such: 'analyst create',
  options: OPTIONS,
  examples: [
    ['openfilings analyst create', 'then run the command that it prints'],
    ['openfilings analyst list', 'lists every analyst'],
  ],
  failure: 'the role could not be made, or no role has that name',
  work: () => import('./analyst-work.ts'),
})
