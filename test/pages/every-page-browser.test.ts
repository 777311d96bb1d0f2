/**
 * The page of every answer in Chromium, as wide as a desktop and a phone; and every link of these pages. One page of each
 * kind is also checked in both themes and without scripts: explorer-browser.test.ts.
 *
 * @ci it needs Chromium
 * @early it takes a minute
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addressOf, exampleRequests } from '../../src/declare/examples.ts'
import { Places } from '../../src/pages/explorer/places.ts'
import registry from '../../src/registry.ts'
import { secondRun } from '../second-run.ts'
import { launch, noChromium, openWalk } from '../support/chromium.ts'
import { serveSample } from '../support/served.ts'

const skip = secondRun || noChromium
const [served, browser] = skip ? [] : [await serveSample({ after }), await launch()]
after(() => browser?.close())

const cookie = { name: 'openfilings_key', value: served?.keys.full ?? '', domain: '127.0.0.1', path: '/' }
const storageState = {
  cookies: [{ ...cookie, expires: -1, httpOnly: true, secure: false, sameSite: 'Strict' as const }],
  origins: [],
}
const walk = browser && (await openWalk(browser, { storageState }))
const places = new Places(registry, { hasAccounts: false })

/** Links of the walked pages, each with a page that has it. */
const links = new Map<string, string>()

for (const { route } of places.all) {
  const [first] = exampleRequests(route)
  const address = places.pageOf(`/v1${addressOf(route, first!.values)}`)!
  test(`the page of ${route.name} has no faults: ${address}`, { skip }, async () => {
    await walk!.glance(served!.origin + address, async (page) => {
      const hrefs = await page.locator('a[href^="/"]').evaluateAll((all) => all.map((one) => one.getAttribute('href')!))
      // The page at / is that of a service that is starting, since this server loads nothing.
      for (const href of hrefs) if (href !== '/' && !links.has(href)) links.set(href, address)
    })
  })
}

test('every link of these pages opens', { skip }, async () => {
  const headers = { cookie: `openfilings_key=${served!.keys.full}`, accept: 'text/html' }
  const wrong: string[] = []
  const absent: string[] = []
  const follow = async ([href, from]: [string, string]) => {
    const { status, body } = await fetch(served!.origin + href, { headers })
    await body?.cancel()
    // Filings name others, and an adviser, that the sample does not have.
    if (status === 404 && /^\/(filing|adviser)\//.test(href)) absent.push(href)
    else if (status !== 200) wrong.push(`${status} ${href} on ${from}`)
  }
  const left = [...links]
  await Promise.all(
    [1, 2, 3, 4].map(async () => {
      for (let next = left.shift(); next; next = left.shift()) await follow(next)
    }),
  )
  assert.deepEqual(wrong, [])
  assert.ok(links.size > 700, `${links.size} links`)
  assert.ok(absent.length <= 10, absent.join(' '))
})
