/**
 * Pages about data compared with their JSON, over the sample and without caches. Also measures the reference's cost for
 * a browser, from loading until the first key press is answered. The cost is the processor time of the page's main
 * thread, compared with that of an empty page of the same server.
 */
import type { Browser } from 'playwright-core'
import { launch, noChromium } from '../test/support/chromium.ts'
import { freshDatabase } from '../test/support/database.ts'
import { openSampledWorld } from '../test/support/sampled.ts'
import { type Standing, start } from './apart.ts'
import { load, pageAgainstJson } from './load.ts'
import { alternate, median, quantile, usedBetween } from './measure.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { EMPTY_PAGE, type Served, UNCACHED } from './servers.ts'
import { part } from './share.ts'

const ROUNDS = 7
const PAGES = ['/docs', '/docs/adv_adviser']
/** Selector that matches once the search is open and shows its list. */
const ANSWERED = 'dialog.search li'

/** Requests of each page and of its JSON, in each round. */
const REQUESTS = 40

/** Pages about data of the sample, each with the address of its JSON. */
const DATA: readonly (readonly [what: string, page: string, json: string])[] = [
  ['a company', '/company/320193', '/v1/companies/0000320193'],
  ['a company, charts and lists that come later', '/company/320193?part=later', '/v1/companies/0000320193'],
  ['an adviser', '/adviser/108477', '/v1/adv/advisers/by-crd/108477?include=all'],
  ['a security', '/security/02079K305', '/v1/adv/securities/02079K305'],
  ['a manager', '/manager/1067983', '/v1/thirteenf/managers/by-cik/0001067983/holdings'],
  ['a fund', '/fund/S000002848', '/v1/funds/S000002848/holdings?count=estimate'],
  ['a list', '/adv/advisers/list', '/v1/adv/advisers/list?count=estimate'],
]

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  return [...(await againstJson(scope, share)), ...(await inBrowser(scope, share)), ...(await suggested(scope, share))]
}

/** Names that a reader types letter by letter. */
const TYPED = ['alphabet', 'berkshire', 'viking', 'morgan st', 'spacex', 'vanguard', 'klein']

/** Milliseconds from each letter until the list of suggestions for it is drawn, in Chromium, over the sample. */
async function suggested(scope: Scope, share: number): Promise<Row[]> {
  const shape = { section: 'pages', peer: null, unit: 'ms' } as const
  const what = (name: string) => `suggestions after a letter, ${name}`
  if (noChromium) return [{ ...shape, what: what('p50'), ours: null, note: String(noChromium) }]
  const { target } = await openSampledWorld(scope, { archived: false })
  const server = await start<Served>(scope, 'servers.ts', 'service', target, UNCACHED)
  const { origin, key } = server.value
  const browser = await launch()
  scope.after(() => browser.close())
  const context = await browser.newContext({ viewport: { width: 1280, height: 844 } })
  await context.addCookies([{ name: 'openfilings_key', value: key, url: origin }])
  const page = await context.newPage()
  await page.goto(origin)
  const found: number[] = []
  const typed = TYPED.slice(0, part(TYPED.length, share, 2))
  for (const [n, name] of typed.entries()) {
    for (let letters = 2; letters <= name.length; letters++) {
      const took = await page.evaluate<number>(SUGGESTED(name.slice(0, letters)))
      // The first letters after a start take up to 133 ms, until connections are open and code is compiled.
      if (n > 0) found.push(took)
    }
  }
  await context.close()
  await server.stop()
  const row = (name: string, q: number): Row => ({
    ...shape,
    ...{
      what: what(name),
      ours: quantile(found, q),
      note: 'in Chromium, on the sample, after a first name; target 60 ms',
    },
  })
  return [row('p50', 0.5), row('p99', 0.99)]
}

