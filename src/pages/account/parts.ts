/** Parts that the page of an account and the page of operators share. */
import type { OpenSession } from '../../accounts/accounts.ts'
import { LIMIT_DEFAULT, type ListedKey } from '../../serve/keys.ts'
import { type Html, html, type Part } from '../html.ts'

/** A form of a session. The form has the session's token: without the token, the form changes nothing. */
export const formOf = ({ formToken }: OpenSession, action: string, body: Part): Html =>
  html`<form class="account-form" action="${action}" method="post"><input type="hidden" name="token" value="${formToken}">${body}</form>`

/** A new key. No other page ever shows the key again. */
export const newKeyNote = (key: string): Html =>
  html`<div class="new-key" role="status"><p><strong>This is the key. It is shown only this once:</strong> copy it now, and keep it like a password.</p><p><code>${key}</code></p></div>`

export const wrongNote = (wrong: string): Html => html`<p class="standing bad" role="alert"><span>${wrong}</span></p>`

/** Requests a minute in both buckets. */
export const limitsOf = ({ search_limit: search, general_limit: general }: ListedKey): string =>
  `${search ?? LIMIT_DEFAULT} searches, ${general ?? LIMIT_DEFAULT} other requests a minute`

/** The day of a moment, `2026-11-28`. */
export const dayOf = (moment: string): string => moment.slice(0, 10)
