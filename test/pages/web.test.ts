/**
 * Pages in a real browser: the system's Chromium, if there is one.
 *
 * @ci it needs Chromium
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { launch, openWalk, noChromium as skip } from '../support/chromium.ts'
import { answering } from '../support/clients/answering.ts'
import { serveSample } from '../support/served.ts'

/**
 * All tests of this file share the server and the browser: the server takes a second to fill, and the browser a second
 * to start.
 */
const [served, browser] = skip ? [] : [await serveSample({ after }), await launch()]
after(() => browser?.close())

test('HTML of a filing never runs in our origin: its script is not executed', { skip }, async () => {
  const [row] = await served!.sql<{ accession: string }[]>`select accession from edgar.submission limit 1`
  const page = await browser!.newPage()
  await page.setExtraHTTPHeaders({ 'x-api-key': served!.keys.full })
  const response = await page.goto(`${served!.origin}/v1/edgar/doc/${row!.accession}/1`)
  assert.equal(response!.status(), 200)
  assert.match(response!.headers()['content-security-policy']!, /^sandbox;/)
  // Serves a script that would report its own execution, with the policy that documents have.
  await page.route('**/probe', (route) =>
    route.fulfill({
      headers: {
        'content-type': 'text/html',
        'content-security-policy': response!.headers()['content-security-policy']!,
      },
      body: '<p id="kept">text</p><script>document.title = "ran"</script><img src=x onerror="document.title=\'ran\'">',
    }),
  )
  await page.goto(`${served!.origin}/probe`)
  assert.equal(await page.locator('#kept').textContent(), 'text')
  assert.notEqual(await page.title(), 'ran')
})

/** Bodies of pages with one fault each, by the message that names it. */
const FAULTS: Readonly<Record<string, string>> = {
  'dark color-contrast: <td class="weak">':
    '<style>@media (prefers-color-scheme: dark) { td.weak { color: #222 } }</style><table><tr><th>one<td>two<td class="weak">three</table>',
  'light color-contrast: <p class="small">':
    '<style>.small { display: none } @media (width < 500px) { .small { display: block; color: #ddd } }</style><p class="small">words',
  'dark color-contrast: <p class="small">':
    '<style>.small { display: none } @media (width < 500px) and (prefers-color-scheme: dark) { .small { display: block; color: #222 } }</style><p class="small">words',
  'image-alt: <img src="data:,">': '<img src="data:,">',
  'label: <input>': '<input>',
  'scrolls sideways by 210 px': '<div style="width: 600px">a</div>',
  'thrown by the page': '<script>throw new Error("thrown by the page")</script>',
  'said by the page': '<script>console.warn("said by the page")</script>',
  'asked http://127.0.0.1:1/x': '<script>fetch("http://127.0.0.1:1/x").catch(() => {})</script>',
}

test('the page checker finds each fault of a faulty page, including colours only on a dark phone, and none in a good page', {
  skip,
}, async (t) => {
  const head = `<!doctype html><html lang="en"><title>a page</title><link rel="icon" href="data:,">
    <style>body { margin: 0; background: #fff; color: #000 } @media (prefers-color-scheme: dark) { body { background: #000; color: #fff } }</style>`
  const bodies = Object.entries(FAULTS)
  const { origin } = await answering(t, (response, { url }) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`${head}<main><h1>A page</h1>${bodies[Number(url!.slice(1))]?.[1] ?? '<p>text</p>'}</main></html>`)
  })
  const walk = await openWalk(browser!)
  for (const [n, [message]] of bodies.entries())
    await assert.rejects(walk.visit(`${origin}/${n}`), (error: Error) => error.message.includes(message), message)
  await walk.visit(`${origin}/sound`)
  await assert.rejects(walk.visit(`${origin}/sound`, { status: 404 }), /200 !== 404/)
})
