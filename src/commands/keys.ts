/** `keys create | list | revoke`. */
import { SCOPES } from '../declare/scopes.ts'
import { command } from './command.ts'

export const OPTIONS = {
  account: { type: 'string', value: 'NAME', help: 'create: name of the person or program that uses the key' },
  scopes: { type: 'string', value: 'LIST', help: `create: comma-separated, of ${SCOPES.join(', ')} (default: api)` },
  'search-limit': { type: 'string', value: 'N', help: 'create: requests a minute in the search bucket (default: 10)' },
  'general-limit': {
    type: 'string',
    value: 'N',
    help: 'create: requests a minute in the general bucket (default: 10)',
  },
  expires: { type: 'string', value: 'DATE', help: 'create: the day from which the key is refused (default: never)' },
  'self-serve': {
    type: 'boolean',
    help: 'create: makes the only self-serve key of the account; SELF_SERVE_CLOSED closes paths to it',
  },
} as const

export const VERBS = {
  create: 'makes a key and prints it; it cannot be shown again',
  list: 'lists every key without its secret: id, account, scopes, limits, and when it was made, expires or was revoked',
  revoke: 'revokes a key, given as the key itself or its id; servers notice within 30 seconds',
}

export default command({
  name: 'keys',
  summary: 'makes, lists and revokes API keys',
  usage: [
    'openfilings keys create --account NAME [options]',
    'openfilings keys list',
    'openfilings keys revoke KEY-OR-ID',
  ],
  about: 'Every request needs a key. OpenFilings stores only the hash of a key.',
  verbs: VERBS,
  such: 'keys create --account alice',
  options: OPTIONS,
  examples: [
    ['openfilings keys create --account alice --scopes api,brochures --search-limit 100', 'a key for alice'],
    ['openfilings keys list', 'lists every key'],
  ],
  failure: 'the key could not be made, or no key has the given id',
  work: () => import('./keys-work.ts'),
})
