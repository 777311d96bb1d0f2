/** The page of operators: all keys, their limits, and accounts. */
import type { OpenSession } from '../../accounts/accounts.ts'
import { KEYS_MAX, type OperatorKey } from '../../accounts/operator.ts'
import { SCOPES } from '../../declare/scopes.ts'
import { LIMIT_DEFAULT } from '../../serve/keys.ts'
import { frameOf } from '../explorer/frame.ts'
import { type Html, html, verbatim } from '../html.ts'
import { dayOf, formOf, limitsOf, newKeyNote, wrongNote } from './parts.ts'

export interface OperatorView {
  session: OpenSession
  /** The search text that limits the list of keys. */
  words: string
  keys: readonly OperatorKey[]
  now: Date
  newKey?: string
  wrong?: string
}

export function operatorPage({ session, words, keys, now, newKey, wrong }: OperatorView): string {
  const rows = keys.slice(0, KEYS_MAX)
  return frameOf({
    title: 'Keys of all accounts',
    description: 'Keys, limits and accounts, for operators',
    query: null,
    hasAccounts: true,
    part: 'account',
    body: html`<h1>Keys of all accounts</h1>
<p>Signed in as <strong>${session.name}</strong>. <a href="/account">Your own account</a>.</p>
${wrong !== undefined && wrongNote(wrong)}
${newKey !== undefined && newKeyNote(newKey)}
<form class="filters" action="/operator" method="get"><div class="fields first"><div class="field"><label for="operator-q">Account, name or key id</label><input id="operator-q" type="search" name="q" value="${words}"></div><button class="button" type="submit">Show</button></div></form>
${rows.length === 0 ? html`<p>No key matches.</p>` : table(session, rows, now)}
${keys.length > KEYS_MAX && html`<p>There are more keys than these ${KEYS_MAX}. Search for an account or an id.</p>`}
<p class="help">Servers notice a changed limit and a revoked key within 30 seconds.</p>
<h2>Create a key</h2>
${creation(session)}`,
  })
}

const table = (session: OpenSession, rows: readonly OperatorKey[], now: Date): Html =>
  html`<div class="wide" tabindex="0" role="region" aria-label="Keys"><table class="rows"><caption class="unseen">Keys</caption>
<thead><tr><th scope="col">Account</th><th scope="col">Key</th><th scope="col">State</th><th scope="col">Limits</th><th scope="col">Scopes</th><th scope="col">Created</th><th scope="col"><span class="unseen">Changes</span></th></tr></thead>
<tbody>
${rows.map((row) => html`<tr><td>${row.name ?? row.account}${row.name !== null && html`<br><code>${row.account}</code>`}</td><td><code>${row.key_id}</code>${row.self_serve && html`<br>free key`}</td><td>${stateOf(row, now)}</td><td>${limitsOf(row)}</td><td>${row.scopes.join(', ')}</td><td>${dayOf(row.created_at)}</td><td>${changes(session, row, now)}</td></tr>\n`)}</tbody></table></div>`

const isOver = ({ expires_at: expiresAt }: OperatorKey, now: Date) =>
  expiresAt !== null && Date.parse(expiresAt) <= now.getTime()

function stateOf(row: OperatorKey, now: Date): string {
  if (row.closed_at !== null) return 'account closed'
  if (row.revoked_at !== null) return `revoked ${dayOf(row.revoked_at)}`
  if (isOver(row, now)) return `expired ${dayOf(row.expires_at!)}`
  return row.expires_at === null ? 'works' : `works until ${dayOf(row.expires_at)}`
}

/** The forms that change a key and its account. */
function changes(session: OpenSession, row: OperatorKey, now: Date): Html | null {
  const { key_id: id, account, revoked_at: revokedAt, closed_at: closedAt, self_serve: isFree, name } = row
  const works = revokedAt === null && !isOver(row, now)
  const hidden = html`<input type="hidden" name="key" value="${id}">`
  const person = html`<input type="hidden" name="account" value="${account}">`
  const limits = html`${hidden}${limitField(id, 'search', row.search_limit)}${limitField(id, 'general', row.general_limit)}<button class="button" type="submit">Change the limits</button>`
  const parts = [
    works && !isFree && formOf(session, '/operator/keys/limits', limits),
    works &&
      formOf(
        session,
        '/operator/keys/revoke',
        html`${hidden}<button class="button" type="submit">Revoke the key</button>`,
      ),
    name !== null &&
      closedAt === null &&
      account !== session.account &&
      formOf(
        session,
        '/operator/accounts/close',
        html`${person}<button class="button" type="submit">Close the account</button>`,
      ),
    closedAt !== null &&
      formOf(
        session,
        '/operator/accounts/open',
        html`${person}<button class="button" type="submit">Open the account again</button>`,
      ),
  ]
  if (!parts.some(Boolean)) return null
  return html`<details class="more"><summary>Change<span class="unseen"> ${id}</span></summary>${parts}</details>`
}

const limitField = (of: string, bucket: 'search' | 'general', limit: number | null): Html =>
  html`<div class="field"><label for="${bucket}-${of}">${bucket === 'search' ? 'Searches' : 'Other requests'} a minute</label><input id="${bucket}-${of}" name="${bucket}" type="number" min="1" max="1000000" value="${limit ?? ''}" placeholder="${LIMIT_DEFAULT}"></div>`

const creation = (session: OpenSession): Html =>
  formOf(
    session,
    '/operator/keys',
    html`<div class="field"><label for="new-account">Account</label><input id="new-account" name="account" required maxlength="200" autocomplete="off"><p class="help">A name of your choice, or the account of a person who signs in (<code>person-…</code>).</p></div>
<fieldset><legend>Scopes</legend>${SCOPES.map((scope) => html`<label><input type="checkbox" name="scope" value="${scope}"${scope === 'api' && verbatim(' checked')}> ${scope}</label> `)}</fieldset>
${limitField('new', 'search', null)}${limitField('new', 'general', null)}
<div class="field"><label for="new-expires">Ends on</label><input id="new-expires" name="expires" type="date"><p class="help">The key is refused from this day on. Leave the field empty for a key that never ends.</p></div>
<button class="button main" type="submit">Create the key</button>`,
  )
