/** A real OpenID Connect provider in this process, on loopback, whose answers a test can change. */
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Grant } from 'oidc-provider'

export const CLIENT = { id: 'openfilings', secret: 'the-secret-of-the-client-0123456789' }
/** Lifetime of an ID token. */
export const TOKEN_SECONDS = 120

export interface TestProvider {
  issuer: string
  /** Claims of each person who can sign in, by login. */
  people: Map<string, Record<string, unknown>>
  /** Functions that answer instead of the provider, by path; `*` for every path. */
  instead: Map<string, RequestListener>
  /** Requested paths, in order. */
  asked: string[]
  close(): Promise<void>
}

interface Context {
  oidc: {
    client: { clientId: string }
    session: { accountId: string; grantIdFor(clientId: string): string | undefined }
    provider: { Grant: typeof Grant }
  }
}

/** A key that signs tokens. */
export const signingKey = (kid: string) => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  ...{ kid, alg: 'RS256', use: 'sig' },
})

/** The common key of all providers of this process: making a key takes 0.1 s or more. */
const ownKey = () => (kept ??= signingKey('own'))
let kept: ReturnType<typeof signingKey> | undefined

/**
 * Opens the provider. The provider's sign-in is a form that accepts every password and does not ask for consent.
 *
 * @param returnTo addresses to which the provider may send browsers back
 * @param inToken whether claims are in the ID token; if they are not, the service must request them
 */
export async function openProvider(
  t: { after(fn: () => Promise<void>): void },
  { returnTo, inToken = true }: { returnTo: string[]; inToken?: boolean },
): Promise<TestProvider> {
  const instead: TestProvider['instead'] = new Map()
  const asked: string[] = []
  const people: TestProvider['people'] = new Map()
  let own: RequestListener | undefined
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url!.split('?', 1)[0]!
    asked.push(path)
    const other = instead.get(path) ?? instead.get('*')
    ;(other ?? own!)(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  own = await quietly(async () => {
    const { default: Provider } = await import('oidc-provider')
    const provider = new Provider(issuer, {
      clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: returnTo }],
      jwks: { keys: [ownKey()] },
      cookies: { keys: ['a key of the test'] },
      claims: { openid: ['sub'], profile: ['name', 'groups', 'realm_access'], email: ['email'] },
      conformIdTokenClaims: !inToken,
      ttl: { IdToken: TOKEN_SECONDS, Interaction: 3600, Session: 3600, Grant: 3600, AccessToken: 3600 },
      findAccount: (_context: unknown, login: string) => ({
        accountId: login,
        claims: async () => ({ sub: login, ...people.get(login) }),
      }),
      async loadExistingGrant({ oidc }: Context) {
        // A second grant in one session would make the codes of the first grant invalid.
        const known = oidc.session.grantIdFor(oidc.client.clientId)
        if (known) return oidc.provider.Grant.find(known)
        const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
        grant.addOIDCScope('openid profile email')
        await grant.save()
        return grant
      },
    })
    return provider.callback()
  })
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  t.after(close)
  return { issuer, people, instead, asked, close }
}

/** The provider warns on the console that it is set up for development, and that the version of Node is new. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { info, warn } = console
  console.info = () => {}
  console.warn = () => {}
  try {
    return await work()
  } finally {
    console.info = info
    console.warn = warn
  }
}
