/** `rebuild <dataset> …`: reads the archive again with the current parser. */
import { command, VOICE_OPTIONS } from './command.ts'
import { wordsOf } from './words.ts'

export default command({
  name: 'rebuild',
  summary: 'reads the archive again with the current parsers',
  usage: ['openfilings rebuild DATASET … [options]'],
  about: `Reads every archived filing or file of the datasets again and swaps the new tables in; requests are answered from the
old ones meanwhile. A rebuild that was killed continues where it stopped. "serve" rebuilds by itself if the tables of a
dataset changed.`,
  words: () => wordsOf('rebuild'),
  options: VOICE_OPTIONS,
  examples: [['openfilings rebuild formd', 'after its parser changed']],
  failure: 'a filing or record can no longer be read',
  statuses: [['130, 143', 'stopped by SIGINT or SIGTERM; the old tables stay, and the next rebuild continues there']],
  work: () => import('./rebuild-work.ts'),
})
