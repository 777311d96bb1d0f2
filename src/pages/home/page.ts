/** The page at `/`, made from the state that `state.ts` found. */
import type { FirstRequest, NewFiling } from '../../serve/first-requests.ts'
import type { HeldFamily, HeldSeries, HeldSets } from '../../serve/holdings.ts'
import { SERIES } from '../explorer/codes.ts'
import { type Html, html } from '../html.ts'
import { layout } from '../layout.ts'
import { colouredJson } from '../reference/json.ts'
import { ORIGIN } from '../reference/request.ts'
import { daysAgo, momentAgo } from './ago.ts'
import { type Line, shortened } from './answer.ts'
import type { Held, HomeFacts, HomeState } from './state.ts'

const TITLE = 'OpenFilings'
const PURPOSE =
  'The public filings of the SEC, of investment advisers and of broker-dealers as one clean, fast, read-only REST API.'

/** @param state null if the page may not show the data */
export function homePage(
  state: HomeState | null,
  {
    version,
    project,
    now,
    hasAccounts,
  }: { version: string; project: string | undefined; now: Date; hasAccounts: boolean },
): string {
  return layout({
    title: `${TITLE}: SEC, adviser and broker-dealer filings as an API`,
    description: PURPOSE,
    part: 'home',
    styles: ['home.css'],
    scripts: ['home.js', 'suggest.js'],
    body: html`<div class="home"${state && state.is !== 'ready' && html` data-reload="5"`}>
<header class="hero">
<h1>${TITLE}</h1>
<p class="purpose">${PURPOSE}</p>
${searchForm}
<p class="ways"><a class="button" href="/browse">Browse</a> <a class="button" href="/docs">Reference</a> <a class="button" href="/v1/openapi.json">OpenAPI</a> ${hasAccounts && html`<a class="button" href="/account">Your account</a> `}<span class="version">Version ${version}</span></p>
${state && standing(state)}
</header>
${subjects}
${state?.held && figures(state.held, state.facts, now)}
${state?.facts && state.facts.newest.length > 0 && newest(state.facts.newest)}
${state?.facts && state.facts.requests.length > 0 && requests(state.facts.requests)}
${state?.held && holdings(state.held, now)}
${more(project)}
</div>`,
  })
}

const searchForm = html`<form class="find" action="/search" method="get" role="search"><label class="unseen" for="find">Company, adviser, fund, security, person or filing</label><input id="find" type="search" name="q" placeholder="Company, adviser, fund, person, ticker or id" autocomplete="off" required><button class="button main" type="submit">Search</button></form>`

/** The lists that most people look for, each with its own filters. */
const SUBJECTS: readonly (readonly [href: string, name: string])[] = [
  ['/adv/advisers/list', 'Investment advisers'],
  ['/eightk/events', 'Directors and officers'],
  ['/ownership/transactions', 'Trades of insiders'],
  ['/thirteenf/movers', 'What managers bought and sold'],
  ['/formd/filings', 'Private placements'],
  ['/ipos', 'IPOs'],
  ['/fund-launches', 'New funds and ETFs'],
  ['/nmfp/funds', 'Money market funds'],
  ['/brokers', 'Broker-dealers'],
  ['/npx/votes', 'Proxy votes'],
  ['/text-search', 'Text of filings'],
  ['/brochures/search', 'Text of brochures'],
]

const subjects = html`<nav class="subjects" aria-label="Lists"><ul>
${SUBJECTS.map(([href, name]) => html`<li><a href="${href}">${name}</a></li>\n`)}</ul></nav>`

/** States in one sentence which data is loaded, or why no data is loaded. */
function standing({ is, waitsFor, held }: HomeState): Html {
  if (is === 'away') {
    const shown = held ? ` The data on this page was read at ${minute(held.at)}.` : ''
    return note(
      'bad',
      'The data cannot be read at the moment.',
      `Until then, requests for data may be refused.${shown} This page reloads by itself.`,
    )
  }
  if (is === 'preparing') {
    return note('busy', 'Not ready yet.', `Running: ${waitsFor}. This page reloads by itself.`)
  }
  switch (held!.holds) {
    case 'empty':
      return note(
        'busy',
        'Nothing is loaded.',
        html`<code>openfilings ingest</code> loads real filings, <code>openfilings sample</code> the bundled sample.`,
      )
    case 'part':
      return note(
        'busy',
        'Only a part of the bundled sample is loaded.',
        html`<code>openfilings sample</code> loads the rest.`,
      )
    case 'sample':
      return note(
        'good',
        'Ready, with the bundled sample.',
        html`The sample is a selection of public filings for first tries, and some of it is invented: ${held!.invented}. All invented data has Specimen in its name or belongs to a filer or adviser with such a name. <code>openfilings ingest</code> replaces the sample by real filings.`,
      )
    case 'real':
      if (held!.gaps.length > 0) return gapNote(held!.gaps)
      if (held!.chosen) return chosenNote(held!.chosen)
      return note('good', 'Ready.', 'Every number can be traced to the filing from which it was read.')
  }
}

