/**
 * The reader. It shows a part of the text of a filing with its table of contents, the facts that were read from the
 * part, and a search in the text.
 */
import { thousands } from '../../declare/thousands.ts'
import { type Html, html, verbatim } from '../html.ts'
import { type Mark, textHtml } from '../markdown.ts'
import { anchorOf } from '../prose.ts'
import { changed } from './addresses.ts'
import { bySentence, type Fact } from './evidence.ts'
import type { FilingAnswer } from './filing-page.ts'
import { frameOf } from './frame.ts'
import { FOUND, type Hit, hitsIn } from './parts.ts'

/** The members of an answer that has a text. */
export interface DocText {
  sequence: number
  type: string
  title: string | null
  text: string
  length: number
  sections: readonly { id: string; title: string; start: number; end: number; doubt: string | null }[]
  pages: number | null
  documents: readonly { sequence: number; type: string; title: string | null }[]
}

/** A part of a text, or the passages in which words were found. */
export interface Reading {
  doc: DocText
  part: { n: number; of: number; from: number; text: string; before: number | null; after: number | null } | null
  found: { text: string; hits: readonly Hit[]; isCut: boolean } | null
}

export interface ReaderPage {
  filing: FilingAnswer
  accession: string
  reading: Reading
  facts: readonly Fact[]
  /** The place that the address names. */
  here: Hit | null
  query: string | null
  hasAccounts: boolean
}

/** Number of letters that are shown around a found place. */
const AROUND = 120
const SECTIONS = 300
const DOCUMENTS = 100

export function readerPage(page: ReaderPage): string {
  const { filing, accession, reading, query } = page
  const { doc, part } = reading
  const { header } = filing
  const facts = page.facts.filter(({ sequence }) => sequence === doc.sequence)
  const name = doc.title !== null && doc.title !== doc.type ? `${doc.type}: ${doc.title}` : doc.type
  const of = part && part.of > 1 ? ` · part ${part.n} of ${part.of}` : ''
  return frameOf({
    title: `${header.company_name} · ${doc.type} · ${header.filed_date}`,
    description: `The text of ${name}, filed ${header.filed_date} by ${header.company_name}`,
    query: null,
    hasAccounts: page.hasAccounts,
    sidebar: { name: 'Contents', content: contentsOf(page) },
    body: html`<p class="over"><a href="/filing/${accession}">${header.company_name} · Form ${header.form_type} · ${header.filed_date}</a>${of}</p>
<h1 class="text">${name.slice(0, 200)}</h1>
<form class="inside" action="/filing/${accession}/text" method="get" role="search"><input type="hidden" name="sequence" value="${doc.sequence}"><label class="unseen" for="inside">Search this document</label><input id="inside" type="search" name="q" value="${query}" placeholder="Search this document" maxlength="200" autocomplete="off" enterkeyhint="search"><button class="button" type="submit">Find</button> <a class="as-filed" href="/filing/${accession}/original?sequence=${doc.sequence}">As filed</a></form>
${part === null ? foundList(page) : partOf(page, part, facts)}`,
  })
}

const addressOf = ({ accession, reading: { doc } }: ReaderPage, set: Readonly<Record<string, string | number>>) =>
  changed(`/filing/${accession}/text`, { sequence: doc.sequence, ...set })

function contentsOf(page: ReaderPage): Html {
  const { accession, reading } = page
  const { doc, part } = reading
  const to = part ? part.from + part.text.length : 0
  const last = part && doc.sections.findLast(({ start }) => start <= Math.max(part.from, page.here?.from ?? 0))
  const isHere = (section: DocText['sections'][number]) => part !== null && section === last && section.start < to
  const section = (each: DocText['sections'][number]) =>
    html`<li><a href="${addressOf(page, { at: each.start })}"${isHere(each) && verbatim(' aria-current="true"')}${each.doubt !== null && html` title="${each.doubt}"`}>${headingOf(each.title)}</a></li>\n`
  const others = doc.documents.filter(({ sequence }) => sequence !== doc.sequence)
  return html`${doc.sections.length > 0 && html`<p class="group">Sections</p><ul>${doc.sections.slice(0, SECTIONS).map(section)}</ul>`}
${others.length > 0 && html`<p class="group">Other documents</p><ul>${others.slice(0, DOCUMENTS).map(({ sequence, type, title }) => html`<li><a href="/filing/${accession}/text?sequence=${sequence}">${type}${title !== null && title !== type && html` <small>${title.slice(0, 60)}</small>`}</a></li>\n`)}</ul>`}
<p class="group">Filing</p><ul><li><a href="/filing/${accession}">Overview</a></li><li><a href="/filing/${accession}/original?sequence=${doc.sequence}">As filed</a></li></ul>`
}

