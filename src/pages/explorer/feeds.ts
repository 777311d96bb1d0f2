/**
 * Offers three ways to follow a list outside the page. They are a saved search as a feed, a saved search that sends new
 * rows to a receiver, and a feed for programs that send a key.
 */
import type { ServedRoute } from '../../declare/catalog.ts'
import { type Html, html } from '../html.ts'
import { changed, PLACE } from './addresses.ts'

/** Parameters that change how rows are shown, but not which rows the list has. */
const SHOWN = [...PLACE, 'limit', 'size', 'sort', 'dir', 'count', 'format', 'fields', 'omit']

/** Quotes text as one word of a shell. */
const quoted = (text: string) => (/^[\w,.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`)

/**
 * Null for a list that is not a feed.
 *
 * @param api address of the same request to the API
 */
export function feedsOf({ list, summary }: ServedRoute, api: string): Html | null {
  if (!list?.feed) return null
  const address = changed(api, {}, SHOWN)
  const name = summary.replace(/^(List|Find|Search) (the )?/, '')
  const saved = `openfilings searches create --name ${quoted(name)} --list ${quoted(address)}`
  return html`<details class="snippet follow"><summary>Follow these rows</summary>
<p>Save this search, and get an address for a feed reader. The address contains a secret, so it needs no key, and it gives access only to this feed:</p><pre tabindex="0"><code>${saved} --feed</code></pre>
<p>Save this search, and have new rows sent to an address of yours:</p><pre tabindex="0"><code>${saved} --url https://example.com/hook</code></pre>
<p>The feed for programs that send a key:</p><pre tabindex="0"><code>curl ${quoted(`http://127.0.0.1:8080${changed(address, { format: 'atom' })}`)} -H "Authorization: Bearer $OPENFILINGS_KEY"</code></pre>
</details>`
}
