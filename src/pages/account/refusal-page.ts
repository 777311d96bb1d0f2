/** The page with the reason why a sign-in, a page of an account or a change was refused. */
import type { Code, HttpError } from '../../declare/api-errors.ts'
import { frameOf } from '../explorer/frame.ts'
import { html } from '../html.ts'

/** Refusals after which a person can sign in again. */
const OPEN: readonly Code[] = ['sign_in_needed', 'sign_in_failed', 'sign_in_unavailable', 'foreign_form']

/** @param signInAt address that begins a sign-in */
export function refusalPage({ code, message }: HttpError, signInAt: string): string {
  const isBegin = code === 'sign_in_needed'
  return frameOf({
    title: isBegin ? 'Sign in' : 'This request was refused',
    description: 'Sign-in to this service',
    query: null,
    hasAccounts: true,
    part: 'account',
    body: html`<div class="plain">
<h1>${isBegin ? 'Sign in' : 'This request was refused'}</h1>
${isBegin ? html`<p>You need to sign in to see this page.</p>` : html`<p class="standing bad" role="alert"><span>${message}</span></p>`}
${OPEN.includes(code) && html`<p><a class="button main" href="${signInAt}">Sign in</a></p>`}
</div>`,
  })
}
