/** The page of the search, and the overview of everything that has a page. */
import type { HttpError } from '../../declare/api-errors.ts'
import type { Next } from '../../declare/route.ts'
import { labelOf } from '../../declare/table.ts'
import { TAGS } from '../../declare/tags.ts'
import { type Html, html } from '../html.ts'
import { changed } from './addresses.ts'
import { frameOf } from './frame.ts'
import { type Place, type Places, titleOf } from './places.ts'
import { isRows } from './shape.ts'
import { forReaders } from './words.ts'

export interface SearchHit {
  kind: string
  id: string
  name: string
  matched: string
  detail: string | null
  url: string
}

export interface SearchPage {
  places: Places
  query: string
  /** The kind that the search is limited to. */
  kind: string | null
  kinds: readonly string[]
  rows: readonly SearchHit[]
  next: Next | null
  notLoaded: unknown
  /** Why a typed number was not found, and how to load data that may have it. */
  unknown?: { note: string } | undefined
  failure?: HttpError | undefined
}

/** Words for what matched the typed text, by `matched`. A match of the name needs no words. */
const MATCHED: Readonly<Record<string, string>> = {
  accession: 'accession number',
  cik: 'CIK',
  crd: 'CRD number',
  file_number: 'file number',
  series: 'series',
  class: 'class',
  cusip: 'CUSIP',
  isin: 'ISIN',
  figi: 'FIGI',
  lei: 'LEI',
  ticker: 'ticker',
  former_ticker: 'former ticker',
  other_name: 'another of its names',
  former_name: 'a former name',
}

/**
 * The suggestions of a search box while a person types: names with their kind, the reason for the match, and the page
 * to open.
 */
export function suggestionsOf(rows: readonly SearchHit[], places: Places) {
  return rows.flatMap(({ kind, name, matched, detail, url }) => {
    const href = places.pageOf(url)
    const why = MATCHED[matched] ?? null
    return href === null
      ? []
      : [{ kind: labelOf(kind), name: name.slice(0, 200), detail: detail?.slice(0, 100) ?? null, why, href }]
  })
}

export function searchPage({
  places,
  query,
  kind,
  kinds,
  rows,
  next,
  notLoaded,
  unknown,
  failure,
}: SearchPage): string {
  const address = (set: Readonly<Record<string, string | number>>) => changed('/search', { q: query, ...set })
  const chip = (each: string | null) =>
    html`<li><a href="${address(each === null ? {} : { kind: each })}"${each === kind && html` aria-current="true"`}>${each === null ? 'All' : labelOf(each)}</a></li>`
  return frameOf({
    title: `${query} · Search`,
    description: 'Companies, advisers, funds, securities, people and filings',
    query,
    hasAccounts: places.hasAccounts,
    body: html`<h1>Search: ${query}</h1>
<ul class="chips" aria-label="Kind">${chip(null)}${kinds.map(chip)}</ul>
${failure && html`<p class="standing bad" role="alert"><span>${failure.message}</span></p>`}
${rows.length > 0 && html`<ol class="results">${rows.map((row) => resultOf(row, places))}</ol>`}
${rows.length === 0 && !failure && nothingOf(query, notLoaded, unknown?.note)}
${next !== null && html`<nav class="pager" aria-label="Pages"><a class="button main" rel="next" href="${address({ ...(kind && { kind }), ...next })}">More</a></nav>`}`,
  })
}

function resultOf({ kind, name, matched, detail, url }: SearchHit, places: Places): Html {
  const page = places.pageOf(url)
  const why = MATCHED[matched]
  return html`<li><span class="kind">${labelOf(kind)}</span> ${page === null ? html`<b>${name}</b>` : html`<a href="${page}">${name}</a>`}${detail && html` <span class="detail">${detail}</span>`}${why && html` <span class="why">by ${why}</span>`}</li>\n`
}

/** Shows that nothing was found, which data is not loaded, and where else to search. */
function nothingOf(query: string, notLoaded: unknown, note: string | undefined): Html {
  const missing = isRows(notLoaded) ? notLoaded : []
  return html`<p class="empty">Nothing that is loaded has the name or number “${query}”.</p>
${note && html`<p class="standing"><span>${forReaders(note)}</span></p>\n`}${missing.length > 0 && html`<ul class="plain-list">${missing.map(({ note }) => html`<li>${forReaders(String(note))}</li>`)}</ul>`}
<p><a href="${changed('/text-search', { q: query })}">Search the text of filings</a> for it, or see <a href="/browse">all lists</a>.</p>`
}

/** Makes the page with every list that can be opened without knowing an id, by subject. */
export function browsePage(places: Places): string {
  const groups = new Map<Place['route']['tag'], Place[]>()
  for (const place of places.all) {
    if (place.address.includes('{') || place.route.tag === 'account' || place.route.name === 'search') continue
    groups.set(place.route.tag, [...(groups.get(place.route.tag) ?? []), place])
  }
  const order = Object.keys(TAGS) as Place['route']['tag'][]
  const section = (tag: Place['route']['tag']) => {
    const found = groups.get(tag)
    if (!found) return null
    return html`<section><h2>${TAGS[tag].name}</h2><ul class="lists">${found.map(({ route, address }) => html`<li><a href="${address}">${titleOf(route)}</a></li>\n`)}</ul></section>`
  }
  return frameOf({
    title: 'Browse',
    description: 'Every list of filings, companies, advisers, funds and people',
    query: null,
    hasAccounts: places.hasAccounts,
    body: html`<h1>Browse</h1>
<p>Every list can be filtered and sorted, and downloaded as CSV. The search above finds everything that has a name or a number.</p>
<div class="browse">${order.map(section)}</div>
<form class="forget" action="/key/forget" method="post"><button class="button" type="submit">Forget the key of this browser</button></form>`,
  })
}
