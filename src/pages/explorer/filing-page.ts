/**
 * The parts of a filing's page in addition to the generic view of its answer: links to its text and documents, and the
 * facts read from it.
 */
import type { z } from 'zod'
import { thousands } from '../../declare/thousands.ts'
import { type Html, html } from '../html.ts'
import { bySentence, type Fact, placeAddress } from './evidence.ts'
import { type Places, titleOf } from './places.ts'

export interface FiledEntry {
  seq: number
  type: string
  filename: string | null
  description: string | null
  media_type: string
  size: number
  url: string | null
  is_cut_off?: true
  cut_off_reason?: string
}

/** Members of the answer about a filing that pages read. */
export interface FilingAnswer {
  header: { form_type: string; filed_date: string; cik: string; company_name: string }
  documents: readonly FiledEntry[]
  documents_note?: string
  capabilities: { text: string | null; bespoke: string | null }
  family?: string | null
  /** Rows by table; for a table with one row per filing, that row. */
  family_data?: Readonly<Record<string, unknown>> | null
}

export interface OwnPart {
  top: Html
  /** Members of the answer that this part shows. */
  without: readonly string[]
  /** Types of members that the answer does not declare. */
  types?: Readonly<Record<string, z.ZodType>>
}

/**
 * Maximum number of sentences on the page of a filing, and of facts of each sentence. The page of the answer from which
 * the facts come shows all of them.
 */
const SHOWN = 30

export function ownPart(answer: FilingAnswer, accession: string, facts: readonly Fact[], places: Places): OwnPart {
  const { capabilities, documents, documents_note: note } = answer
  const read = capabilities.bespoke === null ? null : places.pageOf(capabilities.bespoke)
  const at = capabilities.bespoke === null ? null : places.at(capabilities.bespoke)
  const title = at && titleOf(at.place.route)
  return {
    without: ['documents', 'documents_note', 'capabilities', 'family', 'family_entry'],
    top: html`<p class="ways">${capabilities.text !== null && html`<a class="button main" href="/filing/${accession}/text">Read the text</a> `}${documents.length > 0 && html`<a class="button" href="/filing/${accession}/original">As filed</a> `}${read !== null && html`<a class="button" href="${read}">What was read: ${title}</a>`}</p>
${capabilities.text !== null && searchInside(accession)}
${facts.length > 0 && factList(facts, read)}
${documents.length > 0 ? documentTable(documents, accession, capabilities.text !== null) : noDocuments(note)}
${documents.length > 0 && note !== undefined && html`<p class="says">${note}</p>`}`,
  }
}

const searchInside = (accession: string): Html =>
  html`<form class="inside" action="/filing/${accession}/text" method="get" role="search"><label class="unseen" for="inside">Search the text of this filing</label><input id="inside" type="search" name="q" placeholder="Search the text of this filing" maxlength="200" autocomplete="off" enterkeyhint="search"><button class="button" type="submit">Find</button></form>`

function factList(facts: readonly Fact[], read: string | null): Html {
  const groups = bySentence(facts)
  // Facts of one kind share a label: eight directors who resigned in one sentence have the label "officers".
  const factHtml = ({ label, value }: Fact, n: number, all: readonly Fact[]) =>
    html`<li>${label !== all[n - 1]?.label && html`<span class="label">${label}</span> `}<b class="text">${value}</b></li>`
  const line = (group: readonly Fact[]) =>
    html`<li><a class="quote" href="${placeAddress(group[0]!)}"><q class="text">${group[0]!.sentence.slice(0, 400)}</q></a><ul>${group.slice(0, SHOWN).map(factHtml)}</ul></li>\n`
  const more = groups.length - SHOWN
  return html`<section class="part" id="facts"><h2>Facts and the words that state them <span class="count">${thousands(facts.length)}</span></h2>
<p class="says">Each sentence is a link to its place in the text.</p>
<ul class="stated">${groups.slice(0, SHOWN).map(line)}</ul>
${more > 0 && read !== null && html`<p class="says"><a href="${read}">${thousands(more)} more sentences</a></p>`}</section>`
}

/**
 * Whether the reader page can probably show a document: the same rule as for texts (`mayHaveText`), which leaves out
 * data such as XBRL, and what EDGAR made. The bytes of the document decide later.
 */
export function isReadable({ media_type: mediaType, type }: FiledEntry): boolean {
  if (type === 'XML') return false
  const [media = ''] = mediaType.split(';')
  if (media === 'application/xml') return !/^EX-/i.test(type)
  return /^(?:text\/html|text\/plain|application\/xhtml\+xml|application\/pdf)$/.test(media)
}

function documentTable(documents: readonly FiledEntry[], accession: string, hasText: boolean): Html {
  const saysOf = ({ description, type }: FiledEntry) => (description === type ? null : description)
  const listed = documents.slice(0, 200)
  const [areDescribed, haveFiles] = [listed.some(saysOf), listed.some(({ filename }) => filename)]
  const row = (entry: FiledEntry) => {
    const { seq, type, filename, size } = entry
    const ways = entry.is_cut_off
      ? html`<span class="none">cut off: as EDGAR serves it, ${entry.cut_off_reason ?? 'the submission ends before it'}</span>`
      : html`${hasText && isReadable(entry) && html`<a href="/filing/${accession}/text?sequence=${seq}">Text</a> `}<a href="/filing/${accession}/original?sequence=${seq}">As filed</a>`
    return html`<tr><td class="number">${seq}</td><th scope="row">${type}</th>${areDescribed && html`<td><span class="text">${saysOf(entry)}</span></td>`}${haveFiles && html`<td><span class="text">${filename}</span></td>`}<td class="number">${sizeOf(size)}</td><td class="reads">${ways}</td></tr>\n`
  }
  return html`<section class="part" id="documents"><h2>Documents <span class="count">${thousands(documents.length)}</span></h2>
<div class="wide" tabindex="0" role="region" aria-label="Documents"><table class="rows"><caption class="unseen">Documents</caption>
<thead><tr><th scope="col" class="number">No.</th><th scope="col">Type</th>${areDescribed && html`<th scope="col">Description</th>`}${haveFiles && html`<th scope="col">File</th>`}<th scope="col" class="number">Size</th><th scope="col">Read</th></tr></thead>
<tbody>
${listed.map(row)}</tbody></table></div>
${documents.length > 200 && html`<p class="says">${thousands(documents.length - 200)} more are in the JSON.</p>`}</section>`
}

/** Explains how to get documents that are not in the archive. */
const noDocuments = (note: string | undefined): Html =>
  html`<section class="part" id="documents"><h2>Documents</h2>
<p class="empty">${note === undefined ? 'No document is here.' : `No document is here: ${note}.`} If EDGAR can be reached, the service fetches a filing when the page of the filing is opened. <code>openfilings ingest</code> loads all filings of a form in advance.</p></section>`

/** Writes a number of bytes for readers: `12 kB`. */
export const sizeOf = (bytes: number): string =>
  bytes < 1000 ? `${bytes} B` : bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
