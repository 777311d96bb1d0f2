/**
 * A document as filed, in a frame. Scripts of the document never run: the frame and the document's own policy are
 * sandboxes without scripts, forms or an origin. The address of the document accepts no cookie.
 */
import type { HttpError } from '../../declare/api-errors.ts'
import { html } from '../html.ts'
import { PAGE_HEADERS } from '../send.ts'
import { type FiledEntry, type FilingAnswer, isReadable, sizeOf } from './filing-page.ts'
import { frameOf } from './frame.ts'

/** Allows styles and pictures within the document; nothing is fetched. */
export const DOCUMENT_HEADERS = {
  'content-security-policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

export const FRAMED_PAGE = { ...PAGE_HEADERS, vary: 'cookie' }

/** Types that a browser shows in a sandbox; PDF is missing because a browser refuses to show a PDF in a sandbox. */
const isShown = ({ media_type: type }: FiledEntry) => /^(text\/|image\/|application\/(xml|xhtml))/.test(type)

export function documentPage({
  filing,
  accession,
  entry,
  url,
  hasAccounts,
}: {
  filing: FilingAnswer
  accession: string
  entry: FiledEntry
  url: string
  hasAccounts: boolean
}): string {
  const { header, documents, capabilities } = filing
  const name = `${entry.type} as filed`
  return frameOf({
    title: `${header.company_name}: ${name}`,
    description: `Document ${entry.seq} of filing ${accession}, as filed`,
    query: null,
    hasAccounts,
    body: html`<p class="over"><a href="/filing/${accession}">Form ${header.form_type} · ${header.filed_date}</a></p>
<h1>${header.company_name}: ${name}</h1>
<p class="ways">${capabilities.text !== null && isReadable(entry) && html`<a class="button" href="/filing/${accession}/text?sequence=${entry.seq}">Text</a> `}<a class="button" href="${url}" download="${entry.filename ?? `${accession}-${entry.seq}`}">Download, ${sizeOf(entry.size)}</a></p>
${
  isShown(entry)
    ? html`<iframe class="original" sandbox src="${url}" title="${name}" referrerpolicy="no-referrer" loading="lazy"></iframe>`
    : html`<p class="empty">A browser does not show a file of the type <code>${entry.media_type}</code> where nothing may run. Download it instead.</p>`
}
${
  documents.length > 1 &&
  html`<nav aria-label="Documents of the filing"><h2>Other documents</h2><ul class="lists">${documents
    .filter(({ seq }) => seq !== entry.seq)
    .slice(0, 100)
    .map(
      ({ seq, type, description }) =>
        html`<li><a href="/filing/${accession}/original?sequence=${seq}">${type}</a> <span class="detail">${description}</span></li>\n`,
    )}</ul></nav>`
}`,
  })
}

/** Shown in the frame if the document cannot be read. */
export function unavailable({ status, message }: HttpError, accession: string): string {
  const why =
    status === 401
      ? 'The address of this frame is valid for ten minutes. Load the page around it again.'
      : `${message}. The service fetches a filing from EDGAR when it is first opened. While EDGAR cannot be reached, openfilings ingest can load it from an archive.`
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Not available</title></head>
<body><h1>The document is not available</h1><p>${why}</p><p>Filing ${accession}</p></body></html>
`.text
}
