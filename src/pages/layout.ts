/** The frame of every page: head, header with navigation, sidebar, body, footer. */
import { type AssetName, assetPath } from './assets.ts'
import { type Html, html, verbatim } from './html.ts'

export interface Page {
  title: string
  /** One sentence, for search engines and previews. */
  description: string
  /** The link in the header that leads to this page, if one does. */
  part: 'home' | 'browse' | 'reference' | 'account' | null
  /** Whether the header links to the account of the reader. */
  hasAccounts?: boolean
  /** Content of the header that is placed between the links and the theme switch. */
  tools?: Html
  /** Links within this part of the site. On a phone a button shows these links; the button needs no script. */
  sidebar?: { name: string; content: Html }
  body: Html
  /** Styles of this page, in addition to those of every page. */
  styles?: readonly AssetName[]
  /** Scripts of this page, in addition to the script of every page. */
  scripts?: readonly AssetName[]
  /** Address of the same page as Markdown. */
  markdown?: string
  /** Whether the browser loads the page again at once. */
  reload?: boolean
}

const LINKS = [
  { part: 'home', href: '/', text: 'Home' },
  { part: 'browse', href: '/browse', text: 'Browse' },
  { part: 'reference', href: '/docs', text: 'Reference' },
  { part: null, href: '/v1/openapi.json', text: 'OpenAPI' },
] as const
const ACCOUNT_LINK = { part: 'account', href: '/account', text: 'Account' } as const

/** Returns the HTML of a whole page. */
export function layout({
  title,
  description,
  part,
  hasAccounts = false,
  tools,
  sidebar,
  body,
  styles = [],
  scripts = [],
  markdown,
  reload = false,
}: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">${reload && verbatim('\n<meta http-equiv="refresh" content="0">')}
<title>${title}</title>
<meta name="description" content="${description}">
<link rel="icon" href="${assetPath('icon.svg')}" type="image/svg+xml">
${markdown !== undefined && html`<link rel="alternate" type="text/markdown" href="${markdown}">`}
<link rel="stylesheet" href="${assetPath('style.css')}">
${styles.map((name) => html`<link rel="stylesheet" href="${assetPath(name)}">\n`)}<script src="${assetPath('theme.js')}"></script>
${scripts.map((name) => html`<script type="module" src="${assetPath(name)}"></script>\n`)}</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<div class="bar">
<a class="brand" href="/"><img src="${assetPath('icon.svg')}" alt="" width="24" height="24"> OpenFilings</a>
<nav class="links" aria-label="Site">
${(hasAccounts ? [...LINKS, ACCOUNT_LINK] : LINKS).map(({ href, text, part: own }) => html`<a href="${href}"${own !== null && own === part && verbatim(' aria-current="true"')}>${text}</a>\n`)}</nav>
<div class="tools">${tools}
<button class="theme" type="button" hidden>${SUN}${MOON}<span class="unseen">Dark theme</span></button>
</div>
</div>
</header>
<div class="${sidebar ? 'frame with-sidebar' : 'frame'}">
${
  sidebar &&
  html`<details class="menu"><summary>${sidebar.name}</summary></details>
<nav class="sidebar" aria-label="${sidebar.name}">${sidebar.content}</nav>`
}
<main id="main" tabindex="-1">
${body}
</main>
</div>
<footer class="bottom">
<p>OpenFilings is open source under Apache-2.0. Filings are public records of the SEC and of FINRA; check them at the source before you rely on them.</p>
</footer>
</body>
</html>
`.text
}

const drawing = (className: string, inner: string) =>
  verbatim(
    `<svg class="${className}" viewBox="0 0 20 20" width="18" height="18" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" aria-hidden="true">${inner}</svg>`,
  )

const SUN = drawing(
  'sun',
  '<circle cx="10" cy="10" r="3.4"/><path d="M10 2v1.6M10 16.4V18M2 10h1.6M16.4 10H18M4.3 4.3l1.2 1.2M14.5 14.5l1.2 1.2M4.3 15.7l1.2-1.2M14.5 5.5l1.2-1.2"/>',
)
const MOON = drawing('moon', '<path d="M16.5 12.2A7 7 0 1 1 7.8 3.5a5.6 5.6 0 0 0 8.7 8.7z" stroke-linejoin="round"/>')