/** Types into the search box as a key press does, and waits until the list has changed and is drawn. */
const SUGGESTED = (text: string) => `new Promise((drawn, failed) => {
  const box = document.querySelector('#find')
  const list = document.querySelector('#find-suggestions')
  const begun = performance.now()
  const end = () => requestAnimationFrame(() => setTimeout(() => drawn(performance.now() - begun)))
  setTimeout(() => failed(new Error('no suggestions for ' + box.value)), 10_000)
  new MutationObserver((_, own) => { own.disconnect(); end() }).observe(list, { childList: true })
  box.focus()
  box.value = ${JSON.stringify(text)}
  box.dispatchEvent(new Event('input', { bubbles: true }))
})`

/** Times of pages and of their JSON, in turns. Each answer is made for its request. */
async function againstJson(scope: Scope, share: number): Promise<Row[]> {
  const { target } = await openSampledWorld(scope, { archived: false })
  const server = await start<Served>(scope, 'servers.ts', 'service', target, UNCACHED)
  const bounds = { rounds: part(ROUNDS, share), requestsMax: part(REQUESTS, share), secondsMax: 60 }
  const found: Row[] = []
  const firstBytes: number[] = []
  for (const [what, page, json] of DATA) {
    const { ours, peer, firstBytesMs } = await pageAgainstJson(server.value, { page, json }, bounds)
    firstBytes.push(...firstBytesMs)
    found.push({ ...shape, what: `page of ${what}, p50`, ours, peer, note: noteOf(page) })
    found.push(await processorRow(server, { what, page, json, requests: bounds.requestsMax }))
  }
  await server.stop()
  const first = (what: string, q: number, note: string): Row => ({
    ...shape,
    ...{ what: `first byte of these pages, ${what}`, ours: quantile(firstBytes, q), peer: null, note },
  })
  return [...found, first('p50', 0.5, 'target 50 ms'), first('p99', 0.99, 'target 250 ms')]
}

const shape = { section: 'pages', unit: 'ms' } as const
const noteOf = (page: string) =>
  page.includes('part=later') ? 'the JSON of the company; no target' : 'its JSON; target 3'

/** Processor time of the server for a page and for its JSON, which other work on the machine disturbs less. */
async function processorRow(
  { value, used }: Standing<Served>,
  { what, page, json, requests }: { what: string; page: string; json: string; requests: number },
): Promise<Row> {
  const each = async (path: string, isBrowser: boolean) => {
    const before = await used()
    await load({ ...value, isBrowser, paths: [path], connections: 1, requestsMax: requests, secondsMax: 60 })
    return usedBetween(before, await used()).processorMs / requests
  }
  const [ours, peer] = [await each(page, true), await each(json, false)]
  return { section: 'pages', what: `page of ${what}`, ours, peer, unit: 'ms of processor', note: noteOf(page) }
}

async function inBrowser(scope: Scope, share: number): Promise<Row[]> {
  const what = (path: string) => `${path}, first interaction`
  if (noChromium) return PAGES.map((path) => row(what(path), null, null, String(noChromium)))
  const { target } = await freshDatabase(scope)
  const server = await start<Served>(scope, 'servers.ts', 'service', target)
  const browser = await launch()
  scope.after(() => browser.close())
  const empty = () => mainThreadMs(browser, server.value.origin + EMPTY_PAGE, null)
  const found: Row[] = []
  for (const path of PAGES) {
    const page = () => mainThreadMs(browser, server.value.origin + path, ANSWERED)
    await page() // until the server has made it
    const { ours, peer } = await alternate(part(ROUNDS, share), { ours: page, peer: empty })
    found.push(
      row(
        what(path),
        median(ours),
        median(peer),
        'an empty page; loaded with an empty cache, then the search opened by its key',
      ),
    )
  }
  await server.stop()
  return found
}

const row = (what: string, ours: number | null, peer: number | null, note: string): Row => ({
  section: 'pages',
  what,
  ours,
  peer,
  unit: 'ms of processor',
  note,
})

/** Loads the page in a browser with an empty cache, presses the key, and waits until the page has answered. */
async function mainThreadMs(browser: Browser, address: string, answered: string | null): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 844 } })
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Performance.enable')
    await page.goto(address)
    await page.keyboard.press('/')
    if (answered !== null) await page.waitForSelector(answered)
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000
  } finally {
    await context.close()
  }
}
