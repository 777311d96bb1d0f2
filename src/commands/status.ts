/** `status`: shows what is loaded, what is running or has run, what waits, what failed, and why it failed. */
import { command } from './command.ts'

export const OPTIONS = { json: { type: 'boolean', help: 'as one JSON object' } } as const

export default command({
  name: 'status',
  summary: 'shows what is loaded, running, finished, waiting and failed',
  usage: ['openfilings status [--json]'],
  about: 'Looks at the database and the archive, and changes nothing.',
  options: OPTIONS,
  examples: [
    ['openfilings status', 'for a person'],
    ['openfilings status --json', 'for a program'],
  ],
  failure: 'there is no database, or it cannot be reached',
  work: () => import('./status-work.ts'),
})
