/**
 * A document as filed, in a frame. Scripts of the document never run: the frame and the document's own policy are
 * sandboxes without scripts, forms or an origin. The address of the document accepts no cookie. The document may show
 * pictures of its own filing, and of no other address.
 */
import type { FastifyRequest } from 'fastify'
import type { HttpError } from '../../declare/api-errors.ts'
import { type Html, html } from '../html.ts'
import { PAGE_HEADERS } from '../send.ts'
import { type FiledEntry, type FilingAnswer, isReadable, sizeOf } from './filing-page.ts'
import { frameOf } from './frame.ts'

const HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }

/** Allows styles within the document, and pictures within it and in its own filing; nothing else is fetched. */
export function documentHeaders({ host, url }: FastifyRequest): Record<string, string> {
  const pictures = picturesAt(host, url)
  return {
    ...HEADERS,
    'content-security-policy': `sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:${pictures === null ? '' : ` ${pictures}`}; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
    'cross-origin-resource-policy': 'same-origin',
  }
}

/**
 * The document in the sandbox has no origin, so a picture must allow all origins. The pass in its address protects the
 * picture.
 */
export const PICTURE_HEADERS = {
  ...HEADERS,
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
}

/** Types of pictures that documents may show. The type comes from the bytes of the picture, not from its name. */
export const isPicture = ({ media_type: type }: FiledEntry): boolean => /^image\/(?:gif|jpeg|png)$/.test(type)

/**
 * Returns the folder of a document, as the source for `img-src` in the Content-Security-Policy of the document. Returns
 * null if such a policy cannot name the host, such as an IPv6 address; the document then shows no pictures of other
 * files.
 *
 * @param url address of the document
 */
export function picturesAt(host: string, url: string): string | null {
  const [folder] = /^\/original\/[\w.-]+\/[\d-]+\//.exec(url) ?? []
  return folder !== undefined && /^[a-z\d.-]+(?::\d+)?$/i.test(host) ? `${host}${folder}` : null
}

export const FRAMED_PAGE = { ...PAGE_HEADERS, vary: 'cookie' }

/** Types that a browser shows in a sandbox; PDF is missing because a browser refuses to show a PDF in a sandbox. */
const isShown = ({ media_type: type }: FiledEntry) => /^(text\/|image\/|application\/(xml|xhtml))/.test(type)

export function documentPage({
  filing,
  accession,
  entry,
  url,
  hasPictures,
  hasAccounts,
}: {
  filing: FilingAnswer
  accession: string
  entry: FiledEntry
  url: string
  /** Whether the policy of the frame can allow pictures of the filing. */
  hasPictures: boolean
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
    ? html`<iframe class="original" sandbox src="${url}" title="${name}" referrerpolicy="no-referrer" loading="lazy"></iframe>
${pictureNote(filing, { hasPictures })}`
    : html`<p class="empty">For security, documents are shown in a frame in which nothing may run, and a browser does not show a file of the type <code>${entry.media_type}</code> there. Download the file instead.</p>`
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

/** Says why pictures are missing; null if all pictures of the filing are here. */
function pictureNote({ documents }: FilingAnswer, { hasPictures }: { hasPictures: boolean }): Html | null {
  const pictures = documents.filter(isPicture)
  const missing = pictures.filter((entry) => entry.is_cut_off).length
  if (pictures.length > 0 && !hasPictures)
    return html`<p class="says">Pictures of the filing are not shown in the document, because the security policy of its frame cannot name the IPv6 address of this page. Open this page by the name of its host instead.</p>`
  if (missing === 0) return null
  return html`<p class="says">Pictures are missing: EDGAR serves ${missing} of ${pictures.length} cut off.</p>`
}

/** Makes the page that the frame shows if the document cannot be read. */
export function unavailable({ status, message }: HttpError, accession: string): string {
  const why =
    status === 401
      ? 'The address of this frame is valid for ten minutes. Load the page around it again.'
      : `${message}. The service fetches a filing from EDGAR when the filing is first opened. While EDGAR cannot be reached, openfilings ingest can load the filing from an archive.`
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Not available</title></head>
<body><h1>The document is not available</h1><p>${why}</p><p>Filing ${accession}</p></body></html>
`.text
}
