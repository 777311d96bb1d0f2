/** Shows new rows of a list as they arrive, and the commands with which programs follow the same filter. */
import type { ServedRoute } from '../../declare/catalog.ts'
import { assetPath } from '../assets.ts'
import { type Html, html } from '../html.ts'
import { changed, queryIn } from './addresses.ts'
import { SERIES, SOURCES } from './codes.ts'

/** Filters of a stream that a webhook accepts too. */
const FILTERS = ['source', 'family', 'form', 'cik']

/** Null for a list that has no stream. Without scripts only the commands are shown. */
export function liveOf({ stream, path }: ServedRoute, url: string, families: ReadonlyMap<string, string>): Html | null {
  if (!stream) return null
  const query = queryIn(url)
  const given = FILTERS.flatMap((name) => (query.has(name) ? [[name, query.getAll(name).join(',')] as const] : []))
  const filters = Object.fromEntries(given)
  const options = given.map(([name, value]) => ` --${name} ${quoted(value)}`).join('')
  const address = changed(`/v1${path}`, filters)
  return html`<section class="live" aria-labelledby="live" data-script="${assetPath('live.js')}" data-sources="${JSON.stringify({ ...Object.fromEntries(families), ...SOURCES })}" data-series="${JSON.stringify(SERIES)}" data-stream="${changed(`${path}/live`, filters)}" hidden>
<h2 id="live">New now</h2>
<p role="status">Waiting for what is new.</p>
<div class="wide" tabindex="0" role="region" aria-label="New now" hidden><table class="rows"><caption class="unseen">New now</caption>
<thead><tr><th scope="col">Company or record</th><th scope="col">What</th><th scope="col">Form</th><th scope="col">Learned at (UTC)</th><th scope="col">Source</th><th scope="col">Filing</th></tr></thead>
<tbody></tbody></table></div>
</section>
<details class="snippet follow"><summary>Follow this filter elsewhere</summary>
<p>As a stream, which stays open:</p><pre tabindex="0"><code>curl -N ${quoted(`http://127.0.0.1:8080${address}`)} -H "Authorization: Bearer $OPENFILINGS_KEY" -H "Accept: text/event-stream"</code></pre>
<p>As a webhook, which sends each event to an address of yours:</p><pre tabindex="0"><code>openfilings webhooks create --url https://example.com/hook${options}</code></pre>
</details>`
}

/** Quotes text as one word of a shell. */
const quoted = (text: string) => (/^[\w,.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`)
