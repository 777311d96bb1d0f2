/**
 * The reference in Chromium: search, "Try it", themes, tabs, and the pages without script.
 *
 * @ci it needs Chromium
 * @early it takes a minute
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { pages } from '../../src/pages/pages.ts'
import registry from '../../src/registry.ts'
import { described } from '../../src/serve/described.ts'
import { openapi } from '../../src/serve/openapi.ts'
import { secondRun } from '../second-run.ts'
import { launch, noChromium, openWalk } from '../support/chromium.ts'
import { serveSample, serveWorld } from '../support/served.ts'

const document = described('0.0.0', () => openapi(registry, '0.0.0'))
const skip = secondRun || noChromium
const [served, browser] = skip ? [] : [await serveSample({ after }), await launch()]
const TOKEN = 'token-of-the-printed-link'
/** A server as a local start makes it: a page that is opened by the printed link gets the API key. */
const local =
  served &&
  (await serveWorld({ after }, served, {
    pages: pages({ openapi: document, readyKey: { key: () => served.keys.full, token: TOKEN, hasProxy: false } }),
  }))
const walk = browser && (await openWalk(browser))
after(() => browser?.close())

/** Opens a page. Until the test ends, its console must stay empty and all of its requests must go to its own origin. */
async function open(
  t: { after(fn: () => Promise<void>): void },
  address: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; requested: string[] }> {
  const context = await browser!.newContext({ viewport: { width: 1280, height: 844 }, ...options })
  const page = await context.newPage()
  const wrong: string[] = []
  const requested: string[] = []
  page.on('pageerror', ({ message }) => wrong.push(message))
  page.on('console', (message) => {
    // Chromium logs every status above 399 in the console; the answers are checked by the tests themselves.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) wrong.push(message.text())
  })
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url())
    if (origin !== new URL(address).origin) wrong.push(`asked ${request.url()}`)
    requested.push(pathname)
  })
  t.after(async () => {
    await context.close()
    assert.deepEqual(wrong, [])
  })
  await page.goto(address)
  return { page, requested }
}

test('the page for a missing address has no faults', { skip }, async () => {
  await walk!.visit(`${served!.origin}/docs/nothing`, { status: 404 })
})

test('the content security policy works: a script within the page does not run', { skip }, async (t) => {
  const { page } = await open({ after: () => {} }, `${served!.origin}/docs/feed`)
  t.after(() => page.context().close())
  await page.evaluate(`{
    const script = document.createElement('script')
    script.textContent = 'document.title = "ran"'
    document.body.append(script)
    document.body.insertAdjacentHTML('beforeend', '<img src="/nothing" onerror="document.title = \\'ran\\'">')
  }`)
  await page.waitForTimeout(200)
  assert.notEqual(await page.title(), 'ran')
})

test('an address with a damaged fragment still has its search and its form', { skip }, async (t) => {
  const { page } = await open(t, `${served!.origin}/docs/me#100%`)
  await page.locator('#try form:not([hidden])').waitFor()
  await page.keyboard.press('/')
  await page.locator('dialog.search input').waitFor()
})

test('"/" opens the search, which loads its list once, and the keyboard alone leads to a field', {
  skip,
}, async (t) => {
  const { page, requested } = await open(t, `${served!.origin}/docs/me`)
  const lists = () => requested.filter((path) => path === '/docs/search.json').length
  assert.equal(lists(), 0)
  await page.keyboard.press('/')
  await page.locator('dialog.search li').first().waitFor()
  assert.equal(await page.locator('dialog.search li').count(), Math.min(registry.routes.length, 30))
  await page.keyboard.type('raised')
  await page.locator('dialog.search li:has-text("rows.raised")').waitFor()
  const selected = () => page.locator('dialog.search li[aria-selected="true"]')
  const first = await selected().textContent()
  await page.keyboard.press('ArrowDown')
  assert.notEqual(await selected().textContent(), first)
  assert.equal(
    await page.locator('dialog.search input').getAttribute('aria-activedescendant'),
    await selected().getAttribute('id'),
  )
  await page.keyboard.press('ArrowUp')
  assert.equal(await selected().textContent(), first)
  for (let n = 0; n < 30 && !/rows\.raised.*\/v1\/feed/.test((await selected().textContent())!); n++) {
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/feed#field-rows.raised')
  assert.ok(await page.locator('[id="field-rows.raised"]').isVisible())
  assert.equal(lists(), 1)
  await page.keyboard.press('/')
  await page.locator('dialog.search li').first().waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('dialog.search').isVisible(), false)
})

