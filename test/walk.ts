/**
 * Walks the pages of a service that runs: visits some of each kind in Chromium, follows every link, and prints the
 * faults.
 *
 *     node bin/run.mjs test/walk.ts http://127.0.0.1:8080 of_… 3
 *
 * The last argument is the number of pages of each kind, by default 2. A service with the corpus shows faults that the
 * sample does not; `npm run soak -- corpus-pages-browser` loads one.
 */
import { launch } from './support/chromium.ts'
import { openPageWalk, sessionOf } from './support/walk/page.ts'
import { walkSite } from './support/walk/site.ts'

const [origin = '', key = '', each = '2'] = process.argv.slice(2)
const browser = await launch()
try {
  const walk = await openPageWalk(browser, origin, sessionOf(origin, key))
  const report = (pages: number, address: string, faults: readonly string[]) =>
    process.stderr.write([`${pages} ${address}`, ...faults, ''].join('\n'))
  const { visited, unreached, faults, links, broken, absent } = await walkSite(walk, {
    ...{ origin, key, each: Number(each), report },
  })
  const pages = [...visited.values()].reduce((sum, count) => sum + count, 0)
  const lines = [...faults, ...broken, ...absent.map((line) => `not loaded: ${line}`)]
  process.stdout.write(`${lines.join('\n')}
${pages} pages of ${visited.size} kinds, ${faults.length} faults
${links} links, ${broken.length} broken, ${absent.length} to what is not loaded
not reached: ${unreached.join(' ')}
`)
  process.exitCode = faults.length + broken.length > 0 ? 1 : 0
} finally {
  await browser.close()
}
