/** Pages in a real browser: the system's Chromium, if there is one. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { AxeResults } from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)

/** The reason why tests of pages are skipped; false if there is a browser. CI has one, or fails. */
export const noChromium =
  executablePath || process.env.CI === 'true' ? false : 'no Chromium is installed (/usr/bin/chromium)'

/** Without these flags Chromium looks up hosts of its maker at every start. */
const QUIET = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export function launch(): Promise<Browser> {
  // Chromium refuses its sandbox to root, which CI is; the pages are our own.
  const args = [...QUIET, '--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
  return chromium.launch({ executablePath: executablePath!, headless: true, args })
}

/** A desktop and a phone. */
const WIDTHS = [1280, 390]

/** The accessibility rules, as text: it is run although the page's policy allows only scripts of its own files. */
const axe = readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * Opens an address on a desktop and on a phone, and looks at it there in both themes.
 *
 * @param required status of the answer for the page itself
 * @param further checks of the page. Every page is checked for errors in the console, requests to other origins,
 *   scrolling sideways, and obstacles for people with a screen reader or a keyboard
 */
export async function walk(
  browser: Browser,
  address: string,
  { status = 200, look = async () => {} }: { status?: number; look?: (page: Page) => Promise<void> } = {},
): Promise<void> {
  const { origin } = new URL(address)
  for (const width of WIDTHS) {
    const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme: 'light' })
    const page = await context.newPage()
    const wrong: string[] = []
    page.on('pageerror', ({ message }) => wrong.push(message))
    page.on('console', (message) => {
      // Chromium writes the status of the page itself to the console too.
      const isStatus = status >= 400 && message.location().url === address
      if (['error', 'warning'].includes(message.type()) && !isStatus) wrong.push(message.text())
    })
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== origin) wrong.push(`asked ${request.url()}`)
    })
    const response = await page.goto(address)
    assert.equal(response!.status(), status)
    const sideways = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    if (sideways > 0) wrong.push(`scrolls sideways by ${sideways} px`)
    await page.evaluate(await axe)
    // All rules take a second. The themes differ only in colours, so the dark one is checked only for contrast.
    for (const [colorScheme, rules] of [
      ['light', ''],
      ['dark', `{ runOnly: ['color-contrast'] }`],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      const { violations } = await page.evaluate<AxeResults>(`axe.run(${rules})`)
      for (const { impact, id, nodes } of violations) {
        const isGrave = impact === 'serious' || impact === 'critical'
        if (isGrave) wrong.push(`${colorScheme} ${id}: ${nodes.map(({ html }) => html).join(' ')}`)
      }
    }
    await look(page)
    assert.deepEqual(wrong, [], `${address} at ${width} px`)
    await context.close()
  }
}
