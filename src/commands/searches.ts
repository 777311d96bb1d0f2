/** `openfilings searches create | list | delete`. */
import { command } from './command.ts'

export const OPTIONS = {
  name: { type: 'string', value: 'NAME', help: 'create: the name of the search, which is also the title of its feed' },
  list: {
    type: 'string',
    value: 'ADDRESS',
    help: 'create: the list with its filters, as a request has it: /v1/formd/filings?state=CA, /v1/events?cik=320193, /v1/text-search?q=…',
  },
  url: { type: 'string', value: 'URL', help: 'create: the https address to which new matches are sent' },
  feed: { type: 'boolean', help: 'create: gives the search an address for feed readers' },
} as const

export const VERBS = {
  create:
    'saves a search and prints its id, the secret of its webhook and its feed address; secret and address cannot be shown again',
  list: 'lists every saved search: its filters, how many rows it has found, how many its receiver still lacks, and what failed',
  delete: 'ends a search, its webhook and its feed address',
}

export default command({
  name: 'searches',
  summary: 'saves searches, and delivers their new matches once and in order',
  usage: [
    'openfilings searches create --name NAME --list ADDRESS (--url URL | --feed | both)',
    'openfilings searches list',
    'openfilings searches delete ID',
  ],
  about: `The serving process tests new data against each saved search, and a search finds each row once. Its webhook gets the
rows as JSON, signed as Standard Webhooks states; a delivery that fails is sent again, up to twelve times in three days.
Its feed address shows the newest rows as Atom or, with format=jsonfeed, as JSON Feed. Anyone who has a feed address can
read that feed, and nothing else.`,
  verbs: VERBS,
  such: 'searches list',
  options: OPTIONS,
  examples: [
    [
      "openfilings searches create --name 'Funds in Florida' --list '/v1/formd/filings?state=FL' --feed",
      'a feed of new private placements',
    ],
    ['openfilings searches list', 'lists every saved search'],
  ],
  failure: 'the search could not be saved, or no search has that id',
  work: () => import('./searches-work.ts'),
})