test('text that is typed while the search list loads is searched too', { skip }, async (t) => {
  const { page } = await open(t, `${served!.origin}/docs/me`)
  await page.route('**/search-*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    await route.continue()
  })
  await page.keyboard.type('/raised')
  await page.locator('dialog.search li:has-text("rows.raised")').waitFor()
  assert.equal(await page.locator('dialog.search input').inputValue(), 'raised')
  await page.keyboard.press('Escape')
  await page.keyboard.type('/feed')
  await page.locator('dialog.search li:has-text("/v1/feed")').first().waitFor()
  assert.equal(await page.locator('dialog.search input').inputValue(), 'feed')
})

test('a search opened by click reports 0 results for unknown words, and "/" in an input field types a slash', {
  skip,
}, async (t) => {
  const { page } = await open(t, `${served!.origin}/docs/feed`)
  await page.locator('.search-open').click()
  await page.keyboard.type('no such word anywhere')
  await page.locator('.search-note:has-text("0 found")').waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.locator('#try-q').fill('')
  await page.locator('#try-q').press('/')
  assert.equal(await page.locator('#try-q').inputValue(), '/')
  assert.equal(await page.locator('dialog.search').isVisible(), false)
})

test('a search whose list fails to load reports this, and loads the list at the next key', { skip }, async (t) => {
  const { page } = await open(t, `${served!.origin}/docs/me`)
  let cut = true
  await page.route('**/docs/search.json', (route) => (cut ? route.abort() : route.continue()))
  await page.keyboard.press('/')
  await page.locator('.search-note:has-text("could not be loaded")').waitFor()
  cut = false
  await page.keyboard.type('feed')
  await page.locator('dialog.search li:has-text("/v1/feed")').first().waitFor()
})

