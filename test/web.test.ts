/** Pages in a real browser: Chromium of the system, when it is there. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import registry from '../src/registry.ts'
import { launch, noChromium as skip } from './chromium.ts'
import { serveSample } from './served.ts'
import { until } from './until.ts'

/** Both for the whole file: the one takes a second to fill, the other to start. */
const [served, browser] = skip ? [] : [await serveSample({ after }), await launch()]
after(() => browser?.close())

/** What a page shows, within the elements of its components too; a text, since its names are the browser's. */
const SHOWN = `(function of(root) {
  const own = Array.from(root.children, (element) => element.innerText ?? '')
  const within = Array.from(root.querySelectorAll('*'), ({ shadowRoot }) => (shadowRoot ? of(shadowRoot) : ''))
  return [...own, ...within].join('\\n')
})(document)`

test('the reference page shows every operation, asks no other host and logs no error', { skip }, async () => {
  const page = await browser!.newPage()
  const errors: string[] = []
  const hosts = new Set<string>()
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  await page.goto(`${served!.origin}/docs`)
  // One look at all the text: to look for each operation by itself takes half a minute.
  let missing: string[] = []
  const areShown = async () => {
    const text = await page.evaluate<string>(SHOWN)
    missing = registry.routes.map(({ path }) => path).filter((path) => !text.includes(path))
    return missing.length === 0
  }
  await until('every operation is shown', areShown).catch(() => assert.deepEqual(missing, []))
  assert.deepEqual(errors, [])
  assert.deepEqual(
    [...hosts].filter((host) => host !== new URL(served!.origin).host && host !== ''),
    [],
  )
})

test('HTML of a filing never runs in our origin: its script does not execute', { skip }, async () => {
  const [row] = await served!.sql<{ accession: string }[]>`select accession from edgar.submission limit 1`
  const page = await browser!.newPage()
  await page.setExtraHTTPHeaders({ 'x-api-key': served!.keys.full })
  const response = await page.goto(`${served!.origin}/v1/edgar/doc/${row!.accession}/1`)
  assert.equal(response!.status(), 200)
  assert.match(response!.headers()['content-security-policy']!, /^sandbox;/)
  // The policy that documents are served with, around a script that would tell.
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
