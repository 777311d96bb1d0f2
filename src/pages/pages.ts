/** The pages for people, as the server mounts them. */
import type { FastifyInstance } from 'fastify'
import type { Pages } from '../serve/http/pages.ts'
import { addAssets } from './assets.ts'
import { html } from './html.ts'
import { layout } from './layout.ts'
import { PAGE_HEADERS } from './send.ts'

export interface PagesOptions {
  /** What the reference shows. */
  openapi: object
}

/** All pages of a server. They are made when they are first asked for, so that a start does not wait for them. */
export function pages(_options: PagesOptions): Pages {
  return {
    mount(fastify: FastifyInstance) {
      addAssets(fastify)
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
