/**
 * Pages in a real browser: the system's Chromium, if there is one.
 *
 * @ci it needs Chromium
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { launch, noChromium as skip } from '../support/chromium.ts'
import { serveSample } from '../support/served.ts'

/**
 * All tests of this file share the server and the browser: the server takes a second to fill, and the browser a second
 * to start.
 */
const [served, browser] = skip ? [] : [await serveSample({ after }), await launch()]
after(() => browser?.close())

test('HTML of a filing never runs in our origin: its script does not execute', { skip }, async () => {
  const [row] = await served!.sql<{ accession: string }[]>`select accession from edgar.submission limit 1`
  const page = await browser!.newPage()
  await page.setExtraHTTPHeaders({ 'x-api-key': served!.keys.full })
  const response = await page.goto(`${served!.origin}/v1/edgar/doc/${row!.accession}/1`)
  assert.equal(response!.status(), 200)
  assert.match(response!.headers()['content-security-policy']!, /^sandbox;/)
  // The policy that documents are served with, around a script that would report its own execution.
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
