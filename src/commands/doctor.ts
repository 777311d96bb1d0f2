/** `doctor`: checks everything that this installation needs, and says how to fix what is wrong. */
import { command } from './command.ts'

export const OPTIONS = {
  json: { type: 'boolean', help: 'one JSON array of checks: name, state, found, wayOut' },
} as const

export default command({
  name: 'doctor',
  summary: 'checks settings, archive, database, disk, clock and hosts',
  usage: ['openfilings doctor [--json]'],
  about: `Looks at the settings, the versions, the data folder and its disk, the database, and sends one request
of each kind to EDGAR and the host of the adviser files. Creates nothing, except for an object in the bucket of
ARCHIVE_URL that it removes again; an embedded database that does not run is started for the check.`,
  options: OPTIONS,
  examples: [['openfilings doctor', 'one line per check: ok, warn or FAIL, with the remedy']],
  failure: 'a check has failed',
  work: () => import('./doctor-work.ts'),
})
