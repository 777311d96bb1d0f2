/**
 * Sign-in, the account page and the operators' page in Chromium, with a real provider.
 *
 * @ci it needs Chromium
 * @early it takes a minute
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { secondRun } from '../second-run.ts'
import { launch, noChromium, openWalk } from '../support/chromium.ts'
import { type SignInWorld, signInWorld } from '../support/sign-in/world.ts'

const skip = secondRun || noChromium
// The service has another host name than the provider, so the two are different sites for the browser.
const world = skip ? undefined : await signInWorld({ after }, { publicHost: 'http://localhost' })
const browser = skip ? undefined : await launch()
after(() => browser?.close())

/** Opens a browser for one test. */
async function opened(t: { after(fn: () => Promise<void>): void }, javaScriptEnabled = true) {
  const { base, provider } = world as SignInWorld
  provider.people.set('ada', { name: 'Ada Lovelace' })
  provider.people.set('olga', { name: 'Olga', groups: ['filings-operators'] })
  const context = await (browser as Browser).newContext({ javaScriptEnabled, viewport: { width: 1280, height: 844 } })
  t.after(() => context.close())
  return { context, page: await context.newPage(), base: base.replace('127.0.0.1', 'localhost') }
}

async function throughProvider(page: Page, login: string): Promise<void> {
  await page.fill('input[name=login]', login)
  await page.fill('input[name=password]', 'any')
  await page.click('button[type=submit]')
}

test('the complete path: sign in, create a key, read pages with it, revoke it, sign out; also without scripts', {
  skip,
}, async (t) => {
  for (const [n, javaScriptEnabled] of [true, false].entries()) {
    const { page, base } = await opened(t, javaScriptEnabled)
    await page.goto(`${base}/things?limit=5`)
    await page.click('a.button:text-is("Sign in")')
    await throughProvider(page, `ada ${n}`)
    await page.waitForURL(`${base}/things?limit=5`)
    await page.click('a.button:text-is("Open your account")')
    await page.click('button:text-is("Create the key")')
    const key = (await page.textContent('.new-key code'))!
    assert.match(key, /^of_\w{8}_\w{28}$/)
    const answer = await fetch(`${world!.base}/v1/things`, { headers: { 'x-api-key': key } })
    assert.equal(answer.status, 200)
    await page.goto(`${base}/account`)
    assert.ok(!(await page.content()).includes(key.split('_')[2]!))
    await page.goto(`${base}/things?limit=5`)
    assert.equal(await page.locator('table.rows, dl').count().then(Boolean), true)
    await page.goto(`${base}/account`)
    assert.match((await page.textContent('table.rows'))!, /Searches/)
    await page.click('button:text-is("Revoke the key")')
    await page.waitForSelector('text=The account has no free key')
    await page.click('button:text-is("Sign out")')
    await page.waitForURL(`${base}/`)
    const left = await page.goto(`${base}/account`)
    assert.equal(left!.status(), 401)
  }
})

test('an operator creates a key, changes its limits and revokes it', { skip }, async (t) => {
  const { page, base } = await opened(t)
  await page.goto(`${base}/operator`)
  await page.click('a.button:text-is("Sign in")')
  await throughProvider(page, 'olga')
  await page.waitForURL(`${base}/operator`)
  await page.fill('#new-account', 'a desk')
  await page.fill('#search-new', '50')
  await page.click('button:text-is("Create the key")')
  assert.match((await page.textContent('.new-key code'))!, /^of_/)
  await page.click('td summary')
  await page.fill('td input[name=general]', '70')
  await page.click('button:text-is("Change the limits")')
  await page.waitForSelector('text=70 other requests')
  await page.click('td summary')
  await page.click('button:text-is("Revoke the key")')
  await page.waitForSelector('text=/^revoked \\d/')
})

test('the account pages have no faults on a desktop and a phone, light and dark', { skip }, async (t) => {
  const { context, page, base } = await opened(t)
  await (await openWalk(browser!)).visit(`${base}/account`, { status: 401 })
  await page.goto(`${base}/operator`)
  await page.click('a.button:text-is("Sign in")')
  await throughProvider(page, 'olga')
  // The sign-in ends with a page that redirects to another page. Only the form on that other page shows that the
  // sign-in is over.
  await page.waitForSelector('#new-account')
  await world!.key({ account: 'a desk with a rather long name, to see how it wraps' })
  await page.goto(`${base}/account`)
  await page.click('button:text-is("Create the key")')
  const walk = await openWalk(browser!, { storageState: await context.storageState() })
  for (const path of ['/account', '/operator']) await walk.visit(base + path)
})
