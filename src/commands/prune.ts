/** `prune`: removes files and entries of the archive that nothing needs. */
import { command, VOICE_OPTIONS } from './command.ts'

export const OPTIONS = {
  yes: { type: 'boolean', help: 'remove it; without it nothing is changed' },
  ...VOICE_OPTIONS,
} as const

export default command({
  name: 'prune',
  summary: 'lists what the archive has and nothing needs, and removes it with --yes',
  usage: ['openfilings prune [--yes] [options]'],
  about: `Looks for documents of filings that nothing reads (of submissions that a version before kept as a whole), files of
which no record or filing is made any more, entries that no row names, texts that another version made, and what was set
aside as damaged. Reports how much each would free, and with --yes removes it; "serve" and "ingest" continue meanwhile.
What was loaded with --originals stays. Killed at any point, nothing is lost that is needed, and the next run finds
the rest.`,
  options: OPTIONS,
  examples: [
    ['openfilings prune', 'what would be removed, by kind'],
    ['openfilings prune --yes', 'removes it'],
  ],
  failure: 'the archive or the database cannot be used',
  statuses: [['130, 143', 'stopped by SIGINT or SIGTERM; what was removed by then was not needed']],
  work: () => import('./prune-work.ts'),
})
