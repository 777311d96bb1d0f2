/** `webhooks create | list | replay | pause | resume | delete`. */
import { command } from './command.ts'

export const OPTIONS = {
  url: { type: 'string', value: 'URL', help: 'create: the https address to which events are sent' },
  source: {
    type: 'string',
    value: 'LIST',
    help: 'create: only events of these sources: filings (EDGAR’s index) or datasets, as in formd,adv',
  },
  family: { type: 'string', value: 'LIST', help: 'create: only events of these families of forms' },
  form: { type: 'string', value: 'LIST', help: 'create: only events of these forms; 10-K does not include 10-K/A' },
  cik: { type: 'string', value: 'LIST', help: 'create: only events of the filers with these CIKs' },
  after: {
    type: 'string',
    value: 'N',
    help: 'create, replay: number of the event after which deliveries begin (default for create: the newest event)',
  },
  dead: { type: 'boolean', help: 'list: lists events that were given up; replay: sends these events once more' },
} as const

export const VERBS = {
  create: 'makes a webhook and prints its id and secret; the secret cannot be shown again',
  list: 'lists every webhook: its position in the log, its lag and its failures; with --dead the events that were given up',
  replay: 'sends events again: those after event N (--after N), or those that were given up (--dead)',
  pause: 'stops deliveries; nothing is lost',
  resume: 'continues deliveries at once',
  delete: 'removes a webhook and its undelivered events',
}

export default command({
  name: 'webhooks',
  summary: 'sends new, corrected and withdrawn data to your receivers',
  usage: [
    'openfilings webhooks create --url URL [options]',
    'openfilings webhooks list [--dead]',
    'openfilings webhooks replay ID --after N | --dead',
    'openfilings webhooks pause | resume | delete ID',
  ],
  about: `The serving process posts the events of /events as JSON, in their order, signed according to Standard
Webhooks. A delivery that fails is sent again, up to twelve times in three days; then it is given up.`,
  verbs: VERBS,
  such: 'webhooks list',
  options: OPTIONS,
  examples: [
    ['openfilings webhooks create --url https://hooks.example.com/edgar --family eightk', 'a webhook for Forms 8-K'],
    ['openfilings webhooks list', 'lists every webhook'],
  ],
  failure: 'the webhook could not be made, or no webhook has that id',
  work: () => import('./webhooks-work.ts'),
})