test('a link to a field within closed sections opens them', { skip }, async (t) => {
  const { page } = await open(t, `${served!.origin}/docs/adv_adviser`)
  const closed = await page.evaluate<string>(`document.querySelector('.fields details:not([open]) > .fields > li').id`)
  const field = page.locator(`[id="${closed}"]`)
  assert.equal(await field.isVisible(), false)
  await page.evaluate(`location.hash = ${JSON.stringify(`#${closed}`)}`)
  await field.waitFor({ state: 'visible' })
})

/** Returns the page's display of the answer. */
const answerOf = async (page: Page) => {
  await page.locator('.result .outcome').waitFor()
  return {
    status: await page.locator('.outcome .status').textContent(),
    text: await page.locator('.result').innerText(),
  }
}

test('"Try it" sends the ready key of a local start, and shows status, time, size and the remaining limit', {
  skip,
}, async (t) => {
  const { page, requested } = await open(t, `${local!.origin}/#start=${TOKEN}`)
  assert.equal(page.url(), `${local!.origin}/`, 'the token is taken out of the address')
  await page.goto(`${local!.origin}/docs/feed`)
  assert.ok(!requested.includes('/docs/ready-key'), 'the key is requested only for a reader who comes to the form')
  await page.locator('.to-try').click()
  await page.locator('#try-limit').fill('1')
  await page.locator('#try-q').fill('')
  await page.locator('#try-dir').selectOption('asc')
  assert.equal(await page.locator('.sent-to').textContent(), '/v1/feed?dir=asc&limit=1')
  await page.locator('.send button').click()
  const { status, text } = await answerOf(page)
  assert.equal(status, '200 OK')
  assert.match(text, /\d+ ms · [\d,]+ bytes/)
  assert.match(text, /RateLimit-Remaining\s+\d+/)
  const shown = JSON.parse((await page.locator('.result pre').textContent())!)
  assert.deepEqual(shown, await local!.json('/feed?dir=asc&limit=1'))
  const kept = await page.evaluate<string>('JSON.stringify(sessionStorage) + JSON.stringify(localStorage)')
  assert.equal(kept, `{}${JSON.stringify({ 'openfilings-start': TOKEN })}`, 'the key itself is not kept')
})

test('if no ready key is available, "Try it" takes a typed key, keeps it only for the tab, and refuses a wrong one', {
  skip,
}, async (t) => {
  const { page } = await open(t, `${served!.origin}/docs/me`)
  assert.equal(await page.locator('#try-key').inputValue(), '')
  await page.locator('.send button').click()
  assert.match((await answerOf(page)).text, /401[\s\S]*an API key is needed/)
  await page.locator('#try-key').fill('of_wrong')
  await page.locator('.send button').click()
  await page.locator('.result pre:has-text("not valid")').waitFor()
  await page.locator('#try-key').fill(served!.keys.api)
  await page.locator('.send button').click()
  await page.locator('.outcome .status.good').waitFor()
  assert.equal(await page.evaluate('localStorage.length'), 0)
  await page.goto(`${served!.origin}/docs/feed`)
  assert.equal(await page.locator('#try-key').inputValue(), served!.keys.api)
  const other = await page.context().newPage()
  await other.goto(`${served!.origin}/docs/feed`)
  assert.equal(await other.locator('#try-key').inputValue(), '')
})

test('"Try it" shows answers as text: markup in a filing cannot become part of the page', { skip }, async (t) => {
  const [row] = await served!.sql<{ accession: string }[]>`select accession from edgar.submission limit 1`
  const { page } = await open(t, `${local!.origin}/docs/edgar_doc#start=${TOKEN}`)
  await page.locator('#try-accession').fill(row!.accession)
  await page.locator('#try-seq').fill('1')
  await page.locator('.send button').click()
  assert.equal((await answerOf(page)).status, '200 OK')
  assert.match((await page.locator('.result pre').textContent())!, /<\/\w+>/)
  assert.equal(await page.locator('.result pre *').count(), 0)
})

test('"Try it" shows the beginning of a long answer, and its total length', { skip }, async (t) => {
  const { page } = await open(t, `${local!.origin}/docs/filings_families#start=${TOKEN}`)
  await page.locator('.send button').click()
  const { text } = await answerOf(page)
  assert.match(text, /The first 50,000 of [\d,]+ characters are shown\./)
  assert.equal((await page.locator('.result pre').textContent())!.length, 50_000)
})

test('"Try it" reports a request that cannot be sent', { skip }, async (t) => {
  const { page } = await open(t, `${served!.origin}/docs/me`)
  await page.locator('#try-key').fill(served!.keys.api)
  await page.context().setOffline(true)
  await page.locator('.send button').click()
  await page.locator('.result .failed:has-text("could not be sent")').waitFor()
})

test('in print nothing is cut off, and no buttons are shown', { skip }, async (t) => {
  const { page } = await open(t, `${served!.origin}/docs/adv_adviser`)
  await page.emulateMedia({ media: 'print' })
  const cut = `[...document.querySelectorAll('pre')].filter((pre) => pre.checkVisibility() && getComputedStyle(pre).overflowY !== 'visible').length`
  for (const width of [700, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    assert.equal(await page.evaluate(cut), 0, `${width} px`)
    for (const gone of ['#try', '.to-try', 'button.copy', '.top'])
      assert.equal(await page.locator(gone).first().isVisible(), false, gone)
  }
})

test('the theme follows the system until the switch is used; the chosen theme is remembered', { skip }, async (t) => {
  const { page } = await open(t, `${served!.origin}/docs`, { colorScheme: 'dark' })
  const paper = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  const dark = await paper()
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await paper()
  assert.notEqual(light, dark)
  const button = page.locator('button.theme')
  // The page learns of the new setting by an event, which may come after the new colours.
  await page.locator('button.theme[aria-pressed="false"]').waitFor()
  await button.click()
  assert.equal(await paper(), dark)
  assert.equal(await button.getAttribute('aria-pressed'), 'true')
  await page.reload()
  assert.equal(await paper(), dark)
})

test('snippets use the address that the page came from, and each language is a tab that the keyboard can reach', {
  skip,
}, async (t) => {
  const { page } = await open(t, `${served!.origin}/docs/feed`)
  const shown = page.locator('.tabs pre:visible')
  assert.ok((await shown.textContent())!.startsWith(`curl '${served!.origin}/v1/feed`))
  await page.locator('#language-0').focus()
  await page.keyboard.press('ArrowRight')
  assert.match((await shown.textContent())!, /^const response = await fetch\('http:/)
  await page.keyboard.press('ArrowRight')
  assert.match((await shown.textContent())!, /^import os/)
})

test('without scripts a phone has the menu, the list of operations and the snippets, but no forms, which would not work', {
  skip,
}, async (t) => {
  const { page } = await open(t, `${served!.origin}/docs/feed`, {
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  })
  const link = page.locator('.sidebar a[href="/docs/filings"]')
  assert.equal(await link.isVisible(), false)
  await page.locator('.menu summary').click()
  await link.click()
  await page.waitForURL('**/docs/filings')
  assert.equal(await page.locator('#try form').isVisible(), false)
  assert.ok(await page.locator('#try noscript, #try p').first().isVisible())
  await page.locator('label[for="language-2"]').click()
  assert.match((await page.locator('.tabs pre:visible').textContent())!, /^import os/)
  await page.locator('.search-open').click()
  await page.waitForURL('**/docs#operations')
  for (const { name } of registry.routes)
    assert.ok(await page.locator(`.operations a[href="/docs/${name}"]`).isVisible())
})
