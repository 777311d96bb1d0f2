/** The page of one answer. It is a list with its filters and pages, or a thing with its facts, sections and links. */
import { z } from 'zod'
import type { HttpError } from '../../declare/api-errors.ts'
import { capital } from '../../declare/capital.ts'
import type { ServedRoute } from '../../declare/catalog.ts'
import type { Next } from '../../declare/route.ts'
import type { Suggestion } from '../../declare/suggestions.ts'
import { TAGS } from '../../declare/tags.ts'
import { thousands } from '../../declare/thousands.ts'
import type { Absent } from '../../serve/http/absent.ts'
import { assetPath } from '../assets.ts'
import { type Html, html } from '../html.ts'
import { snippetsOf } from '../reference/request.ts'
import { changed, PLACE, pathIn, queryIn } from './addresses.ts'
import { type Charts, chartsOf, type Source } from './charts-of.ts'
import { chosenIn, columnsForm } from './chosen-columns.ts'
import { FIRST_COLUMNS } from './columns.ts'
import type { Field } from './conditions.ts'
import { filingOf } from './evidence.ts'
import { factsOf } from './facts.ts'
import { feedsOf } from './feeds.ts'
import type { OwnPart } from './filing-page.ts'
import { filtersOf } from './filters.ts'
import { requestsOf } from './followed.ts'
import { frameOf } from './frame.ts'
import { givenOf, givenWords } from './given.ts'
import { formIn, nameIn, numbered } from './heading.ts'
import { highlightsOf } from './highlights.ts'
import { type Links, leadsOf } from './leads.ts'
import { type Linker, linkerOf } from './linker.ts'
import { liveOf } from './live.ts'
import { parametersOf } from './parameters.ts'
import { type Place, type Places, titleOf } from './places.ts'
import { type Preview, type Previewed, previewedOf } from './previews.ts'
import { laidOut, tableOf } from './rows.ts'
import { isObject, isRows } from './shape.ts'
import { sortingOf } from './sorting.ts'
import { countsAtSide, talliesOf } from './tallies.ts'
import { forReaders, parameterWords, wordsFor } from './words.ts'

export interface AnswerPage {
  place: Place
  places: Places
  /** Address of the page with its query, and without `format`. */
  url: string
  /** Parameters of the path. */
  path: Readonly<Record<string, string>>
  /** Address of the same request to the API. */
  api: string
  /** Null until the reader has typed every required parameter. */
  answer: unknown
  next: Next | null
  /** The error, if the request failed. */
  failure?: HttpError | undefined
  /** Whether the failure only means that a parameter must be typed first. */
  isBegin?: boolean
  /** Fields that the filter tree of the list may name. */
  fields?: readonly Field[] | undefined
  /** A part of the page in addition to the generic view of the answer, and the members that this part shows. */
  own?: OwnPart | undefined
  /** Answers of other routes from which the page draws charts, without the answers that come later. */
  followed?: readonly Source[]
  /** Identifiers in these answers that have no page. */
  absent?: Absent
}

/** Members of an answer that are not facts. */
const FRAME = [
  'value_counts',
  'links',
  'did_you_mean',
  'not_loaded',
  'next_cursor',
  'limit',
  'offset',
  'total',
  'total_is',
  'is_end',
  'next_after',
  'next_offset',
]

