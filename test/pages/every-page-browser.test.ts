/**
 * Every kind of page in Chromium, with and without scripts, as wide as a desktop and a phone, in both themes. Every
 * link of these pages is followed, and every form is sent as the page shows it.
 *
 * @ci it needs Chromium
 * @early it takes a minute
 */
import assert from 'node:assert/strict'
import { after, describe, it, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { addressOf, exampleRequests } from '../../src/declare/examples.ts'
import { Places } from '../../src/pages/explorer/places.ts'
import registry from '../../src/registry.ts'
import { secondRun } from '../second-run.ts'
import { launch, noChromium } from '../support/chromium.ts'
import { serveSample } from '../support/served.ts'
import { openPageWalk, sessionOf } from '../support/walk/page.ts'

const skip = secondRun || noChromium
const [served, browser] = skip ? [] : [await serveSample({ after }), await launch()]
after(() => browser?.close())

const walk = browser && (await openPageWalk(browser, served!.origin, sessionOf(served!.origin, served!.keys.full)))
const places = new Places(registry, { hasAccounts: false })

/** Links and forms of the walked pages, each with a page that has it. */
const leads = new Map<string, string>()

function check(address: string, status = 200): void {
  it(address, { skip }, async () => {
    const { faults, leads: own } = await walk!.visit(address, status)
    assert.equal(faults.join('\n'), '')
    // Links of an error page are not followed, since they lead to the same error.
    if (status !== 200) return
    // The link to / is left out: this server loads nothing, so / shows the page of a starting service.
    for (const lead of own) if (lead !== '/' && !leads.has(lead)) leads.set(lead, address)
  })
}

describe('the page of every answer has no faults', () => {
  for (const { route } of places.all) {
    const [first] = exampleRequests(route)
    check(places.pageOf(`/v1${addressOf(route, first!.values)}`)!)
  }
})

describe('every other kind of page has no faults', () => {
  for (const address of [
    '/browse',
    '/search?q=masterworks',
    '/filing/0001104659-23-108985/text?sequence=1&at=554&length=217',
    '/filing/0001104659-23-108985/text?q=directors',
    '/filing/0001104659-23-108985/original',
    '/events?form=8-K',
    '/adv/advisers/list?state=NY&count=state',
    '/filings?family=formd&filters=%7B%22field%22%3A%22state%22%2C%22op%22%3A%22eq%22%2C%22value%22%3A%22CA%22%7D',
    '/ipos?fields=company_name,stage',
    '/npx/votes?cusip=000000000',
    '/docs',
    '/docs/feed',
    '/docs/adv_adviser',
    '/docs/edgar_doc',
    '/docs/guides/private-marks',
    '/docs/data',
    '/docs/data/formd',
  ])
    check(address)
  check('/company/99999999', 404)
  check('/filing/0001104659-23-108985/text?sequence=99', 404)
  check('/ipos?stage=nothing', 400)
})

test('the page of a filing that EDGAR removed has no faults and says so', { skip }, async () => {
  const accession = '0000000009-25-000001'
  await served!.sql`
    insert into edgar.tombstone ${served!.sql({
      ...{ accession, form_type: '8-K', filed_date: '2025-01-02', cik: '0000320193', company_name: 'Apple Inc.' },
      ...{ removed_at: '2025-02-03T00:00:00Z', index_url: 'https://www.sec.gov/' },
    })}`
  const { faults, lines } = await walk!.visit(`/filing/${accession}`, 404)
  assert.equal(faults.join('\n'), '')
  assert.ok(
    lines.some((line) => line.includes('2025-02-03')),
    lines.join('\n'),
  )
})

test('every link and form of these pages opens', { skip }, async () => {
  const headers = { cookie: `openfilings_key=${served!.keys.full}`, accept: 'text/html' }
  const wrong: string[] = []
  const absent: string[] = []
  const follow = async ([href, from]: [string, string]): Promise<void> => {
    const { status, body } = await fetch(served!.origin + href, { headers })
    await body?.cancel()
    // A key may request only a few files at a time.
    if (status === 429) {
      await delay(200)
      return follow([href, from])
    }
    // Filings of the sample name other filings and an adviser that the sample lacks.
    if (status === 404 && /^\/(filing|adviser)\/[^/?]+$/.test(href)) absent.push(href)
    else if (status !== 200) wrong.push(`${status} ${href} on ${from}`)
  }
  const left = [...leads]
  await Promise.all(
    [1, 2, 3, 4].map(async () => {
      for (let next = left.shift(); next; next = left.shift()) await follow(next)
    }),
  )
  assert.deepEqual(wrong, [])
  assert.ok(leads.size > 700, `${leads.size} links`)
  assert.ok(absent.length <= 10, absent.join(' '))
})
