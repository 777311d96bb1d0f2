/** Pages in a real browser: the system's Chromium, if there is one. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { AxeResults } from 'axe-core'
import {
  type Browser,
  type BrowserContextOptions,
  type ConsoleMessage,
  chromium,
  type Page,
  type Request,
} from 'playwright-core'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)

/** The reason for skipping tests of pages; false if there is a browser. On CI, a missing browser is a failure. */
export const noChromium =
  executablePath || process.env.CI === 'true' ? false : 'no Chromium is installed (/usr/bin/chromium)'

/** Without these flags Chromium looks up its maker's hosts at every start. */
const QUIET = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export function launch(): Promise<Browser> {
  // Chromium refuses to run its sandbox as root, and CI runs as root. It runs without the sandbox, which is safe
  // because the pages are our own.
  const args = [...QUIET, '--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
  return chromium.launch({ executablePath: executablePath!, headless: true, args })
}

/** Pixels of a desktop and of a phone. */
export const WIDTHS = [1280, 390]
export const HEIGHT = 844

/**
 * The accessibility rules, as text: the text is executed although the page's policy allows only scripts from its own
 * files.
 */
const axe = readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * Defines functions in each page, with options of axe:
 *
 * - `graveOnly()`: leaves out the rule about contrast, and the rules whose findings are minor or moderate, which take a
 *   third of axe's time. Rows of a table are alike, so only its first rows are checked.
 * - `ofLayout()`: only the rules whose findings depend on the width.
 * - `unlike(known)`: returns the looks that are not among the known ones, and up to three visible elements with text
 *   for each of these looks. A look consists of the colour, size and weight of the letters, and of each background
 *   under them.
 *
 * Frames are left out: they show documents of others in a sandbox, and a message from axe to such a frame is an error.
 */
const IN_PAGE = `{
  const usual = { iframes: false, resultTypes: ['violations'] }
  globalThis.alike = { exclude: ['table.rows > tbody > tr:nth-child(n+8)', 'svg > *'] }
  globalThis.graveOnly = () => {
    const left = axe._audit.rules.filter(({ id, impact }) => impact === 'minor' || impact === 'moderate' || id === 'color-contrast')
    return { ...usual, rules: Object.fromEntries(left.map(({ id }) => [id, { enabled: false }])) }
  }
  globalThis.ofLayout = () => ({ ...usual, runOnly: ['scrollable-region-focusable', 'target-size'] })
  const hasText = (one) =>
    one.matches('input, select, textarea') || [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
  const lookOf = (one) => {
    const { color, fontSize, fontWeight } = getComputedStyle(one)
    const look = [color, fontSize, fontWeight]
    for (let at = one; at; at = at.parentElement) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(at)
      if (opacity !== '1' || backgroundImage !== 'none' || backgroundColor !== 'rgba(0, 0, 0, 0)')
        look.push(backgroundColor, backgroundImage, opacity)
    }
    return look.join()
  }
  globalThis.unlike = (known) => {
    const counts = new Map()
    const include = [...document.body.querySelectorAll('*')].filter((one) => {
      if (!hasText(one) || !one.checkVisibility({ visibilityProperty: true })) return false
      const { width, height } = one.getBoundingClientRect()
      if (width < 2 || height < 2) return false
      const look = lookOf(one)
      if (known.includes(look)) return false
      counts.set(look, (counts.get(look) ?? 0) + 1)
      return counts.get(look) <= 3
    })
    return { include, looks: [...counts.keys()] }
  }
  globalThis.contrast = async (known) => {
    const { include, looks } = unlike(known)
    if (include.length === 0) return { violations: [], looks }
    const { violations } = await axe.run({ include }, { ...usual, runOnly: ['color-contrast'] })
    return { violations, looks }
  }
}`

/** Findings of all grave rules but contrast. */
const ALL = 'axe.run(alike, graveOnly())'
/** Findings of rules that depend on the width. */
const OF_LAYOUT = 'axe.run(alike, ofLayout())'

/** Pixels by which the page is wider than the window. */
export const SIDEWAYS = 'document.documentElement.scrollWidth - innerWidth'

/** A tab that visits one page after the other. A new tab for each page would cost three times as much. */
export interface Walk {
  /**
   * Opens an address and checks the page as wide as a desktop and as a phone, in both themes.
   *
   * @param options `status`: of the answer for the page itself; `look`: further checks of the page, at each width;
   *   `reloads`: true for a page that would load itself again during the checks
   */
  visit(address: string, options?: Visit): Promise<void>
}

interface Visit {
  status?: number
  look?: (page: Page) => Promise<void>
  reloads?: boolean
}

/**
 * Opens a tab. Every page that it visits is checked for errors in the console, requests to other origins, scrolling
 * sideways, and obstacles for people with a screen reader or a keyboard.
 *
 * @param options of the tab, such as the session of another one
 */
export async function openWalk(browser: Browser, options: BrowserContextOptions = {}): Promise<Walk> {
  const page = await openTab(browser, options)
  return {
    visit: (address, options = {}) => visit(page, address, options),
  }
}

/** Opens a tab in whose pages axe can run. */
export async function openTab(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options)
  await context.addInitScript((await axe) + IN_PAGE)
  return context.newPage()
}

