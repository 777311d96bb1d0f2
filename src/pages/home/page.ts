/** The page at `/`, of what `state.ts` found. */
import type { FirstRequest } from '../../serve/first-requests.ts'
import type { HeldFamily, HeldSeries, HeldSets } from '../../serve/holdings.ts'
import { type Html, html } from '../html.ts'
import { layout } from '../layout.ts'
import { daysAgo, momentAgo } from './ago.ts'
import { shortened } from './answer.ts'
import type { Held, HomeState, Told } from './state.ts'

const TITLE = 'OpenFilings'
const PURPOSE =
  'The public filings of the SEC, of investment advisers and of broker-dealers as one clean, fast, read-only REST API.'

/** @param state null where the page may not tell of the data */
export function homePage(state: HomeState | null, { version, now }: { version: string; now: Date }): string {
  return layout({
    title: `${TITLE}: SEC, adviser and broker-dealer filings as an API`,
    description: PURPOSE,
    part: 'home',
    styles: ['home.css'],
    scripts: ['home.js'],
    body: html`<div class="home"${state && state.is !== 'ready' && html` data-reload="5"`}>
<header class="hero">
<h1>${TITLE}</h1>
<p class="purpose">${PURPOSE}</p>
<p class="ways"><a class="button main" href="/docs">Reference</a> <a class="button" href="/v1/openapi.json">OpenAPI</a> <span class="version">Version ${version}</span></p>
${state && standing(state)}
</header>
${state?.held && figures(state.held, state.told, now)}
${state?.told && requests(state.told.requests)}
${state?.held && holdings(state.held, now)}
${more()}
</div>`,
  })
}

/** In a sentence: what is there, or why there is nothing. */
function standing({ is, waitsFor, held }: HomeState): Html {
  if (is === 'away') {
    const shown = held ? ` What stands here was read ${minute(held.at)}.` : ''
    return note('bad', 'The database does not answer at the moment.', `Requests for data are refused meanwhile.${shown} This page looks again by itself.`) // biome-ignore format: one line
  }
  if (is === 'preparing') {
    return note('busy', 'Not ready yet.', `Under way: ${waitsFor}. This page looks again by itself.`)
  }
  switch (held!.holds) {
    case 'empty':
      return note('busy', 'Nothing is loaded.', html`<code>openfilings ingest</code> loads real filings, <code>openfilings sample</code> the bundled sample.`) // biome-ignore format: one line
    case 'part':
      return note('busy', 'Only a part of the bundled sample is loaded.', html`<code>openfilings sample</code> loads the rest.`) // biome-ignore format: one line
    case 'sample':
      return note('good', 'Ready, with the bundled sample.', html`It is a selection of public filings to try things with. <code>openfilings ingest</code> puts real filings in its place.`) // biome-ignore format: one line
    case 'real':
      return note('good', 'Ready.', 'Every number leads back to the filing it was read from.')
  }
}

const note = (kind: 'good' | 'busy' | 'bad', head: string, text: Html | string) =>
  html`<p class="standing ${kind}" role="status"><span><strong>${head}</strong> ${text}</span></p>`

function figures(held: Held, told: Told | null, now: Date): Html {
  const { filings, newest, families, series, index } = held
  const isRead = families.filter(({ read }) => read > 0).length
  const loads = [...(index ? [index.at] : []), ...series.flatMap(({ loaded }) => loaded?.at ?? [])].sort()
  const last = loads.at(-1)
  const facts: [name: string, value: string, note: string][] = [
    ['Filings', number(filings), `${isRead} ${isRead === 1 ? 'family' : 'families'} read into rows`],
    ...(told?.advisers ? [['Advisers', number(told.advisers), 'Form ADV'] as [string, string, string]] : []),
    ['Newest filing', newest ?? 'none', newest ? daysAgo(newest, now) : 'no filing is loaded'],
    [
      'Last loaded',
      last ? last.slice(0, 10) : 'never',
      last ? `${momentAgo(last, now)}, ${last.slice(11, 16)} UTC` : '',
    ],
  ]
  return html`<dl class="figures" aria-label="What is loaded">
${facts.map(([name, value, text]) => html`<div><dt>${name}</dt><dd>${value}</dd><dd class="small">${text}</dd></div>\n`)}</dl>`
}

function requests(tried: readonly FirstRequest[]): Html {
  return html`<section aria-labelledby="try">
<h2 id="try">First requests</h2>
<p>Each was just answered with what is loaded here. <code>URL</code> is the address of this service, <code>KEY</code> an API key: a local start prints one, and <code>openfilings keys create --account NAME</code> makes more.</p>
${tried.map((each, n) => request(each, n === 0))}</section>`
}

function request({ route, address, answer }: FirstRequest, isOpen: boolean): Html {
  const lines = shortened(answer)
  return html`<details class="try"${isOpen && html` open`}>
<summary><span class="what">${route.summary}</span> <code>${address}</code></summary>
<div class="command"><pre tabindex="0"><code>curl -H "Authorization: Bearer $KEY" "<span class="origin">$URL</span>${address}"</code></pre><button type="button" class="button copy" hidden>Copy</button></div>
<pre class="answer" tabindex="0" aria-label="Answer, shortened"><code>${lines.map(({ indent, text, leftOut }) => html`${'  '.repeat(indent)}${leftOut ? html`<i>${text}</i>` : text}\n`)}</code></pre>
</details>
`
}