export function answerPage(page: AnswerPage): string {
  const { place, answer, failure } = page
  const { route } = place
  const filing = page.path.accession ?? (isObject(answer) ? filingOf(answer) : null)
  const links = linkerOf(page.places, place, pathIn(page.url), { filing, ...(page.absent && { absent: page.absent }) })
  const name = isObject(answer) && Object.keys(page.path).length > 0 ? nameIn(answer) : null
  const ids = Object.values(page.path).join(' ')
  const form = isObject(answer) ? formIn(answer) : null
  const kind = `${titleOf(route)}${form ? ` · Form ${form}` : ''}`
  const heading = name ?? (ids === '' ? titleOf(route) : unnamed(titleOf(route), numbered(page.path)))
  return frameOf({
    title: [heading, ...(name === null ? givenWords(route, page.url, page.places.families) : [kind, shortId(ids)])]
      .filter(Boolean)
      .join(' · '),
    description: route.summary,
    query: null,
    hasAccounts: page.places.hasAccounts,
    body: html`<p class="over">${name === null ? (TAGS[route.tag]?.name ?? '') : `${kind}${ids && ` · ${ids}`}`}</p>
<h1>${heading}</h1>
${failure && (page.isBegin ? html`<p class="standing busy"><span><strong>To begin:</strong> ${failure.message}</span></p>` : failureNote(failure))}
${isListPage(route) ? listOf(page, links) : thingOf(page, links)}
${answer !== null && toolsOf(page)}
${aboutOf(route)}`,
  })
}

/** The id in the title of a page, which tabs and bookmarks show; empty for the long id of a security without CUSIP. */
const shortId = (ids: string): string => (ids.length > 20 ? '' : ids)

/** The heading of a thing without a name: `Career: person 4484689`, and `Filing 0000320193-24-000123`. */
const unnamed = (title: string, thing: string): string =>
  thing.startsWith(`${title.toLowerCase()} `) ? capital(thing) : `${title}: ${thing}`

/** Operations whose rows are the parts of one count: their pages show them as a chart, and not as a list. */
const COUNTS: readonly string[] = ['status']

const isListPage = ({ list, name }: ServedRoute) => list !== null && !COUNTS.includes(name)

function listOf(page: AnswerPage, links: Linker): Html {
  const { url, answer, next, isBegin } = page
  const { route } = page.place
  const { member, row } = route.list!
  const rows = rowsOf(route, answer)
  const isWhole = Array.isArray(rows) && next === null && isFirst(url)
  const others = isObject(answer) ? answer : {}
  const { section: between, drawn } = drawnOf(page, links)
  const counts = countsAtSide(route, url, others)
  // On the page of a list, a member without a value is left out: it is a remark that does not apply.
  const silent = isThing(page) ? [] : Object.keys(others).filter((name) => others[name] === null)
  const without = [...FRAME, member ?? '', ...chosenParameters(route), ...(counts?.members ?? []), ...silent]
  const around = factsOf(others, route.output, { links, without, json: jsonOf(url), between, drawn })
  const laid = isRows(rows)
    ? laidOut(rows, row, {
        ...{ caption: titleOf(route), links, without: ['links'], first: FIRST_COLUMNS[route.name] ?? [] },
        ...{ chosen: chosenIn(url), headOf: sortingOf(route, url), pageOfRow: links.ofRow },
      })
    : null
  const given = givenOf(route, url, page.places.families)
  return html`${filtersOf(route, url, { isOpen: isBegin ?? false, fields: page.fields, families: page.places.families })}
${given}
${notLoadedOf(others.not_loaded)}
${around}
${isThing(page) && laid && html`<h2>${rowsTitle(route)}</h2>`}
<div class="list-body${(isRows(others.value_counts) || counts !== null) && ' with-counts'}">
${counts?.tables ?? talliesOf(route, url, others.value_counts, page.places.families)}
<div class="list-rows">
<div class="list-head">${totalOf(others, isWhole ? rows.length : null)}${laid && columnsForm(laid.columns, laid.shown, url)}</div>
${laid?.table}
${answer !== null && !laid && emptyNote(others.did_you_mean as Suggestion[] | undefined, given !== null, page)}
${pagerOf(url, next)}
</div></div>
${leadsOf(others.links as Links | undefined, links)}`
}

/** Operations whose parameter `q` is not the name of a thing. */
const NOT_NAMES: readonly string[] = ['text_search', 'brochure_search']

