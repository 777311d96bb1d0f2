/** `webhooks create | list | replay | pause | resume | delete`. */
import { command } from './command.ts'

export const OPTIONS = {
  url: { type: 'string', value: 'URL', help: 'create: where events are sent, https' },
  source: { type: 'string', value: 'LIST', help: 'create: filings for the index of EDGAR, or datasets: formd,adv' },
  family: { type: 'string', value: 'LIST', help: 'create: families of forms' },
  form: { type: 'string', value: 'LIST', help: 'create: forms; 10-K does not include 10-K/A' },
  cik: { type: 'string', value: 'LIST', help: 'create: CIKs of filers' },
  after: {
    type: 'string',
    value: 'N',
    help: 'create, replay: number of the event after which it begins (create: the newest; replay needs one, or --dead)',
  },
  dead: { type: 'boolean', help: 'list: events that were given up; replay: sends them once more' },
} as const

export const VERBS = {
  create: 'makes a webhook and prints its id and secret; the secret cannot be shown again',
  list: 'lists every webhook: its position in the log, its lag and its failures; with --dead the events that were given up',
  replay: 'sends events again, from a number on (--after N) or those that were given up (--dead)',
  pause: 'stops deliveries; nothing is lost',
  resume: 'continues deliveries at once',
  delete: 'ends a webhook, and drops its undelivered events',
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
Webhooks. It repeats a delivery until the receiver accepts it.`,
  verbs: VERBS,
  such: 'webhooks list',
  options: OPTIONS,
  examples: [
    ['openfilings webhooks create --url https://hooks.example.com/edgar --family eightk', 'a webhook for Forms 8-K'],
    ['openfilings webhooks list', 'all of them'],
  ],
  failure: 'the webhook could not be made, or no webhook has that id',
  work: () => import('./webhooks-work.ts'),
})
