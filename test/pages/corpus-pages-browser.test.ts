/**
 * Pages of every kind over the corpus, loaded by the program itself, and every link of these pages.
 *
 * @ci it needs Chromium
 */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { launch, noChromium } from '../support/chromium.ts'
import { freePort } from '../support/command.ts'
import { corpus } from '../support/corpus.ts'
import { startHost } from '../support/edgar-host.ts'
import { often, soaking } from '../support/soak.ts'
import { until } from '../support/until.ts'
import { openPageWalk, sessionOf } from '../support/walk/page.ts'
import { walkSite } from '../support/walk/site.ts'
import { checkout, temporaryFolder } from '../support/world.ts'

const EACH = often('pages of each kind', { usual: 0, soak: 2 })
const skip = noChromium || corpus.skip || (!soaking && 'the corpus is loaded and walked in a soak')

type After = Parameters<typeof temporaryFolder>[0]

/** Starts a service in a separate process, and loads the corpus into it. */
async function serveCorpus(t: After): Promise<{ origin: string; key: string }> {
  const roots = ['sec', 'data.sec', 'adviserinfo'].map((name) => path.join(corpus.folder, name))
  const host = await startHost({ root: roots })
  t.after(() => host.close())
  const port = await freePort()
  const env = {
    ...{ PATH: process.env.PATH ?? '', DATA_DIR: path.join(await temporaryFolder(t), 'data'), PORT: String(port) },
    ...{ SAMPLE: 'off', EDGAR_USER_AGENT: 'OpenFilings test test@example.org' },
    ...{ EDGAR_BASE_URL: host.url, EDGAR_DATA_URL: host.url, ADVISERINFO_BASE_URL: host.url },
  }
  const program = path.join(checkout, 'bin/openfilings.mjs')
  const server = spawn(process.execPath, [program, 'serve'], { env, stdio: 'ignore' })
  const ended = new Promise((resolve) => server.once('close', resolve))
  t.after(async () => {
    server.kill()
    await ended
  })
  const origin = `http://127.0.0.1:${port}`
  await until('the server answers', async () => (await fetch(`${origin}/healthz`).catch(() => null))?.ok === true)
  const run = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, [program, ...args], { env, maxBuffer: 1e9 })).stdout
  const [sec, data, advisers] = roots as [string, string, string]
  // The command reports that the corpus has no lists of adviser files.
  await run('ingest', 'all', '--from', '1993-01-01').catch(() => {})
  await run('ingest', 'documents', '--from', '1993-01-01')
  const tickers = ['company_tickers.json', 'company_tickers_mf.json'].map((name) => path.join(sec, 'files', name))
  await run('ingest', 'companies', ...tickers)
  await run('ingest', 'facts', ...globSync(path.join(data, 'api/xbrl/companyfacts/CIK*.json')))
  await run('ingest', 'adv', path.join(advisers, 'feeds/IA_FIRM_SEC_Feed_07_23_2026.xml.gz'))
  // The corpus has the brochure without the number and the day in its name.
  const brochure = path.join(await temporaryFolder(t), '298354_1032748_20260331.pdf')
  await copyFile(path.join(advisers, 'brochures/build-asset-management_adv2a.pdf'), brochure)
  await run('ingest', 'brochures', brochure)
  const limits = ['--search-limit', '1000000', '--general-limit', '1000000']
  const made = await run('keys', 'create', '--account', 'walk', '--scopes', 'api,brochures', ...limits)
  return { origin, key: made.trim().split('\n').at(-1)! }
}

test('no page over the corpus has a fault, and no link is broken', { skip }, async (t) => {
  const { origin, key } = await serveCorpus(t)
  const browser = await launch()
  t.after(() => browser.close())
  const walk = await openPageWalk(browser, origin, sessionOf(origin, key))
  const { unreached, faults, links, broken } = await walkSite(walk, { origin, key, each: EACH })
  assert.equal([...faults, ...broken].join('\n'), '')
  // The corpus has no Form 144 and no feed of representatives.
  assert.deepEqual([...unreached].sort(), ['form144_detail', 'rep_movements'])
  assert.ok(links > 2_000, `${links} links`)
})