/**
 * Says that no rows match, with links to similar requests for which there are rows. For a name without rows, the link
 * leads to the search, which also knows tickers and numbers.
 */
function emptyNote(found: Suggestion[] | undefined, hasFilters: boolean, { place, places, url }: AnswerPage): Html {
  const { name } = place.route
  const links = (found ?? []).map(({ parameter, value, url: to }) => {
    const label = parameterWords(name, parameter)
    return html`<p class="says">Did you mean <a href="${places.pageOf(to)}">${label} ${value}</a>?</p>`
  })
  const q = NOT_NAMES.includes(name) ? null : queryIn(url).get('q')
  const search =
    q !== null &&
    found === undefined &&
    html`<p class="says"><a href="/search?q=${encodeURIComponent(q)}">Search everything for “${q}”</a></p>`
  const advice = found === undefined && hasFilters && ' Some rows may match if you remove one of these filters.'
  return html`<p class="empty">No rows match.${advice}</p>\n${links}${search}`
}

/**
 * The heading of a list's rows: the name of the member that holds the rows, unless this name is only `rows` or `items`.
 */
function rowsTitle(route: ServedRoute): string {
  const { member } = route.list!
  return member === null || ['rows', 'items'].includes(member) ? titleOf(route) : wordsFor(member)
}

/** Whether the page of a list is the page of a thing: other sections then come before the rows of the list. */
const isThing = ({ path }: AnswerPage) => Object.keys(path).length > 0

function thingOf(page: AnswerPage, links: Linker): Html {
  const { url, answer, next, own } = page
  const { route } = page.place
  const { section: between, drawn } = drawnOf(page, links)
  const values = isObject(answer) ? answer : {}
  const { output } = route
  const shape = own?.types && output instanceof z.ZodObject ? z.object({ ...output.shape, ...own.types }) : output
  const form = 'include' in route.input.shape ? null : filtersOf(route, url, { families: page.places.families })
  // If the rows of a count are not drawn, none of them has a value, so they are left out.
  const uncounted = COUNTS.includes(route.name) && !drawn.has(route.list!.member!) ? [route.list!.member!] : []
  const without = [...FRAME, ...uncounted, ...(own?.without ?? [])]
  return html`${form}
${liveOf(route, url, page.places.families)}
${notLoadedOf(values.not_loaded)}
${highlightsOf(route.name, answer)}
${leadsOf(values.links as Links | undefined, links)}
${own?.top}
${answer !== null && factsOf(values, shape, { links, without, first: FIRST_COLUMNS[route.name] ?? [], json: jsonOf(url), between, drawn })}
${listsPlace(page, links)}
${pagerOf(url, next)}`
}

/** Parameters whose value the answer repeats as a member. The page leaves out this member: the form shows the value. */
const chosenParameters = (route: ServedRoute): string[] =>
  parametersOf(route).flatMap(({ name, choices, default: usual }) => (choices && usual !== null ? [name] : []))

/**
 * The charts of the answer, and of the linked answers that the page requests; then a placeholder for the charts that
 * come later.
 */
const drawnOf = (page: AnswerPage, links: Linker): Pick<Charts, 'section' | 'drawn'> =>
  chartsOf(sourcesOf(page), links, { later: laterOf(page, links) })

const sourcesOf = ({ place: { route }, answer, followed = [] }: AnswerPage): readonly Source[] => [
  { name: route.name, answer, url: null },
  ...followed,
]

/**
 * A placeholder that a script fills after the page is shown, with a part of the answer to `?part=later`. All
 * placeholders of a page share this answer. Without scripts, or if the answer is not available, the placeholder keeps
 * its links.
 */
const laterPlace = (url: string, part: 'charts' | 'lists', links: Html): Html =>
  html`<div class="later" data-script="${assetPath('later.js')}" data-from="${changed(url, { part: 'later' })}" data-part="${part}">${links}</div>`

