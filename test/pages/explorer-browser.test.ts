/**
 * What scripts add to data pages, in Chromium: keys, suggestions, new rows, ages and parts that come later. The walk over
 * every kind of page is in every-page-browser.test.ts.
 *
 * @ci it needs Chromium
 * @early it takes a minute
 */
import assert from 'node:assert/strict'
import { after, describe, it, type TestContext, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { momentAgo } from '../../src/pages/home/ago.ts'
import { pages } from '../../src/pages/pages.ts'
import registry from '../../src/registry.ts'
import { described } from '../../src/serve/described.ts'
import { openapi } from '../../src/serve/openapi.ts'
import { secondRun } from '../second-run.ts'
import { launch, noChromium, openWalk } from '../support/chromium.ts'
import { serveSample, serveWorld } from '../support/served.ts'

const document = described('0.0.0', () => openapi(registry, '0.0.0'))
const skip = secondRun || noChromium
const [served, browser] = skip ? [] : [await serveSample({ after }, { publicPages: true }), await launch()]
const TOKEN = 'token-of-the-printed-link'
/** A server like a local start: pages need a key, and the printed link contains it. */
const local =
  served &&
  (await serveWorld({ after }, served, {
    pages: pages({ openapi: document, readyKey: { key: () => served.keys.full, token: TOKEN, hasProxy: false } }),
  }))
const walk = browser && (await openWalk(browser))
after(() => browser?.close())

test('the page that asks for a key and the page for a missing thing have no faults', { skip }, async () => {
  await walk!.visit(`${local!.origin}/companies?q=apple`, { status: 401 })
  await walk!.visit(`${served!.origin}/company/99999999`, { status: 404 })
})

test('the printed link opens pages without typing a key', { skip }, async (t) => {
  const context = await browser!.newContext()
  t.after(() => context.close())
  const page = await context.newPage()
  await page.goto(`${local!.origin}/#start=${TOKEN}`)
  await page.fill('#find', 'AAPL')
  await page.press('#find', 'Enter')
  await page.waitForURL('**/company/320193')
  assert.equal(await page.textContent('h1'), 'Apple Inc.')
})

test('a key typed once opens every page, also without scripts', { skip }, async (t) => {
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser!.newContext({ javaScriptEnabled })
    t.after(() => context.close())
    const page = await context.newPage()
    await page.goto(`${local!.origin}/form144/filings`)
    await page.fill('#key', served!.keys.full)
    await page.click('form.entry button')
    await page.waitForURL('**/form144/filings')
    await page.fill('#filter-q', 'palantir')
    await page.click('.filters .button.main')
    await page.waitForURL(/q=palantir/)
    assert.equal(new URL(page.url()).searchParams.has('form'), false, page.url())
    assert.equal(await page.locator('table.rows tbody tr').count(), 1)
    await page.click('text=Palantir Technologies Inc.')
    await page.waitForURL('**/company/1321655')
  }
})

test('"/" focuses the search, and Enter opens the results', { skip }, async (t) => {
  const context = await browser!.newContext()
  t.after(() => context.close())
  const page = await context.newPage()
  await page.goto(`${served!.origin}/browse`)
  await page.keyboard.press('/')
  await page.keyboard.type('brk-b')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/company/1067983')
})

