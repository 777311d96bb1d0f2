/**
 * Visits pages in Chromium, each with and without scripts, as wide as a desktop and a phone, in both themes. Reports
 * every fault of a page, and every address to which the page leads.
 */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { HEIGHT, obstaclesIn, openTab, SIDEWAYS, WIDTHS, watch } from '../chromium.ts'

export interface Visited {
  /** One line for each fault, with the width or the theme in which it shows. */
  faults: readonly string[]
  /** Paths of links, and of forms that are sent as the page shows them. */
  leads: readonly string[]
  /** Lines of the main part. */
  lines: readonly string[]
}

export interface PageWalk {
  /** @param status the expected status of the page */
  visit(path: string, status?: number): Promise<Visited>
}

/** What a page shows to a reader, with or without scripts. */
interface Shown {
  heading: string
  /** Lines of the main part. */
  lines: string[]
  leads: string[]
  /** Controls that do nothing without scripts. */
  idle: string[]
  /** Faults of the content. */
  faults: string[]
}

/** Options of a browser whose reader has entered a key. */
export function sessionOf(origin: string, key: string): BrowserContextOptions {
  const cookie = { name: 'openfilings_key', value: key, domain: new URL(origin).hostname, path: '/' }
  return {
    storageState: {
      cookies: [{ ...cookie, expires: -1, httpOnly: true, secure: false, sameSite: 'Strict' }],
      origins: [],
    },
  }
}

/**
 * Opens a tab with scripts and a tab without them.
 *
 * @param options of the tabs, such as a session
 */
export async function openPageWalk(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<PageWalk> {
  const full = await openTab(browser, options)
  const bare = await (await browser.newContext({ ...options, javaScriptEnabled: false })).newPage()
  const looks = new Set<string>()
  await bare.setViewportSize({ width: WIDTHS[0]!, height: HEIGHT })
  return {
    async visit(path, status = 200) {
      const address = origin + path
      const without = await withoutScripts(bare, address, status)
      const { shown, faults } = await withScripts(full, address, status, looks)
      faults.push(...without.faults, ...differences(shown, without.shown))
      const leads = [...new Set([...shown.leads, ...without.shown.leads])]
      return { faults: [...new Set(faults)], leads, lines: shown.lines }
    },
  }
}

async function withoutScripts(page: Page, address: string, status: number) {
  const { wrong, stop } = watch(page, address, status)
  try {
    const response = await page.goto(address)
    if (response!.status() !== status) wrong.push(`status ${response!.status()}`)
    const { responseBodySize } = await response!.request().sizes()
    if (responseBodySize > BYTES) wrong.push(`${responseBodySize} bytes over the wire, more than ${BYTES}`)
    const shown = await page.evaluate<Shown>(READ)
    return { shown, faults: [...wrong, ...shown.idle, ...shown.faults].map((fault) => `without scripts: ${fault}`) }
  } finally {
    stop()
  }
}

async function withScripts(page: Page, address: string, status: number, looks: Set<string>) {
  const { wrong: faults, stop } = watch(page, address, status)
  try {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: WIDTHS[0]!, height: HEIGHT })
    const response = await page.goto(address)
    if (response!.status() !== status) faults.push(`status ${response!.status()}`)
    // Parts that come later belong to the page.
    await page.waitForSelector(COMING, { state: 'detached' })
    const shown = await page.evaluate<Shown>(READ)
    faults.push(...shown.faults)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT })
      const sideways = await page.evaluate<number>(SIDEWAYS)
      if (sideways > 0) faults.push(`${width} px: wider than the window by ${sideways} px`)
      faults.push(
        ...(await obstaclesIn(page, looks, width === WIDTHS[0] ? 'all' : 'layout')).map(
          (each) => `${width} px: ${each}`,
        ),
      )
    }
    return { shown, faults }
  } finally {
    stop()
  }
}

/** Maximum size in bytes of a page as the server sends it: compressed, without its style, scripts and pictures. */
const BYTES = 150_000

/** Scripts may add to a page; whatever the page shows without them must stay. */
function differences(full: Shown, bare: Shown): string[] {
  const lines = new Set(full.lines)
  const kept = new Set(full.leads.map(withoutEmpty))
  const lost = bare.lines.filter((line) => !lines.has(line))
  return [
    ...(full.heading === bare.heading ? [] : [`headings differ: ${full.heading}, without scripts ${bare.heading}`]),
    ...(lost.length === 0 ? [] : [`scripts remove ${lost.length} lines, such as: ${lost[0]}`]),
    // The address of the document in a frame contains a pass, which is new in each page.
    ...bare.leads
      .filter((lead) => !kept.has(withoutEmpty(lead)) && !lead.startsWith('/original/'))
      .map((lead) => `scripts remove the link ${lead}`),
  ]
}

