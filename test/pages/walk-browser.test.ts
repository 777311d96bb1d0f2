/**
 * The walk over pages reports each kind of fault: a page that has exactly one fault gets a line that names it.
 *
 * @ci it needs Chromium
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { secondRun } from '../second-run.ts'
import { launch, noChromium } from '../support/chromium.ts'
import { openPageWalk } from '../support/walk/page.ts'

const skip = secondRun || noChromium
const browser = skip ? undefined : await launch()
after(() => browser?.close())

/** The main part of a page, and the line that the walk reports for it; null for a page without faults. */
const PAGES: readonly (readonly [what: string, main: string, fault: RegExp | null])[] = [
  ['a page without faults', '<p>Text</p>', null],
  ['a page above 150 KB', `<!-- ${randomBytes(100_000).toString('hex')} -->`, /bytes over the wire, more than 150000/],
  ['a button without a form', '<button type="button">Go</button>', /does nothing: <button/],
  ['an empty head of a table', '<table><tr><th></th></tr></table>', /empty th/],
  ['a value that is missing', '<dl><dt>Name</dt><dd>undefined</dd></dl>', /dd has no value: undefined/],
  ['a page wider than a phone', '<div style="width: 600px">wide</div>', /390 px: wider than the window by/],
  ['a script that fails', '<script>throw new Error("broken")</script>', /broken/],
  ['a script that removes text', '<p>Lost</p><script>document.querySelector("p").remove()</script>', /scripts remove/],
  ['a picture of another host', '<img alt="x" src="http://192.0.2.1/x.png">', /asked http:\/\/192\.0\.2\.1\/x\.png/],
  ['a picture without a description', '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">', /image-alt/],
]

test('the walk reports the fault of each page, and none of a page without faults', { skip }, async (t) => {
  const server = createServer((request, response) => {
    const main = PAGES[Number(request.url!.slice(1))]?.[1] ?? ''
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><html lang="en"><title>Page</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width"><main><h1>Page</h1>${main}</main></html>`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const walk = await openPageWalk(browser!, origin)
  for (const [n, [what, , fault]] of PAGES.entries()) {
    const { faults } = await walk.visit(`/${n}`)
    if (fault === null) assert.deepEqual(faults, [], what)
    else
      assert.ok(
        faults.some((line) => fault.test(line)),
        `${what}: ${faults.join('; ') || 'no fault'}`,
      )
  }
})

test('the walk reports another status than the expected one', { skip }, async (t) => {
  const server = createServer((_, response) => response.writeHead(404).end('none')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { faults } = await (await openPageWalk(browser!, origin)).visit('/gone')
  assert.ok(
    faults.some((line) => /status 404/.test(line)),
    faults.join('; '),
  )
})