async function visit(
  page: Page,
  address: string,
  { status = 200, look = async () => {}, reloads = false }: Visit,
): Promise<void> {
  const { wrong, stop } = watch(page, address, status)
  try {
    if (reloads) await loadOnce(page, address)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: WIDTHS[0]!, height: HEIGHT })
    const response = await page.goto(address)
    assert.equal(response!.status(), status)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT })
      const sideways = await page.evaluate<number>(SIDEWAYS)
      if (sideways > 0) wrong.push(`scrolls sideways by ${sideways} px`)
      wrong.push(...(await obstaclesIn(page)))
      await look(page)
      assert.equal(wrong.join('\n'), '', `${address} at ${width} px:\n${wrong.join('\n')}`)
    }
  } finally {
    stop()
    await page.unroute(address)
  }
}

/**
 * Returns the serious and critical findings of axe in both themes, at the current width. The themes differ only in
 * colours, and only the contrast depends on colours.
 *
 * @param looks whose contrast is known. New looks are added, so that a look that many pages share is checked only once
 * @param rules `layout` for rules that depend on the width, if the others and the contrast were checked at another width
 */
export async function obstaclesIn(
  page: Page,
  looks: Set<string> = new Set(),
  rules: 'all' | 'layout' = 'all',
): Promise<string[]> {
  const found: string[] = []
  const add = ({ violations }: Pick<AxeResults, 'violations'>, about: string) => {
    for (const { impact, id, nodes } of violations) {
      const isGrave = impact === 'serious' || impact === 'critical'
      if (isGrave) found.push(`${about}${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    }
  }
  add(await page.evaluate<AxeResults>(rules === 'all' ? ALL : OF_LAYOUT), '')
  if (rules === 'layout') return found
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const checked = await page.evaluate<AxeResults & { looks: string[] }>(`contrast(${JSON.stringify([...looks])})`)
    add(checked, `${colorScheme} `)
    for (const look of checked.looks) looks.add(look)
  }
  return found
}

/** Prevents a page from loading itself again: a browser stays on the page after a 204. */
async function loadOnce(page: Page, address: string): Promise<void> {
  let loads = 0
  await page.route(address, (route) => (loads++ === 0 ? route.continue() : route.fulfill({ status: 204 })))
}

/** Notes errors of a page and its requests to other origins, until it is stopped. */
export function watch(page: Page, address: string, status: number): { wrong: string[]; stop: () => void } {
  const { origin } = new URL(address)
  const wrong: string[] = []
  const onError = ({ message }: Error) => void wrong.push(message)
  const onMessage = (message: ConsoleMessage) => {
    // Chromium also writes the status of the page's own request to the console.
    const isStatus = status >= 400 && message.location().url === address
    // The policy of a document as filed blocks its pictures, which are other documents of the filing.
    const isOfDocument = /^Loading the image '[^']*\/original\//.test(message.text())
    if (['error', 'warning'].includes(message.type()) && !isStatus && !isOfDocument) wrong.push(message.text())
  }
  const onRequest = (request: Request) => {
    if (new URL(request.url()).origin !== origin) wrong.push(`asked ${request.url()}`)
  }
  page.on('pageerror', onError).on('console', onMessage).on('request', onRequest)
  const stop = () => page.off('pageerror', onError).off('console', onMessage).off('request', onRequest)
  return { wrong, stop: () => void stop() }
}