/** Shows only the span from the first gap to the last gap; operators see the list of gaps elsewhere. */
function gapNote(gaps: Held['gaps']): Html {
  const from = gaps.map(({ after_at }) => after_at).sort()[0]!
  const to = gaps
    .map(({ before_at }) => before_at)
    .sort()
    .at(-1)!
  const span = `between ${minute(new Date(from))} and ${minute(new Date(to))}`
  return note(
    'busy',
    'Ready, but filings may be missing.',
    `Some filings that EDGAR accepted ${span} are not listed here yet: the feed of EDGAR no longer had them when this service read it. They are added with the daily indexes of these days.`,
  )
}

/** Warns that only filings of selected filers are loaded, so lists are not complete. */
function chosenNote({ filers, failed, through }: NonNullable<Held['chosen']>): Html {
  const which = filers === 1 ? 'one chosen filer' : `${number(filers)} chosen filers`
  const until = through === null ? '' : `, through ${through}`
  const lacking =
    failed === 0 ? '' : `For ${number(failed)} of them, EDGAR’s list of their filings could not be read completely. `
  return note(
    failed === 0 ? 'good' : 'busy',
    `Ready, with the filings of ${which}${until}.`,
    `${lacking}Filings of other filers are not loaded: lists and counts cover only these filers. Every number can be traced to the filing from which it was read.`,
  )
}

const note = (kind: 'good' | 'busy' | 'bad', head: string, text: Html | string) =>
  html`<p class="standing ${kind}" role="status"><span><strong>${head}</strong> ${text}</span></p>`

function figures(held: Held, homeFacts: HomeFacts | null, now: Date): Html {
  const { filings, newest, families, series, index, holds } = held
  const isRead = families.filter(({ read }) => read > 0).length
  const last = [...(index ? [index.at] : []), ...series.flatMap(({ loaded }) => loaded?.at ?? [])].sort().at(-1)
  const facts: Fact[] = [
    filings === 0
      ? ['Filings', 'none', 'not loaded']
      : ['Filings', number(filings), isRead === 1 ? '1 family read into rows' : `${isRead} families read into rows`],
    homeFacts?.advisers ? ['Advisers', number(homeFacts.advisers), 'Form ADV'] : null,
    ['Newest filing', newest ?? 'none', newest ? daysAgo(newest, now) : 'not loaded'],
    // A sample is a selection of filings, so the range of its indexes has no meaning.
    holds === 'real' && index ? ['Indexes through', index.through, daysAgo(index.through, now)] : null,
    [
      'Last loaded',
      last ? last.slice(0, 10) : 'never',
      last ? `${momentAgo(last, now)}, ${last.slice(11, 16)} UTC` : 'no index or file was loaded',
    ],
  ]
  const row = (fact: Fact) =>
    fact && html`<div><dt>${fact[0]}</dt><dd>${fact[1]}</dd><dd class="small">${fact[2]}</dd></div>\n`
  return html`<dl class="figures" aria-label="What is loaded">\n${facts.map(row)}</dl>`
}

type Fact = [name: string, value: string, note: string] | null

/** The newest filings, with links to the pages of the filing and its filer. */
const newest = (filings: readonly NewFiling[]) => html`<section aria-labelledby="new">
<h2 id="new">Newest filings</h2>
<div class="wide" tabindex="0" role="region" aria-label="Newest filings"><table>
<thead><tr><th scope="col">Filed</th><th scope="col">Filer</th><th scope="col">Form</th></tr></thead>
<tbody>
${filings.map(
  ({ accession, cik, company_name, form_type, filed_date }) =>
    html`<tr><td class="day">${filed_date}</td><td><a href="/company/${String(Number(cik))}">${company_name}</a></td><td><a href="/filing/${accession}">${form_type}</a></td></tr>\n`,
)}</tbody>
</table></div>
<p><a href="/filings">All filings</a> · <a href="/events">changes as they come</a></p>
</section>`

function requests(tried: readonly FirstRequest[]): Html {
  return html`<section aria-labelledby="try">
<h2 id="try">First requests</h2>
<p>The answers were made just now from the data that is loaded here, and are shortened. <code>OPENFILINGS_KEY</code> is an API key: <code>openfilings serve</code> prints one if it runs on your own machine, and <code>openfilings keys create --account NAME</code> makes more.</p>
${tried.map((each, n) => request(each, n === 0))}</section>`
}

