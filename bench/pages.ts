/**
 * The reference's cost for a browser up to the answer to the first key press, in processor time of the page's main
 * thread, compared with an empty page of the same server.
 */
import type { Browser } from 'playwright-core'
import { launch, noChromium } from '../test/support/chromium.ts'
import { freshDatabase } from '../test/support/database.ts'
import { start } from './apart.ts'
import { alternate, median } from './measure.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { EMPTY_PAGE, type Served } from './servers.ts'
import { part } from './share.ts'

const ROUNDS = 7
const PAGES = ['/docs', '/docs/adv_adviser']
/** The search is open, and has its list. */
const ANSWERED = 'dialog.search li'

export async function rows(scope: Scope, share: number): Promise<Row[]> {
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
        'an empty page; loaded with nothing kept, then the search opened by its key',
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