/** The placeholder for the charts that the page does not wait for, with links to their lists. */
function laterOf({ place, places, url, path, answer }: AnswerPage, links: Linker): Html | null {
  const requests = requestsOf(places, { place, path, answer }, 'later')
  if (requests.length === 0) return null
  const lists = requests.flatMap((request) => {
    // The link leads to the whole list, without the parameters that only the charts need.
    const page = links.pageOf(changed(request.url, {}, Object.keys(request.followed.query ?? {})))
    return page === null ? [] : [{ page, title: links.titleAt(request.url) ?? page }]
  })
  const distinct = lists.filter(({ page }, n) => lists.findIndex((other) => other.page === page) === n)
  const line = ({ page, title }: (typeof lists)[number]) =>
    html`<p class="says">Charts of <a href="${page}">${title}</a></p>`
  return laterPlace(url, 'charts', html`${distinct.map(line)}`)
}

/** The placeholder for the first rows of the lists to which a thing links, with the links. */
function listsPlace({ place, places, url, answer }: AnswerPage, links: Linker): Html | null {
  const heads = previewedOf(places, place, answer).map((list) => listHead(list, links))
  return heads.every((head) => head === null) ? null : laterPlace(url, 'lists', html`${heads}`)
}

/** The heading of a list, as a link to the list; null if the list has no page. */
function listHead({ url, count, route }: Previewed, links: Linker): Html | null {
  const page = links.pageOf(url)
  if (page === null) return null
  return html`<h2><a href="${page}">${titleOf(route)}</a>${count !== undefined && html` <span class="count">${thousands(count)}</span>`}</h2>\n`
}

/** More than the number of charts of any page: the ids of charts that come later begin with this number. */
const CHARTS_MAX = 100

/**
 * The parts that the page does not wait for. A part is missing if none of its answers can be read, and empty if there
 * is nothing to show. A chart is not drawn if the page's own answer has a chart with the same title. To compare
 * titles is enough, since charts of other operations have other titles.
 *
 * @param later.charts the answers that are drawn; null for an answer that cannot be read
 */
export function laterParts(
  page: Omit<AnswerPage, 'followed'>,
  { charts, lists }: { charts: readonly (Source | null)[]; lists: readonly Preview[] },
): string {
  const { places, place, url, absent = {} } = page
  const links = linkerOf(places, place, pathIn(url), { absent })
  const read = charts.filter((each) => each !== null)
  const { titles } = chartsOf(sourcesOf(page), links)
  const drawn = chartsOf(read, links, { before: titles, idsFrom: CHARTS_MAX }).section
  const previews = lists.map((list) => previewOf(list, linkerOf(places, list, pathIn(url), { absent })))
  return html`${drawn ?? (read.length > 0 && html`<section class="charts"></section>`)}
${lists.length > 0 && html`<div class="lists">${previews}</div>`}`.text
}

/** The first rows of a list. Only its heading if the list cannot be read. Null if the list has no rows or no page. */
function previewOf(list: Preview, links: Linker): Html | null {
  const { route, answer } = list
  const rows = rowsOf(route, answer)
  const head = listHead(list, links)
  if (head === null || (answer !== null && !isRows(rows))) return null
  const title = titleOf(route)
  return html`<section class="part">
${head}${isRows(rows) && tableOf(rows, route.list!.row, { caption: title, links, without: ['links'], first: FIRST_COLUMNS[route.name] ?? [], pageOfRow: links.ofRow })}
</section>
`
}

export function failureNote({ status, message, reason, searchUrl }: HttpError): Html {
  if (status === 404) {
    // The heading has the identifier in words, and the reason only its name as a parameter.
    const lead =
      searchUrl === null
        ? html`${reason}.`
        : html`<a href="${searchUrl.replace(/^\/v1/, '')}">Search for this id</a>: it may be of another kind of thing.`
    return html`<p class="standing busy" role="alert"><span><strong>This is not here.</strong> ${lead} It might not be loaded: <a href="/">the first page</a> says what is loaded, and <code>openfilings ingest</code> loads more.</span></p>`
  }
  const head = status === 429 ? 'Too many requests for now.' : 'This request cannot be answered.'
  return html`<p class="standing bad" role="alert"><span><strong>${head}</strong> ${message}</span></p>`
}