function request({ route, address, answer, file }: FirstRequest, isOpen: boolean): Html {
  const line = ({ indent, text, leftOut }: Line) =>
    html`${'  '.repeat(indent)}${leftOut ? html`<i>${text}</i>` : colouredJson(text)}\n`
  return html`<details class="try"${isOpen && html` open`}>
<summary><span class="what">${file ? `As a file: ${route.summary}` : route.summary}</span> <code>${address}</code></summary>
<div class="command"><pre tabindex="0"><code>curl '<span class="origin">${ORIGIN}</span>${address}' -H "Authorization: Bearer $OPENFILINGS_KEY"${file && ` -o ${file}`}</code></pre><button type="button" class="button copy" hidden>Copy</button></div>
<pre class="answer" tabindex="0" aria-label="Answer, shortened"><code>${typeof answer === 'string' ? answer : shortened(answer).map(line)}</code></pre>
</details>
`
}

function holdings(held: Held, now: Date): Html {
  const { families, series, sets } = held
  return html`<section aria-labelledby="held">
<h2 id="held">What is loaded</h2>
<p>${troubles(held)}</p>
${familyTable(
  families.filter(({ tier }) => tier === 'structured'),
  held,
  now,
)}
${fileTable(series, sets, held, now)}
${otherFamilies(held)}
</section>`
}

/** States how many tasks are waiting and have failed; only operators see the reasons. */
function troubles({ families, series, sets, holds }: Held): Html | string {
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
  const counted = [
    [sum(families.map(({ waiting }) => waiting)), 'filing waits to be read', 'filings wait to be read'],
    [sum(families.map(({ failed }) => failed)), 'filing could not be read', 'filings could not be read'],
    [sum([...series, ...sets].map(({ failed }) => failed)), 'file could not be loaded', 'files could not be loaded'],
  ] as const
  const parts = counted.flatMap(([n, one, many]) => (n === 0 ? [] : `${number(n)} ${n === 1 ? one : many}`))
  if (parts.length === 0)
    return holds === 'empty' ? 'Nothing is loaded yet.' : 'No filing or file is waiting, and none failed.'
  return html`${parts.join(', ')}; <code>openfilings status</code> says which ones, and why.`
}

function familyTable(families: readonly HeldFamily[], held: Held, now: Date): Html {
  // Columns of zeros would only push the other columns off a phone's screen.
  const some = (of: (family: HeldFamily) => number) => families.some((family) => of(family) > 0)
  const [sets, waits, fails] = [
    some(({ ofSets }) => ofSets),
    some(({ waiting }) => waiting),
    some(({ failed }) => failed),
  ]
  const more = [sets, waits, fails].filter(Boolean).length
  const row = ({ label, filings, read, ofSets, waiting, failed, newest }: HeldFamily) =>
    filings === 0
      ? html`<tr class="nothing"><th scope="row">${label}</th><td colspan="${3 + more}">${nothingOf(held)}</td></tr>\n`
      : html`<tr><th scope="row">${label}</th>${count(filings)}${count(read)}${sets && count(ofSets)}${waits && count(waiting)}${fails && count(failed, 'failed')}${day(newest, now)}</tr>\n`
  return table(
    'Filings that are read into rows',
    html`<th scope="col">Family</th>${columns('Filings', 'Read', sets && 'Only from sets', waits && 'Waiting', fails && 'Failed')}<th scope="col">Newest</th>`,
    [...families].sort((a, b) => b.filings - a.filings).map(row),
  )
}

function fileTable(series: readonly HeldSeries[], sets: readonly HeldSets[], held: Held, now: Date): Html {
  const fails = [...series, ...sets].some(({ failed }) => failed > 0)
  const ofSeries = ({ series: name, label, loaded, failed }: HeldSeries) => {
    const when = loaded && html`, loaded ${momentAgo(loaded.at, now)}`
    const head = html`<th scope="row">${SERIES[name]} <small>${label}${when}</small></th>`
    if (loaded)
      return html`<tr>${head}${count(loaded.records)}${fails && count(failed, 'failed')}${day(loaded.through, now)}</tr>\n`
    const none = failed > 0 ? 'not loaded: its file failed' : isSample(held) ? 'not in the sample' : 'not loaded'
    return html`<tr class="nothing">${head}<td colspan="${2 + Number(fails)}">${none}</td></tr>\n`
  }
  const ofSets = ({ label, done, failed, filings, through }: HeldSets) =>
    html`<tr><th scope="row">${label} <small>${done} ${done === 1 ? 'set' : 'sets'} of filings</small></th>${count(filings)}${fails && count(failed, 'failed')}${day(through, now)}</tr>\n`
  return table(
    'Bulk files',
    html`<th scope="col">Files</th>${columns('Records', fails && 'Failed')}<th scope="col">Through</th>`,
    [...series.map(ofSeries), ...sets.map(ofSets)],
  )
}