test('suggestions can be chosen with the arrow keys, opened by Enter and closed by Escape', { skip }, async (t) => {
  const context = await browser!.newContext()
  t.after(() => context.close())
  const page = await context.newPage()
  await page.goto(`${served!.origin}/browse`)
  const box = page.locator('#search-all')
  await box.pressSequentially('masterw')
  const options = page.locator('#search-all-suggestions [role=option]')
  await options.first().waitFor()
  assert.equal(await box.getAttribute('aria-expanded'), 'true')
  await page.keyboard.press('Escape')
  assert.equal(await box.getAttribute('aria-expanded'), 'false')
  assert.equal(await options.first().isVisible(), false)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const chosen = page.locator('#search-all-suggestions [aria-selected=true]')
  assert.equal(await box.getAttribute('aria-activedescendant'), await chosen.getAttribute('id'))
  const href = await chosen.getAttribute('data-href')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**${href}`)
})

test('Enter never opens a suggestion for an earlier text', { skip }, async (t) => {
  const context = await browser!.newContext()
  t.after(() => context.close())
  const page = await context.newPage()
  await page.goto(`${served!.origin}/browse`)
  const box = page.locator('#search-all')
  await box.pressSequentially('masterw')
  const options = page.locator('#search-all-suggestions [role=option]')
  await options.first().waitFor()
  // The suggestions for the shorter text stay until the answer for the longer text has come.
  const never = Promise.withResolvers<void>()
  t.after(() => never.resolve())
  await page.route('**/search/suggestions?q=masterwo', async () => never.promise)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('o')
  assert.equal(await box.getAttribute('aria-activedescendant'), null)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/search?q=masterwo*')
  await page.goto(`${served!.origin}/browse`)
  await box.pressSequentially('masterw')
  await options.first().waitFor()
  await box.fill('')
  await page.keyboard.press('ArrowDown')
  assert.equal(await box.getAttribute('aria-expanded'), 'false')
})

test('the main mouse button opens a suggestion, the middle one opens it in a new tab, and the right one does not open it', {
  skip,
}, async (t) => {
  const context = await browser!.newContext()
  t.after(() => context.close())
  const page = await context.newPage()
  await page.goto(`${served!.origin}/browse`)
  await page.locator('#search-all').pressSequentially('masterw')
  const option = page.locator('#search-all-suggestions [role=option]').first()
  await option.waitFor()
  const href = await option.getAttribute('data-href')
  const opened: string[] = []
  page.on('framenavigated', (frame) => void opened.push(frame.url()))
  await option.click({ button: 'right' })
  const [other] = await Promise.all([context.waitForEvent('page'), option.click({ button: 'middle' })])
  await other.waitForURL(`**${href}`)
  assert.deepEqual(opened, [])
  await option.click()
  await page.waitForURL(`**${href}`)
})

test('if the connection to new rows ends, the page says so, and the number of new rows does not replace this', {
  skip,
}, async (t) => {
  const context = await browser!.newContext()
  t.after(() => context.close())
  const page = await context.newPage()
  const event = { what: 'added', source: 'index', key: null, learned_at: '2026-01-01T00:00:00Z', filing: null }
  await page.route('**/events/live*', (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      body: `id: 1\nevent: added\ndata: ${JSON.stringify(event)}\n\n`,
    }),
  )
  await page.clock.install()
  // The next try then comes after three seconds, and the number of new rows after two.
  await page.addInitScript(() => {
    Math.random = () => 1
  })
  await page.goto(`${served!.origin}/events`)
  const status = page.locator('.live [role=status]', { hasText: 'Not connected' })
  await status.waitFor()
  assert.equal(await page.locator('.live tbody tr').count(), 1)
  await page.clock.runFor(2_500)
  assert.equal(await status.count(), 1)
})

test('new rows appear on the page as they arrive, with their content as text', { skip }, async (t) => {
  const context = await browser!.newContext()
  t.after(() => context.close())
  const page = await context.newPage()
  // The log of the sample gets no new events. So the stream begins at the first event, instead of after the last.
  await page.route('**/events/live*', async (route) => {
    const url = new URL(route.request().url())
    if (!url.searchParams.has('after')) url.searchParams.set('after', '0')
    await route.continue({ url: url.href })
  })
  await page.goto(`${served!.origin}/events?form=8-K`)
  await page.locator('.live tbody tr').first().waitFor()
  await page.locator('.live [role=status]', { hasText: / new since this page was opened/ }).waitFor()
  assert.match((await page.locator('.live tbody tr').first().textContent())!, /8-K/)
  const href = await page.locator('.live tbody a').first().getAttribute('href')
  assert.match(href!, /^\/filing\/\d{10}-\d\d-\d{6}$/)
  // Records of bulk files, and entries about many things at once, have no filing.
  await page.goto(`${served!.origin}/events?source=filings,adv,facts`)
  await page.locator('.live td', { hasText: 'Figures of companies, many changes at once' }).first().waitFor()
  await page
    .locator('.live td', { hasText: /^Feed of the SEC \d+$/ })
    .first()
    .waitFor()
  const cells = await page.locator('.live tbody td').allTextContents()
  for (const code of ['filings', 'adv', 'facts']) assert.ok(!cells.some((text) => text.startsWith(code)), code)
  assert.ok(!cells.some((text) => text.includes('IA_FIRM')))
  const rows = await page.locator('.live tbody tr').allInnerTexts()
  for (const row of rows) assert.doesNotMatch(row, /^–|^[^\t]+\t–/)
})

test('ages are the same on data pages and on the home page, and only moments of the last two days have an age', {
  skip,
}, async (t) => {
  const context = await browser!.newContext()
  t.after(() => context.close())
  const page = await context.newPage()
  const now = new Date()
  // Half a minute more than whole minutes, so that the page may take up to 30 seconds.
  const minutes = [-5, 0, 1, 2, 59, 60, 61, 119, 120, 121, 600, 48 * 60 - 1, 48 * 60, 5000]
  const moments = minutes.map((each) => new Date(now.getTime() - (each + 0.5) * 60_000).toISOString())
  await page.route('**/browse', async (route) => {
    const body = await (await route.fetch()).text()
    const times = moments.map((at) => `<dd><time datetime="${at}">${at}</time></dd>`).join('')
    await route.fulfill({
      body: body.replace('</main>', `<dl class="facts">${times}</dl></main>`),
      contentType: 'text/html',
    })
  })
  await page.goto(`${served!.origin}/browse`)
  await page.waitForSelector('.age')
  const ages = await page
    .locator('.facts dd')
    .evaluateAll((all) => all.map((one) => one.querySelector('.age')?.textContent))
  const expected = minutes.map((each, n) => (each < 0 || each >= 48 * 60 ? undefined : momentAgo(moments[n]!, now)))
  assert.deepEqual(
    ages.map((age) => age ?? undefined),
    expected,
  )
  assert.equal(ages.filter(Boolean).length, 11)
})

describe('parts that come later', () => {
  const address = '/security/02079K305'
  /**
   * Opens the page, gives `answer` as the answer to its request for the later charts, and waits until its script has
   * ended.
   */
  async function opened(t: TestContext, answer: (route: Route) => Promise<void>) {
    const context = await browser!.newContext()
    t.after(() => context.close())
    const page = await context.newPage()
    let isEarly = true
    await page.route('**/*part=later', async (route) => {
      const later = page.locator('.later')
      isEarly = (await later.getAttribute('aria-busy')) === 'true' && (await later.locator('a').count()) > 0
      await answer(route)
    })
    await page.goto(served!.origin + address)
    await page.waitForSelector('.later[aria-busy=false]', { state: 'attached' })
    assert.ok(isEarly, 'the links are there until the answer, and the place is marked as busy')
    return page
  }
  const linksOf = (page: Page) => page.locator('.later .says a').count()
  const figuresOf = (page: Page) => page.locator('.later figure').count()

  it('replace the links to their lists', { skip }, async (t) => {
    const page = await opened(t, (route) => route.continue())
    assert.deepEqual([await linksOf(page), (await figuresOf(page)) > 0], [0, true])
  })

  for (const [what, answer] of [
    ['an answer of the server says so', (route: Route) => route.fulfill({ status: 503, body: '<p class="charts">no' })],
    ['the answer lacks the part', (route: Route) => route.fulfill({ body: '<p>', contentType: 'text/html' })],
    ['the connection fails', (route: Route) => route.abort()],
  ] as const) {
    it(`leave the links if ${what}`, { skip }, async (t) => {
      const page = await opened(t, answer)
      assert.deepEqual([await linksOf(page), await figuresOf(page)], [3, 0])
      assert.equal(await page.locator('.later').isVisible(), true)
    })
  }

  it('leave no empty place if there is nothing to draw', { skip }, async (t) => {
    const page = await opened(t, (route) =>
      route.fulfill({ body: '<section class="charts"></section>', contentType: 'text/html' }),
    )
    assert.equal(await page.locator('.later').isVisible(), false)
  })

  it('and the lists of a company come in one answer, each into its place', { skip }, async (t) => {
    const context = await browser!.newContext()
    t.after(() => context.close())
    const page = await context.newPage()
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await page.goto(`${served!.origin}/company/320193`)
    await page.waitForSelector('[data-part=lists][aria-busy=false] table')
    await page.waitForSelector('[data-part=charts][aria-busy=false] figure', { state: 'attached' })
    assert.equal(await page.locator('[data-part=lists] figure, [data-part=charts] h2').count(), 0)
    assert.equal(requested.filter((url) => url.endsWith('?part=later')).length, 1)
  })

  it('are not requested by a place without an address', { skip }, async (t) => {
    const page = await opened(t, (route) => route.continue())
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    // Imports the script by the address that the page states, since only scripts can use its exports.
    const busy = await page.evaluate(`(async () => {
      const place = document.createElement('section')
      place.dataset.part = 'charts'
      const { begin } = await import(document.querySelector('.later').dataset.script)
      await begin(place)
      return place.ariaBusy
    })()`)
    assert.deepEqual([busy, requested.filter((url) => url.includes('charts='))], [null, []])
  })
})
