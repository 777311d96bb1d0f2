/**
 * The provider at which people sign in: OpenID Connect with an authorization code, PKCE, state and nonce. The library
 * is loaded, and the provider is contacted, only at the first sign-in, so the service starts without them.
 */
import type * as OpenIdClient from 'openid-client'
import { providerSender, type SendToProvider } from '../fetch/provider.ts'
import { claimOf, isOperator, type OperatorRole } from './role.ts'
import type { Challenge } from './sign-ins.ts'

/** By how much the clocks of provider and service may differ. */
export const CLOCK_SKEW_SECONDS = 60
/** How long the provider may take for one answer. A sign-in needs three or four answers. */
const TIMEOUT_MS = 5_000
/** How long the provider's metadata is cached. */
const DESCRIBED_MS = 60 * 60_000

export interface ProviderOptions {
  issuer: string
  clientId: string
  clientSecret: string
  /** Address to which the provider sends the browser back. */
  returnTo: string
  scopes: string
  operator: OperatorRole | null
  now: () => Date
  timeoutMs?: number
  /** The clock that the library reads, in milliseconds since 1970. */
  systemNow?: () => number
}

/** The person whom the provider named. */
export interface Person {
  issuer: string
  /** The id of the person at the issuer, which is unique and never changes. */
  subject: string
  name: string
  isOperator: boolean
}

/** The provider does not answer, or its answer is a server error or cannot be read. The message is for the log. */
export class ProviderAway extends Error {}
/** The provider refused the sign-in, or its answer is not valid. The message is for the log. */
export class SignInRefused extends Error {}

type Claims = Readonly<Record<string, unknown>>

export class Provider {
  readonly #options: ProviderOptions
  readonly #send: SendToProvider
  #described: { metadata: Promise<OpenIdClient.ServerMetadata>; at: number } | undefined

  constructor(options: ProviderOptions) {
    this.#options = options
    this.#send = providerSender({ timeoutMs: options.timeoutMs ?? TIMEOUT_MS })
  }