const table = (title: string, head: Html, rows: readonly Html[]) => html`<h3>${title}</h3>
<div class="wide" tabindex="0" role="region" aria-label="${title}"><table>
<thead><tr>${head}</tr></thead>
<tbody>
${rows}</tbody>
</table></div>`

const columns = (...names: (string | false)[]) =>
  names.map((name) => name !== false && html`<th scope="col" class="n">${name}</th>`)

const count = (value: number, kind = '') =>
  html`<td class="n${value === 0 ? ' zero' : ` ${kind}`}">${number(value)}</td>`

const day = (value: string | null, now: Date) =>
  html`<td class="day">${value} <small>${value && daysAgo(value, now)}</small></td>`

/** Filings that no parser reads into rows: first those that are available as text, then the others. */
function otherFamilies(held: Held): Html {
  const of = (tier: HeldFamily['tier']) => held.families.filter((family) => family.tier === tier)
  const unclaimed = held.unclaimed > 0 ? [{ label: 'Other forms', filings: held.unclaimed }] : []
  return html`${namedFamilies(
    'Filings that can be read as text',
    html`Each filing can be read as Markdown, whole or by section. Words in it can be searched after <code>openfilings ingest documents</code> read it.`,
    of('reader'),
    held,
  )}
${namedFamilies('Filings that are listed', 'The list says who filed what and when, and has the original documents. Nothing else is read from these filings.', [...of('listed'), ...unclaimed], held)}`
}

function namedFamilies(
  title: string,
  text: Html | string,
  families: readonly Pick<HeldFamily, 'label' | 'filings'>[],
  held: Held,
): Html {
  const there = families.filter(({ filings }) => filings > 0).sort((a, b) => b.filings - a.filings)
  const absent = families.length - there.length
  const rest = absent === 0 ? '' : `${absent} ${there.length > 0 ? 'more families' : 'families'}: ${nothingOf(held)}.`
  return html`<h3>${title}</h3>
<p>${text} ${rest}</p>
${there.length > 0 && html`<ul class="listed">\n${there.map(({ label, filings }) => html`<li><span>${label}</span> <b>${number(filings)}</b></li>\n`)}</ul>`}`
}

/**
 * Says which source has no filings of these families: the sample, the chosen filers, or the indexes that were loaded.
 */
function nothingOf(held: Held): string {
  if (isSample(held)) return 'none is in the sample'
  if (held.chosen) return 'the chosen filers have none'
  return held.index ? 'none is in the indexes that were loaded' : 'not loaded'
}

const isSample = ({ holds }: Held) => holds === 'sample' || holds === 'part'

function more(project: string | undefined): Html {
  const links: [href: string, name: string, text: string][] = [
    ['/docs', 'Reference', 'Every endpoint with its parameters, answers and examples'],
    ['/docs/guides/who-bought-a-stock', 'Guides', 'One page for each purpose of this API, with requests to copy'],
    ['/docs/data', 'Data', 'Which forms are read, and the tables and columns of each family'],
    ['/v1/openapi.json', 'OpenAPI 3.1', 'The same description for programs: clients are generated from it'],
    ['/llms.txt', 'llms.txt', 'The same for language models, as Markdown'],
    ['/readyz', 'Health', 'Whether data can be queried. There are also /healthz and /metrics'],
  ]
  const documents: [file: string, text: string][] = [
    ['README.md', 'what this service is, and how to start'],
    ['docs/operating.md', 'how to run it for others'],
    ['docs/analysts.md', 'how to query the database itself, with SQL'],
    ['docs/architecture.md', 'how the code is divided'],
    ['CONTRIBUTING.md', 'how a dataset is added'],
  ]
  const document = (file: string) => {
    const name = html`<code>${file}</code>`
    return project === undefined ? name : html`<a href="${project}/blob/HEAD/${file}">${name}</a>`
  }
  return html`<section aria-labelledby="more">
<h2 id="more">Next steps</h2>
<ul class="cards">
${links.map(([href, name, text]) => html`<li><a href="${href}">${name}</a><span>${text}</span></li>\n`)}</ul>
<h3>Documents of the project</h3>
<ul class="documents">
${documents.map(([file, text]) => html`<li>${document(file)} ${text}</li>\n`)}</ul>
</section>`
}

const number = (value: number) => value.toLocaleString('en-US')

/** Writes a moment as `2026-11-20 06:00 UTC`. */
const minute = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
