/** A server where people sign in, with a real provider, a database, and a clock that a test sets. */
import { Accounts } from '../../../src/accounts/accounts.ts'
import type { OperatorRole } from '../../../src/accounts/role.ts'
import type { ServerOptions } from '../../../src/serve/http.ts'
import { freePort } from '../command.ts'
import type { FreshDatabase } from '../database.ts'
import { type Scratch, scratchServer } from '../scratch-server.ts'
import { CLIENT, openProvider, type TestProvider } from './provider.ts'

export interface SignInWorld extends Scratch {
  provider: TestProvider
  /** The clock of the service; the provider's clock is real. */
  time: { offsetMs: number }
}

export interface SignInOptions extends Partial<ServerOptions> {
  database?: FreshDatabase
  /** Scheme and host under which people reach the service; the port is added. */
  publicHost?: string
  operator?: OperatorRole | null
  inToken?: boolean
  timeoutMs?: number
  clientSecret?: string
}

export async function signInWorld(
  t: { after(fn: () => Promise<void>): void },
  {
    publicHost = 'http://127.0.0.1',
    operator = { claim: 'groups', value: 'filings-operators' },
    inToken = true,
    timeoutMs = 60_000,
    clientSecret = CLIENT.secret,
    ...options
  }: SignInOptions = {},
): Promise<SignInWorld> {
  const port = await freePort()
  const publicUrl = publicHost.startsWith('https:') ? publicHost : `${publicHost}:${port}`
  const provider = await openProvider(t, { returnTo: [`${publicUrl}/sign-in/callback`], inToken })
  const time = { offsetMs: 0 }
  const now = () => new Date(Date.now() + time.offsetMs)
  const scratch = await scratchServer(t, {
    trustProxy: true,
    ...options,
    ...{ port, now },
    allowedHosts: [new URL(publicUrl).hostname],
    accounts: ({ sql, log }) =>
      new Accounts({
        ...{ publicUrl, sql, log, now, operator, timeoutMs, clientSecret },
        ...{ issuer: provider.issuer, clientId: CLIENT.id, scopes: 'openid profile email' },
      }),
  })
  return { ...scratch, provider, time }
}
