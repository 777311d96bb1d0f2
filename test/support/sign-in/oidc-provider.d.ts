/** The part of the provider that tests use: the package has no types of its own. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  export class Grant {
    constructor(of: { clientId: string; accountId: string })
    static find(id: string): Promise<Grant | undefined>
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    callback(): RequestListener
    readonly Grant: typeof Grant
  }
}