/** The page of an address for which the API has no answer. */
export const failurePage = (failure: HttpError, url: string, { hasAccounts }: Places): string =>
  frameOf({
    title: failure.status === 404 ? 'Not here' : 'No answer',
    description: 'The request failed',
    query: null,
    hasAccounts,
    body: html`<h1>${failure.status === 404 ? 'This is not here' : 'This request cannot be answered'}</h1>
${failureNote(failure)}
<p><a href="${pathIn(url).replace(/\/(text|original)$/, '')}">Back to the filing</a></p>`,
  })

/** Names the data that was never loaded, so that readers do not mistake missing data for zero. */
function notLoadedOf(missing: unknown): Html | null {
  if (!isRows(missing)) return null
  return html`<div class="standing busy"><div><strong>Some of the data for this page is not loaded here.</strong><ul class="plain-list">${missing.map(({ note }) => html`<li>${forReaders(String(note))}</li>`)}</ul></div></div>`
}

/** @param shown the number of rows if the page has all of them */
function totalOf(
  { total: counted, total_is: is }: Readonly<Record<string, unknown>>,
  shown: number | null,
): Html | null {
  const total = is === 'estimate' && shown !== null ? shown : counted
  if (typeof total !== 'number') return null
  const rows = total === 1 ? 'row' : 'rows'
  return html`<p class="total">${is === 'estimate' && shown === null ? 'About ' : ''}${thousands(total)} ${rows}</p>`
}

/** The rows of a list in its answer. */
function rowsOf({ list }: ServedRoute, answer: unknown): unknown {
  const { member } = list!
  return member === null ? answer : (answer as Record<string, unknown> | null)?.[member]
}

/** Whether the address is the first page of a list. */
const isFirst = (url: string): boolean => !PLACE.some((name) => queryIn(url).has(name))

function pagerOf(url: string, next: Next | null): Html | null {
  if (next === null && isFirst(url)) return null
  // The cursor determines where the page begins, so the offset is removed.
  const after = next && changed(url, next, 'cursor' in next ? ['offset'] : [])
  return html`<nav class="pager" aria-label="Pages">${!isFirst(url) && html`<a class="button" href="${changed(url, {}, PLACE)}">First page</a> `}${after !== null && html`<a class="button main" rel="next" href="${after}">Next page</a>`}</nav>`
}

/** Addresses of the same answer for programs. */
function toolsOf({ place: { route }, url, api }: AnswerPage): Html {
  const forms: [format: string, name: string][] = [['json', 'JSON']]
  if (route.list) forms.push(['csv', 'CSV'], ['ndjson', 'NDJSON'], ['parquet', 'Parquet'])
  return html`<section class="for-programs" aria-labelledby="for-programs">
<h2 id="for-programs">For programs</h2>
<p class="ways">${forms.map(([format, name]) => html`<a class="button" href="${changed(url, { format })}">${name}</a> `)}<a class="button" href="/docs/${route.name}">Reference</a></p>
${feedsOf(route, api)}${snippetsOf(api, true).map(({ language, code }) => html`<details class="snippet"><summary>${language}</summary><pre tabindex="0"><code>${code}</code></pre></details>\n`)}</section>`
}

const aboutOf = ({ name, description }: ServedRoute) =>
  description !== undefined &&
  html`<details class="about"><summary>About this data</summary>${description.split(/\n+/).map((line) => html`<p>${forReaders(line, (other) => parameterWords(name, other))}</p>`)}</details>`

const jsonOf = (url: string) => changed(url, { format: 'json' })