/** Cuts a long heading, since some headings are a paragraph long. Headings have no signs of Markdown. */
const headingOf = (title: string) => (title.length > 90 ? `${title.slice(0, 90).trimEnd()}…` : title)

function partOf(page: ReaderPage, part: NonNullable<Reading['part']>, facts: readonly Fact[]): Html {
  const { here, query, reading } = page
  const to = part.from + part.text.length
  const inside = facts.filter(({ offset }) => offset >= part.from && offset < to)
  const hits = query === null ? [] : hitsIn(part.text, query).hits
  const marks: Mark[] = [
    ...(here ? [{ ...here, id: 'here', kind: 'here' as const }] : []),
    ...inside.map((fact) => ({
      from: fact.offset,
      to: fact.offset + fact.length,
      id: idOf(fact),
      kind: 'fact' as const,
    })),
    ...hits.map((hit) => ({ from: part.from + hit.from, to: part.from + hit.to, kind: 'found' as const })),
  ]
  const anchors = new Map(reading.doc.sections.map(({ title, start }) => [anchorOf(title), start]))
  const placeOf = (anchor: string) => {
    const start = anchors.get(anchor)
    return start === undefined ? null : addressOf(page, { at: start })
  }
  const [text, offset] = wholeTable(part.text, part.from)
  const lost = here !== null && (here.from < part.from || here.from >= to)
  return html`${lost && html`<p class="standing busy"><span>The passage of this link is not in the text.</span></p>`}
<div class="reader${inside.length > 0 && ' has-facts'}">
${inside.length > 0 && factsOf(page, inside)}
<article class="filed" aria-label="Text of the document">
${textHtml(text, { offset, marks, placeOf })}</article>
</div>
${(part.before !== null || part.after !== null) && html`<nav class="pager" aria-label="Parts">${part.before !== null && html`<a class="button" rel="prev" href="${addressOf(page, { at: part.before })}">Previous part</a> `}${part.after !== null && html`<a class="button main" rel="next" href="${addressOf(page, { at: part.after })}">Next part</a>`}</nav>`}`
}

/** A part that begins within a table gets an empty head, since a table needs a head. */
function wholeTable(text: string, offset: number): [string, number] {
  const [first = '', second = ''] = text.split('\n', 2)
  if (!first.startsWith('|') || /^\|[\s:|-]+\|$/.test(second)) return [text, offset]
  const columns = first.replaceAll('\\|', '').split('|').length - 2
  if (columns < 1) return [text, offset]
  const head = `${'|  '.repeat(columns)}|\n${'| --- '.repeat(columns)}|\n`
  return [head + text, offset - head.length]
}

const idOf = ({ offset }: Fact) => `fact-${offset}`

function factsOf(page: ReaderPage, facts: readonly Fact[]): Html {
  const { here } = page
  // The passage that the address names gets its own anchor.
  const anchor = (fact: Fact) => (here && fact.offset < here.to && fact.offset >= here.from ? 'here' : idOf(fact))
  const factHtml = ({ label, value }: Fact) =>
    html`<span class="label">${label}</span> <span class="text">${value}</span> `
  const group = (some: readonly Fact[]) =>
    html`<li><a href="#${anchor(some[0]!)}">${some.slice(0, 20).map(factHtml)}</a></li>\n`
  return html`<aside class="read-facts" aria-label="Facts read from this part"><h2>Read from this part <span class="count">${thousands(facts.length)}</span></h2>
<ul>${bySentence(facts).slice(0, 100).map(group)}</ul></aside>`
}

function foundList(page: ReaderPage): Html {
  const { reading, query } = page
  const { text, hits, isCut } = reading.found!
  const { sections } = reading.doc
  const line = ({ from, to }: Hit) => {
    const section = sections.findLast(({ start }) => start <= from)
    const before = text.slice(Math.max(0, from - AROUND), from)
    const after = text.slice(to, to + AROUND)
    const address = `${addressOf(page, { at: from, length: to - from, q: query ?? '' })}#here`
    return html`<li><a href="${address}">${plain(before)}<mark class="found">${plain(text.slice(from, to))}</mark>${plain(after)}</a>${section && html` <span class="detail">${headingOf(section.title)}</span>`}</li>\n`
  }
  const count = isCut
    ? `The first ${FOUND} places`
    : `${thousands(hits.length)} ${hits.length === 1 ? 'place' : 'places'}`
  return html`<p class="total" role="status">${hits.length === 0 ? html`This document does not contain “${query}”.` : html`${count} with “${query}”.`} <a href="${addressOf(page, {})}">Back to the text</a></p>
${hits.length > 0 && html`<ol class="found-list">${hits.map(line)}</ol>`}`
}

/** Removes signs of Markdown that would only distract a reader. */
const plain = (text: string) =>
  text
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '')
    .replace(/[\n|]+|\*\*|#{2,}|-{3,}/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&amp;/g, '&')
