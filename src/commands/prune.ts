/** `prune`: removes files and entries of the archive that are no longer needed. */
import { command, VOICE_OPTIONS } from './command.ts'

export const OPTIONS = {
  yes: { type: 'boolean', help: 'removes the files; without this option nothing is changed' },
  ...VOICE_OPTIONS,
} as const

export default command({
  name: 'prune',
  summary: 'lists archive files that are no longer needed, and removes them with --yes',
  usage: ['openfilings prune [--yes] [options]'],
  about: `Looks for documents of filings that nothing reads (in submissions that an earlier version kept as a whole),
files that no record or filing comes from any more, entries that no row names, texts that another version made,
and files that were set aside as damaged. Reports how much each would free, and with --yes removes them; "serve"
and "ingest" continue meanwhile. What was loaded with --originals stays. A run that is killed loses nothing that
is needed, and the next run finds the rest.`,
  options: OPTIONS,
  examples: [
    ['openfilings prune', 'what would be removed, by kind'],
    ['openfilings prune --yes', 'removes these files'],
  ],
  failure: 'the archive or the database cannot be used',
  statuses: [['130, 143', 'stopped by SIGINT or SIGTERM; whatever was removed was not needed']],
  work: () => import('./prune-work.ts'),
})
