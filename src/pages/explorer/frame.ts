/** The frame of pages about data: the search in the header, and the style of these pages. */
import { type Html, html } from '../html.ts'
import { layout } from '../layout.ts'

export interface Framed {
  title: string
  description: string
  /** The text in the search box; null for none. */
  query: string | null
  body: Html
  /** Links within a document. */
  sidebar?: { name: string; content: Html }
  /** Whether this service has accounts, so that the header links to the reader's account. */
  hasAccounts: boolean
  /** The link in the header that leads to this page; by default the link to the lists. */
  part?: 'browse' | 'account'
  /** Whether the browser loads the page again at once. */
  reload?: boolean
}

export const frameOf = ({
  title,
  description,
  query,
  body,
  sidebar,
  hasAccounts,
  part = 'browse',
  reload,
}: Framed): string =>
  layout({
    title: `${title} · OpenFilings`,
    description,
    part,
    hasAccounts,
    tools: searchBox(query ?? ''),
    body: html`<div class="explorer">${body}</div>`,
    styles: ['explorer.css'],
    scripts: ['explorer.js', 'suggest.js'],
    ...(sidebar && { sidebar }),
    ...(reload && { reload }),
  })

/** One search box for everything. The key `/` moves the focus to the search. */
const searchBox = (query: string): Html =>
  html`<form class="search-box" action="/search" method="get" role="search"><label class="unseen" for="search-all">Search everything</label><input id="search-all" type="search" name="q" value="${query}" placeholder="Name, ticker or id" autocomplete="off" enterkeyhint="search"><kbd aria-hidden="true">/</kbd></form>`
