/** `sample`: loads the bundled sample into an empty database. */
import { command, VOICE_OPTIONS } from './command.ts'

export default command({
  name: 'sample',
  summary: 'loads the bundled sample into an empty database',
  usage: ['openfilings sample [options]'],
  about: `Loads the small sample of EDGAR that comes with OpenFilings, as "serve" does on a first start. It replaces what an
interrupted load left, and the sample of an older version. A database with real filings is left as it is.`,
  options: VOICE_OPTIONS,
  examples: [['openfilings sample', 'loads the sample, after an ingest that loaded nothing']],
  failure: 'the database has real filings, or a part of the sample could not be read',
  statuses: [['130, 143', 'stopped by SIGINT or SIGTERM; the next start loads the rest']],
  work: () => import('./sample-work.ts'),
})
