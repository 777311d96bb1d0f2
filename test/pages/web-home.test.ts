/**
 * The page at `/` in Chromium, on a desktop and on a phone, in light and dark: with the sample, without data, without a
 * database.
 *
 * @ci it needs Chromium
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pages } from '../../src/pages/pages.ts'
import registry from '../../src/registry.ts'
import { described } from '../../src/serve/described.ts'
import { openapi } from '../../src/serve/openapi.ts'
import { openReaders } from '../../src/serve/readers.ts'
import { launch, openWalk, noChromium as skip } from '../support/chromium.ts'
import { ask } from '../support/scratch-server.ts'
import { serveSample, serveWorld } from '../support/served.ts'
import { until } from '../support/until.ts'
import { openWorld, temporaryFolder } from '../support/world.ts'

const [served, browser] = skip ? [] : [await serveSample({ after }), await launch()]
const walk = browser && (await openWalk(browser))
after(() => browser?.close())

test('the page at / states that the sample is loaded, opens each answer, and copies a command that works', {
  skip,
}, async () => {
  const { origin, keys } = served!
  await until('the page shows first requests', async () => (await ask(origin, '/')).text.includes('First requests'))
  await walk!.visit(`${origin}/`, {
    async look(page) {
      const tried = page.locator('details.try')
      assert.ok((await tried.count()) >= 5)
      await tried.nth(1).locator('summary').click()
      assert.ok(await tried.nth(1).locator('.answer').isVisible())
      // Closes the request again, before the page is checked at the next width.
      await tried.nth(1).locator('summary').click()
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await tried.first().locator('button.copy').click()
      const command = await page.evaluate<string>('navigator.clipboard.readText()')
      const [, address] = /^curl '(http:[^']+)' -H "Authorization: Bearer \$OPENFILINGS_KEY"$/.exec(command)!
      assert.ok(address!.startsWith(`${origin}/v1/`))
      assert.equal((await fetch(address!, { headers: { authorization: `Bearer ${keys.full}` } })).status, 200)
    },
  })
})

test('the page at / of an empty database has no faults', { skip }, async (t) => {
  const { origin } = await serveWorld(t, await openWorld(t, { root: await temporaryFolder(t) }))
  await walk!.visit(`${origin}/`, {
    async look(page) {
      assert.match(await page.locator('.standing').innerText(), /^Nothing is loaded\./)
    },
  })
})

test('the page at / without a database has no faults', {
  skip,
}, async (t) => {
  const readers = openReaders({ target: 'postgres://nobody@127.0.0.1:1/none', max: 2 })
  t.after(() => readers.end())
  const { origin } = await serveWorld(t, served!, { readers })
  await walk!.visit(`${origin}/`, {
    status: 503,
    reloads: true,
    async look(page) {
      assert.match(await page.locator('.standing').innerText(), /^The data cannot be read at the moment\./)
    },
  })
})

test('the page of a start in progress turns by itself into the page of the loaded data', {
  skip,
}, async (t) => {
  let waitsFor: string | null = 'loading the bundled sample'
  const own = pages({ openapi: described('0.0.0', () => openapi(registry, '0.0.0')), waitsFor: () => waitsFor })
  const { origin } = await serveWorld(t, served!, { pages: own })
  const page = await browser!.newPage()
  await page.goto(`${origin}/`)
  assert.match(await page.locator('.standing').innerText(), /^Not ready yet\./)
  waitsFor = null
  await page.getByText('Ready, with the bundled sample.').waitFor({ timeout: 25_000 })
  await page.close()
})
