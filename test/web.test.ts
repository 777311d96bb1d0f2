/** Pages in a real browser: Chromium of the system, when it is there. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { type Browser, chromium } from 'playwright-core'
import registry from '../src/registry.ts'
import { serveSample } from './served.ts'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
const skip = executablePath || process.env.CI === 'true' ? false : 'no Chromium is installed (/usr/bin/chromium)'

/** Without these flags Chromium looks up hosts of its maker at every start. */
const QUIET = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

async function browse(t: { after(fn: () => Promise<void>): void }): Promise<Browser> {
  // Chromium refuses its sandbox to root, which CI is; the pages are our own.
  const args = [...QUIET, '--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
  const browser = await chromium.launch({ executablePath: executablePath!, headless: true, args })
  t.after(() => browser.close())
  return browser
}

test('the reference page shows every operation, asks no other host and logs no error', { skip }, async (t) => {
  const served = await serveSample(t)
  const page = await (await browse(t)).newPage()
  const errors: string[] = []
  const hosts = new Set<string>()
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  await page.goto(`${served.origin}/docs`)
  for (const route of registry.routes) await page.getByText(route.path, { exact: false }).first().waitFor()
  assert.deepEqual(errors, [])
  assert.deepEqual(
    [...hosts].filter((host) => host !== new URL(served.origin).host && host !== ''),
    [],
  )
})

test('HTML of a filing never runs in our origin: its script does not execute', { skip }, async (t) => {
  const served = await serveSample(t)
  const [row] = await served.sql<{ accession: string }[]>`select accession from edgar.submission limit 1`
  const page = await (await browse(t)).newPage()
  await page.setExtraHTTPHeaders({ 'x-api-key': served.keys.full })
  const response = await page.goto(`${served.origin}/v1/edgar/doc/${row!.accession}/1`)
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
  await page.goto(`${served.origin}/probe`)
  assert.equal(await page.locator('#kept').textContent(), 'text')
  assert.notEqual(await page.title(), 'ran')
})
