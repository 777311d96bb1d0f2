/** The page of an account: its keys, their use, and the buttons to sign out. */
import type { OpenSession } from '../../accounts/accounts.ts'
import type { ListedKey } from '../../serve/keys.ts'
import type { Allowance } from '../../serve/limits.ts'
import { frameOf } from '../explorer/frame.ts'
import { type Html, html } from '../html.ts'
import { dayOf, formOf, limitsOf, newKeyNote, wrongNote } from './parts.ts'

interface KeyUse {
  key: ListedKey
  /** Requests in both rate buckets during this minute. */
  allowances: readonly Allowance[]
}

export interface AccountView {
  session: OpenSession
  keys: readonly KeyUse[]
  /** Path patterns that free keys may not use. */
  closed: readonly string[]
  /** A key that was created just now. */
  newKey?: string
  /** Why the last form was refused. */
  wrong?: string
}

export function accountPage({ session, keys, closed, newKey, wrong }: AccountView): string {
  const own = keys.find(({ key }) => key.self_serve)
  const reading = keys.find(({ key }) => key.scopes.includes('api'))?.key.key_id
  const others = keys.filter(({ key }) => !key.self_serve)
  return frameOf({
    title: 'Your account',
    description: 'The account, its key and how the key is used',
    query: null,
    hasAccounts: true,
    part: 'account',
    body: html`<h1>Your account</h1>
<p>Signed in as <strong>${session.name}</strong>, account <code>${session.account}</code>.${session.isOperator && html` You are an operator: <a href="/operator">keys of all accounts</a>.`}</p>
${wrong !== undefined && wrongNote(wrong)}
${newKey !== undefined && newKeyNote(newKey)}
<h2>Your key</h2>
${own ? ownKey(session, own, closed) : noKey(session, closed)}
${others.length > 0 && html`<h2>Keys by arrangement</h2>\n${others.map(({ key }) => keyFacts(key))}`}
${keys.length > 0 && useOf(keys)}
<h2>Pages</h2>
<p>${reading ? html`<a href="/browse">Pages about data</a> are read with the key <code>${reading}</code>: each page counts as one of its requests.` : 'You can open pages about data after the account has a key.'}</p>
<h2>Sign out</h2>
<p class="help">A session ends by itself after two hours without a request, and in any case after twelve hours.</p>
<div class="ways">${formOf(session, '/account/sign-out', html`<button class="button" type="submit">Sign out</button>`)}
${formOf(session, '/account/sign-out-everywhere', html`<button class="button" type="submit">Sign out in all browsers</button>`)}</div>`,
  })
}

const keyFacts = (key: ListedKey): Html =>
  html`<p><code>${key.key_id}</code>, created ${dayOf(key.created_at)}${key.expires_at && html`, ends ${dayOf(key.expires_at)}`}: ${limitsOf(key)}. Scopes: ${key.scopes.join(', ')}.</p>\n`

const closedNote = (closed: readonly string[]): Html | false =>
  closed.length > 0 &&
  html`<p class="help">The operator has closed these paths to free keys: ${closed.map((path, n) => html`${n > 0 && ', '}<code>${path}</code>`)}. Ask the operator for access.</p>`

const ownKey = (session: OpenSession, { key }: KeyUse, closed: readonly string[]): Html =>
  html`${keyFacts(key)}${closedNote(closed)}
<p class="help">The secret part was shown when the key was created. If it is lost or known to others, revoke the key and create another one. A revoked key stops working within 30 seconds.</p>
${formOf(session, '/account/key/revoke', html`<input type="hidden" name="key" value="${key.key_id}"><button class="button" type="submit">Revoke the key</button>`)}`

const noKey = (session: OpenSession, closed: readonly string[]): Html =>
  html`<p>The account has no free key. You can create one now. It costs nothing, and allows 10 searches and 10 other requests a minute.</p>
${closedNote(closed)}
${formOf(session, '/account/key', html`<button class="button main" type="submit">Create the key</button>`)}`

const useOf = (keys: readonly KeyUse[]): Html => {
  const rows = keys.flatMap(({ key, allowances }) =>
    allowances.map(
      ({ bucket, limit, remaining, resetSeconds }) =>
        html`<tr><td><code>${key.key_id}</code></td><td>${bucket === 'search' ? 'Searches' : 'Other requests'}</td><td class="number">${limit - remaining}</td><td class="number">${limit}</td><td class="number">${remaining === limit ? 'not begun' : `${resetSeconds} s`}</td></tr>\n`,
    ),
  )
  return html`<h2>Use in this minute</h2>
<div class="wide" tabindex="0" role="region" aria-label="Use in this minute"><table class="rows"><caption class="unseen">Use in this minute</caption>
<thead><tr><th scope="col">Key</th><th scope="col">Bucket</th><th scope="col" class="number">Used</th><th scope="col" class="number">Limit</th><th scope="col" class="number">Ends in</th></tr></thead>
<tbody>
${rows}</tbody></table></div>
<p class="help">Requests are counted by the minute. The service keeps no count of earlier minutes for a key.</p>`
}
