/** `doctor`: checks everything that this installation needs, and says how to fix what is wrong. */
import { command } from './command.ts'

export const OPTIONS = {
  json: { type: 'boolean', help: 'one JSON array of checks: name, state, found, wayOut' },
} as const

export default command({
  name: 'doctor',
  summary: 'checks settings, archive, database, disk, clock and hosts',
  usage: ['openfilings doctor [--json]'],
  about: `Checks the settings, the versions, the data folder and its disk, the archive, the database and Valkey, and sends
one request of each kind to EDGAR and to the host of the adviser files. Leaves nothing behind: it removes the object
that it writes into the bucket of ARCHIVE_URL. If the embedded database does not run, it is started for the check.`,
  options: OPTIONS,
  examples: [['openfilings doctor', 'one line per check: ok, warn or FAIL, with the remedy']],
  failure: 'a check has failed',
  work: () => import('./doctor-work.ts'),
})
