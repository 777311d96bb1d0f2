/** `openfilings searches create | list | delete`. */
import { command } from './command.ts'

export const OPTIONS = {
  name: { type: 'string', value: 'NAME', help: 'create: what people call it; also the title of its feed' },
  list: {
    type: 'string',
    value: 'ADDRESS',
    help: 'create: the list with its filters, as a request has it: /v1/formd/filings?state=CA, /v1/events?cik=320193, /v1/text-search?q=…',
  },
  url: { type: 'string', value: 'URL', help: 'create: where new matches are sent, https' },
  feed: { type: 'boolean', help: 'create: gives it a feed address, for feed readers' },
} as const

export const VERBS = {
  create:
    'saves a search and prints its id, the secret of its webhook and its feed address; secret and address cannot be shown again',
  list: 'every saved search: its filters, how many rows it has found, what its receiver does not have yet, what failed',
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
  about: `The serving process tests new data against each saved search. A row is found once. A webhook gets the rows as JSON,
signed as Standard Webhooks states, and again until they are taken; a feed address shows the newest rows as Atom or, with
format=jsonfeed, as JSON Feed. Anyone who has a feed address can read that feed, and nothing else.`,
  verbs: VERBS,
  such: 'searches list',
  options: OPTIONS,
  examples: [
    [
      "openfilings searches create --name 'Funds in Florida' --list '/v1/formd/filings?state=FL' --feed",
      'a feed of new private placements',
    ],
    ['openfilings searches list', 'all of them'],
  ],
  failure: 'the search could not be saved, or no search has that id',
  work: () => import('./searches-work.ts'),
})