function holdings(held: Held, now: Date): Html {
  const { families, series, sets, unclaimed } = held
  const read = families.filter(({ tier }) => tier === 'structured')
  const listed = families.filter(({ tier, filings }) => tier !== 'structured' && filings > 0)
  const absent = families.filter(({ tier, filings }) => tier !== 'structured' && filings === 0)
  return html`<section aria-labelledby="held">
<h2 id="held">What is held</h2>
<h3>Filings that are read into rows</h3>
<div class="wide" tabindex="0" role="region" aria-label="Filings that are read into rows"><table>
<thead><tr><th scope="col">Family</th><th scope="col" class="n">Filings</th><th scope="col" class="n">Read</th><th scope="col" class="n">Waiting</th><th scope="col" class="n">Failed</th><th scope="col">Newest</th></tr></thead>
<tbody>
${[...read].sort((a, b) => b.filings - a.filings).map((family) => familyRow(family, held, now))}</tbody>
</table></div>
<h3>Files of many records</h3>
<div class="wide" tabindex="0" role="region" aria-label="Files of many records"><table>
<thead><tr><th scope="col">Series</th><th scope="col">Of</th><th scope="col" class="n">Records</th><th scope="col" class="n">Failed</th><th scope="col">Through</th><th scope="col">Loaded</th></tr></thead>
<tbody>
${series.map((each) => seriesRow(each, held, now))}${sets.map((each) => setsRow(each))}</tbody>
</table></div>
<h3>Filings that are listed</h3>
<p>Who filed what and when, with the original documents; no parser reads them yet.${absent.length > 0 && ` Of ${absent.length} more families ${nothingOf(held)}.`}</p>
<ul class="listed">
${listed.map(({ label, filings }) => html`<li><span>${label}</span> <b>${number(filings)}</b></li>\n`)}${unclaimed > 0 && html`<li><span>Other forms</span> <b>${number(unclaimed)}</b></li>\n`}</ul>
</section>`
}

function familyRow({ label, filings, read, waiting, failed, newest }: HeldFamily, held: Held, now: Date): Html {
  if (filings === 0)
    return html`<tr class="nothing"><th scope="row">${label}</th><td colspan="5">${nothingOf(held)}</td></tr>\n`
  return html`<tr><th scope="row">${label}</th>${count(filings)}${count(read)}${count(waiting)}${count(failed, 'failed')}<td class="day">${newest} <small>${newest && daysAgo(newest, now)}</small></td></tr>\n`
}

function seriesRow({ series, label, loaded, failed }: HeldSeries, held: Held, now: Date): Html {
  const head = html`<th scope="row"><code>${series}</code></th><td>${label}</td>`
  if (!loaded) return html`<tr class="nothing">${head}<td colspan="4">${failed > 0 ? 'not loaded: the file failed' : held.holds === 'sample' ? 'not in the sample' : 'not loaded'}</td></tr>\n` // biome-ignore format: one line
  return html`<tr>${head}${count(loaded.records)}${count(failed, 'failed')}<td class="day">${loaded.through} <small>${daysAgo(loaded.through, now)}</small></td><td class="day">${momentAgo(loaded.at, now)}</td></tr>\n`
}

function setsRow({ label, done, failed, filings, through }: HeldSets): Html {
  return html`<tr><th scope="row">${done} ${done === 1 ? 'set' : 'sets'} of filings</th><td>${label}</td>${count(filings)}${count(failed, 'failed')}<td class="day">${through}</td><td></td></tr>\n`
}

/** That nothing of a family is there, and whether there is none or nobody looked. */
function nothingOf({ holds, index }: Held): string {
  if (holds === 'sample' || holds === 'part') return 'none is in the sample'
  return index ? `none is in the indexes that were loaded` : 'nothing has been loaded'
}

const count = (value: number, kind?: 'failed') =>
  html`<td class="n${value === 0 ? ' zero' : kind ? ` ${kind}` : ''}">${number(value)}</td>`

function more(): Html {
  const links: [href: string, name: string, text: string][] = [
    ['/docs', 'Reference', 'Every endpoint with its parameters, answers and examples'],
    ['/v1/openapi.json', 'OpenAPI 3.1', 'The same for programs: clients are generated from it'],
    ['/llms.txt', 'llms.txt', 'The same for language models, as Markdown'],
    ['/readyz', 'Health', 'Whether data can be queried; /healthz and /metrics beside it'],
  ]
  const documents: [file: string, text: string][] = [
    ['README.md', 'what it is, and how to start'],
    ['docs/operating.md', 'how to run it for others'],
    ['docs/datasets.md', 'which forms are read, and which are listed'],
    ['docs/design.md', 'why things are as they are'],
    ['CONTRIBUTING.md', 'how a dataset is added'],
  ]
  return html`<section aria-labelledby="more">
<h2 id="more">Go on</h2>
<ul class="cards">
${links.map(([href, name, text]) => html`<li><a href="${href}">${name}</a><span>${text}</span></li>\n`)}</ul>
<p class="documents">In the folder of the project: ${documents.map(([file, text], n) => html`${n > 0 && ', '}<code>${file}</code> (${text})`)}.</p>
</section>`
}

const number = (value: number) => value.toLocaleString('en-US')

/** `2026-11-20 06:00 UTC` */
const minute = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
