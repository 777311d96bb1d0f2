/** The pages for people, as the server mounts them. */
import type { FastifyInstance } from 'fastify'
import type { Catalog } from '../declare/catalog.ts'
import type { Described } from '../serve/described.ts'
import type { PageRequests } from '../serve/http/page-requests.ts'
import type { Pages } from '../serve/http/pages.ts'
import type { Visitor } from '../serve/http/visitor.ts'
import { addAssets } from './assets.ts'
import { addExplorer } from './explorer/explorer.ts'
import type { Keeping } from './home/state.ts'
import { addHome } from './home.ts'
import { html } from './html.ts'
import { layout } from './layout.ts'
import { addReadyKey, type ReadyKey } from './ready-key.ts'
import { addRedirects } from './redirects.ts'
import { addReference } from './reference/reference.ts'
import { PAGE_HEADERS } from './send.ts'

export interface PagesOptions {
  /** The document that the reference shows. */
  openapi: Described
  /** The declared data: each slice has a page. */
  catalog?: Catalog
  /** The API key that a local start makes for its user, if there is one. */
  readyKey?: ReadyKey
  /** Whether data is shown without a key, as on the page at `/`. */
  showsData?: boolean
  waitsFor?: () => string | null
  project?: string
  keeping?: Keeping
  /** Pages of accounts, if people can sign in. */
  accounts?: AccountPages
}

/**
 * Sign-in, the page of an account and the page of operators (account/account.ts). Loaded only if people can sign in.
 */
export interface AccountPages {
  signInAt(leadsTo: string): string
  add(fastify: FastifyInstance, requests: PageRequests): void
}

/**
 * Returns all pages of a server. These pages are made when they are first requested, so that a start does not wait for
 * them.
 */
export function pages({
  openapi,
  catalog,
  readyKey,
  showsData = true,
  waitsFor = () => null,
  project,
  keeping,
  accounts,
}: PagesOptions): Pages {
  return {
    mount(fastify: FastifyInstance, visitor: Visitor, requests: PageRequests) {
      addAssets(fastify)
      addReadyKey(fastify, readyKey)
      addReference(fastify, { described: openapi, visitor, catalog })
      const { version } = openapi
      addHome(fastify, visitor, { version, showsData, waitsFor, project, keeping, hasAccounts: accounts !== undefined })
      addExplorer(fastify, requests, accounts?.signInAt ?? null)
      accounts?.add(fastify, requests)
      addRedirects(fastify)
    },
    missing: () => ({ headers: PAGE_HEADERS, body: missingPage() }),
  }
}

const missingPage = () =>
  layout({
    title: 'Not found · OpenFilings',
    description: 'There is nothing at this address.',
    part: null,
    body: html`<div class="plain">
<p class="over">404</p>
<h1>There is nothing at this address</h1>
<p>The link that led here may be old or cut off. The <a href="/docs">reference</a> lists every endpoint, and the <a href="/">first page</a> says what is loaded.</p>
</div>`,
  })