/** An address without empty parameters: scripts do not send fields that are empty. */
function withoutEmpty(address: string): string {
  const [path = '', query = ''] = address.split('?')
  return `${path}?${new URLSearchParams([...new URLSearchParams(query)].filter(([, value]) => value !== ''))}`
}

/** Selects a part of a page that has not arrived yet. */
const COMING = '.later:not([aria-busy=false])'

/**
 * Reads a page as its reader sees it. A form is sent as the page shows it. Ages, and parts that come later, are left
 * out of the lines, since scripts replace them. Text of code blocks and of filings is not checked for faults, since it
 * is not ours.
 */
const READ = String.raw`(() => {
  const main = document.querySelector('main') ?? document.body
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true })
  const own = (href) => {
    const url = new URL(href, location.href)
    return url.origin === location.origin && /^http/.test(url.protocol) ? [url.pathname + url.search] : []
  }
  const links = [...document.querySelectorAll('a[href], area[href]')].flatMap((one) => own(one.getAttribute('href')))
  const forms = [...document.forms].filter((form) => form.method === 'get' && form.hasAttribute('action') && form.checkValidity())
  const sent = forms.flatMap((form) => own(form.getAttribute('action') + '?' + new URLSearchParams(new FormData(form))))
  const idle = [...document.querySelectorAll('button, a, input, select')]
    .filter((one) => isSeen(one) && (one.matches('button') ? one.type === 'button' || !one.form : one.matches('a') ? !one.hasAttribute('href') : !one.form && !one.name))
    .map((one) => 'does nothing: ' + one.outerHTML.slice(0, 200))
  const set = [...main.querySelectorAll('.later, .age, noscript')]
  const before = set.map((one) => one.hidden)
  for (const one of set) one.hidden = true
  const lines = main.innerText.split('\n').map((line) => line.trim().replace(/\s+/g, ' ').replaceAll(location.origin, 'http://127.0.0.1:8080')).filter(Boolean)
  set.forEach((one, n) => { one.hidden = before[n] })
  const faults = []
  const notOurs = 'pre, code, q, .filed, .long-text, .for-programs, title, script, .snippet, .markdown, .reference, .text'
  for (const one of main.querySelectorAll('dt, th, label, summary, option, h1, h2, h3, h4, legend, .help, figcaption, td, dd, b')) {
    if (one.closest(notOurs) || one.querySelector(notOurs)) continue
    const text = one.textContent.trim()
    if (one.matches('dt, th, label, legend, h1, h2, h3') && text === '') faults.push('empty ' + one.localName)
    if (one.closest('.explorer') && one.matches('dt, th, label, option, h1, h2, h3, legend, figcaption, b') && /(^|[\s(])[a-z]+(_[a-z\d]+)+/.test(text)) faults.push(one.localName + ' has a code: ' + text.slice(0, 80))
    if (/\b(undefined|NaN)\b|\[object/.test(text) || text === 'null') faults.push(one.localName + ' has no value: ' + text.slice(0, 80))
    const isMore = one.matches('td:last-child') && one.closest('table')?.tHead?.rows[0]?.lastElementChild?.textContent === 'More'
    if (one.matches('tbody td, dd') && text === '' && one.childElementCount === 0 && !isMore) faults.push('empty ' + one.localName + ' near ' + (one.closest('tr, dl, div')?.outerHTML ?? '').slice(0, 300))
  }
  for (const table of main.querySelectorAll('table.rows')) {
    if (!isSeen(table) || table.closest('.later')) continue
    const heads = [...table.tHead?.rows[0]?.cells ?? []]
    const rows = [...table.tBodies[0]?.rows ?? []]
    heads.forEach((head, n) => {
      const cells = rows.map((row) => row.cells[n]?.textContent.trim() ?? '')
      if (rows.length > 1 && cells.every((text) => text === '' || text === '–')) faults.push('empty column ' + head.textContent)
    })
  }
  return { heading: main.querySelector('h1')?.textContent ?? '', lines, leads: [...new Set([...links, ...sent])], idle, faults: [...new Set(faults)] }
})()`