  /** Returns the address at the provider to which the browser goes to sign in. @throws ProviderAway */
  async begin({ state, nonce, verifier }: Challenge): Promise<string> {
    return this.#explained(async (oidc) => {
      const configuration = await this.#configuration(oidc)
      const challenge = await oidc.calculatePKCECodeChallenge(verifier)
      return oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: this.#options.returnTo,
        response_type: 'code',
        scope: this.#options.scopes,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        ...{ state, nonce },
      }).href
    })
  }

  /**
   * Returns the person, after all checks of the answer: state, issuer, code, signature, audience, nonce and times.
   *
   * @param query the query of the address with which the browser came back
   * @throws ProviderAway or SignInRefused
   */
  async finish(query: string, { state, nonce, verifier }: Challenge): Promise<Person> {
    return this.#explained(async (oidc) => {
      const configuration = await this.#configuration(oidc)
      const tokens = await oidc.authorizationCodeGrant(configuration, new URL(this.#options.returnTo + query), {
        ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true },
      })
      const claims = tokens.claims()!
      // The library compares the clock with the end of a token's validity, but not with the time at which the token was
      // issued.
      if (claims.iat > this.#options.now().getTime() / 1000 + CLOCK_SKEW_SECONDS)
        throw new SignInRefused(
          'the ID token was issued in the future: compare the clocks of this machine and of the provider',
        )
      const all = await this.#completed(oidc, configuration, claims, tokens.access_token)
      return {
        issuer: claims.iss,
        subject: claims.sub,
        name: nameOf(all) ?? claims.sub,
        isOperator: isOperator(all, this.#options.operator),
      }
    })
  }

  /** If a needed claim is absent, adds the claims that the provider only returns from its userinfo endpoint. */
  async #completed(
    oidc: typeof OpenIdClient,
    configuration: OpenIdClient.Configuration,
    claims: Claims & { sub: string },
    accessToken: string,
  ): Promise<Claims> {
    const { operator } = this.#options
    const isWhole = nameOf(claims) !== null && (operator === null || claimOf(claims, operator.claim) !== undefined)
    if (isWhole || !configuration.serverMetadata().userinfo_endpoint) return claims
    return { ...(await oidc.fetchUserInfo(configuration, accessToken, claims.sub)), ...claims }
  }

  /**
   * Makes the library's configuration. The provider's signing keys are read for each sign-in, so new keys take effect
   * immediately.
   */
  async #configuration(oidc: typeof OpenIdClient): Promise<OpenIdClient.Configuration> {
    const { clientId, clientSecret, now, systemNow = Date.now } = this.#options
    const metadata = await this.#metadata(oidc)
    const methods = metadata.token_endpoint_auth_methods_supported
    const isBasic = methods === undefined || methods.includes('client_secret_basic')
    const authentication = (isBasic ? oidc.ClientSecretBasic : oidc.ClientSecretPost)(clientSecret)
    const clocks = {
      [oidc.clockTolerance]: CLOCK_SKEW_SECONDS,
      [oidc.clockSkew]: Math.round((now().getTime() - systemNow()) / 1000),
    }
    const configuration = new oidc.Configuration(metadata, clientId, clocks, authentication)
    this.#prepare(oidc, configuration)
    oidc.enableNonRepudiationChecks(configuration)
    return configuration
  }

  /** Reads the metadata of the provider. Waiting sign-ins share one reading; a failure is not cached. */
  #metadata(oidc: typeof OpenIdClient): Promise<OpenIdClient.ServerMetadata> {
    const at = this.#options.now().getTime()
    const known = this.#described
    if (known && at >= known.at && at - known.at < DESCRIBED_MS) return known.metadata
    const { issuer, clientId } = this.#options
    const described = {
      at,
      metadata: oidc
        .discovery(new URL(issuer), clientId, undefined, oidc.None(), {
          execute: this.#isLocal ? [oidc.allowInsecureRequests] : [],
          [oidc.customFetch]: this.#send as OpenIdClient.CustomFetch,
        })
        .then(
          (found) => found.serverMetadata(),
          (error: unknown) => {
            if (this.#described === described) this.#described = undefined
            throw new ProviderAway(reasonOf(error))
          },
        ),
    }
    this.#described = described
    return described.metadata
  }

  /** Whether the provider is on this machine. The setting accepts an address with `http:` only for such a provider. */
  get #isLocal(): boolean {
    return this.#options.issuer.startsWith('http:')
  }

  #prepare(oidc: typeof OpenIdClient, configuration: OpenIdClient.Configuration): void {
    // The library's type for a body is wider than the bodies that it sends.
    configuration[oidc.customFetch] = this.#send as OpenIdClient.CustomFetch
    if (this.#isLocal) oidc.allowInsecureRequests(configuration)
  }

  /** Runs a part of a sign-in, and turns its errors into `ProviderAway` or `SignInRefused`. */
  async #explained<T>(work: (oidc: typeof OpenIdClient) => Promise<T>): Promise<T> {
    const oidc = await import('openid-client')
    try {
      return await work(oidc)
    } catch (error) {
      if (error instanceof ProviderAway || error instanceof SignInRefused) throw error
      throw isAway(error) ? new ProviderAway(reasonOf(error)) : new SignInRefused(reasonOf(error))
    }
  }
}

/**
 * The library's codes for an answer that is broken (a page of a proxy, an error 500, text that is not JSON) or late.
 */
const BROKEN = ['OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_PARSE_ERROR', 'OAUTH_TIMEOUT']

/**
 * Whether the provider gave no valid answer. An error of the library without a code wraps a network error of our own
 * `#send`.
 */
function isAway(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return code === undefined ? message === 'something went wrong' : BROKEN.includes(code)
}

/** Describes an error, without the claims and answers that the library's errors have as their cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code, error: given } = error as { code?: string; error?: string }
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' || given === 'invalid_client')
    return `${code}: the provider refuses OIDC_CLIENT_ID or its secret`
  const cause = error.message === 'something went wrong' && error.cause instanceof Error ? error.cause.message : null
  return [code, given, cause ?? error.message].filter((part) => typeof part === 'string').join(': ')
}

/** The first claim that names a person, without control characters; null if there is none. */
function nameOf(claims: Claims): string | null {
  for (const name of ['name', 'preferred_username', 'email']) {
    const value = claims[name]
    if (typeof value !== 'string') continue
    const shown = value.replace(/\p{C}/gu, ' ').trim().slice(0, 200)
    if (shown !== '') return shown
  }
  return null
}
