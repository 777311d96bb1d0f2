/** `archive copy | verify`. */
import { command, VOICE_OPTIONS } from './command.ts'

const OPTIONS = {
  back: { type: 'boolean', help: 'copy: copies from the bucket into the data folder instead' },
  ...VOICE_OPTIONS,
} as const

const VERBS = {
  copy: 'copies the archive of the data folder into the bucket of ARCHIVE_URL',
  verify: 'reads every entry of the archive and compares it with its digest',
}

export default command({
  name: 'archive',
  summary: 'copies the archive into a bucket or back, and compares its entries with their digests',
  usage: ['openfilings archive copy [--back] [options]', 'openfilings archive verify [options]'],
  about: `An archive is in the data folder, or in the bucket of an S3-compatible store that ARCHIVE_URL names. "copy"
leaves the entries where they are and copies those that the other place lacks; each copy is read again and compared
with its digest. The command can be stopped and run again, also while the service uses the folder. "verify" reads the
archive that the settings name, and changes nothing.`,
  verbs: VERBS,
  such: 'archive verify',
  options: OPTIONS,
  examples: [['openfilings archive verify', 'how many entries there are, and which are damaged']],
  failure: 'an entry is damaged, or could not be copied',
  statuses: [['130, 143', 'stopped by SIGINT or SIGTERM; what was copied stays']],
  work: () => import('./archive-work.ts'),
})
