/** Opens sign-in for `serve`, from the settings. */
import { readFile } from 'node:fs/promises'
import type { Logger } from 'pino'
import { Accounts } from '../accounts/accounts.ts'
import type { Config } from '../config.ts'
import { messageOf, UserError } from '../declare/errors.ts'
import { accountPages } from '../pages/account/account.ts'
import type { Sql } from '../store/db.ts'

/** @throws UserError if the file of the client's secret cannot be read */
export async function openAccounts({ config, sql, log }: { config: Config; sql: Sql; log: Logger }) {
  const { PUBLIC_URL: publicUrl, OIDC_OPERATOR_CLAIM: claim, OIDC_OPERATOR_VALUE: value } = config
  const accounts = new Accounts({
    // These three are set: `readSettings` reports an error if one of them is missing.
    publicUrl: publicUrl!,
    issuer: config.OIDC_ISSUER!,
    clientId: config.OIDC_CLIENT_ID!,
    clientSecret: await secretOf(config),
    scopes: config.OIDC_SCOPES,
    operator: claim === null || value === null ? null : { claim, value },
    now: () => new Date(),
    sql,
    log,
  })
  return {
    pages: { accounts: accountPages(accounts) },
    server: { signedIn: accounts.find },
    names: [new URL(publicUrl!).hostname],
  }
}

async function secretOf({ OIDC_CLIENT_SECRET: secret, OIDC_CLIENT_SECRET_FILE: file }: Config): Promise<string> {
  if (file === null) return secret!
  let text: string
  try {
    text = (await readFile(file, 'utf8')).trim()
  } catch (error) {
    throw new UserError(`OIDC_CLIENT_SECRET_FILE cannot be read: ${messageOf(error)}`)
  }
  if (text === '') throw new UserError(`OIDC_CLIENT_SECRET_FILE ${file} is empty`)
  return text
}
