/** Describes the key of the request. */
import { z } from 'zod'
import { get } from '../../declare/route.ts'

const perMinute = (bucket: string) =>
  z.string().describe(`Limit of requests in the ${bucket} bucket, such as "10/minute"`)

const me = get('/me', {
  name: 'me',
  tag: 'account',
  summary: 'Show the key of this request',
  description:
    'Verifies the key of the request, and returns its id, account, scopes and limits. The limits are those in force: the defaults, or the limits that an operator set for the key.',
  input: {},
  output: z
    .object({
      keyId: z.string().describe('Public part of the key'),
      uid: z.string().describe('Account that the key belongs to'),
      scopes: z.array(z.string()).describe('What the key may be used for'),
      limits: z.object({ search: perMinute('search'), general: perMinute('general') }).meta({ id: 'KeyLimits' }),
    })
    .meta({ id: 'Key' }),
  cached: false,
  run: async (_input, { key: { keyId, uid, scopes, limits } }) => ({
    keyId,
    uid,
    scopes: [...scopes],
    limits: { search: `${limits.search}/minute`, general: `${limits.general}/minute` },
  }),
})

export default [me]
