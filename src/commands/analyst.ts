/** `analyst create | list | remove`. */
import { command } from './command.ts'

export const VERBS = {
  create: 'makes a role that may read, and prints the line that connects psql; its password cannot be shown again',
  list: 'every analyst, and how many sessions each has open',
  remove: 'ends the role and its sessions',
}
export const OPTIONS = {} as const

export default command({
  name: 'analyst',
  summary: 'makes, lists and removes roles that may read the database',
  usage: ['openfilings analyst create [NAME]', 'openfilings analyst list', 'openfilings analyst remove NAME'],
  about: `For SQL on the database itself. An analyst reads filings, files and what was made of them, and neither keys nor runs, and
changes nothing. Without a NAME the role is called analyst. Tables, columns and queries to begin with: docs/analysts.md.`,
  verbs: VERBS,
  such: 'analyst create',
  options: OPTIONS,
  examples: [
    ['openfilings analyst create', 'and run the line that it prints'],
    ['openfilings analyst list', 'all of them'],
  ],
  failure: 'the role could not be made, or there is none of that name',
  work: () => import('./analyst-work.ts'),
})
