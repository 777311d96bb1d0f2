/** `ingest --cik` and `--watch` as an operator runs them: from an empty data folder to answers with one command. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { assertRefused, beginHere, emptyEnv, queried, run, sampledEnv } from '../support/command.ts'
import { APPLE, profilesEdgar } from '../support/profiles-made.ts'
import { temporaryFolder } from '../support/world.ts'

test('one command, without an index, leads from an empty data folder to answers about a ticker; a second run requests only changes', async (t) => {
  const edgar = await profilesEdgar(t)
  await edgar.profile(APPLE, { name: 'Apple Inc.' })
  const env = await emptyEnv(t)
  const args = ['ingest', '--cik', 'AAPL', '--from', '2024-01-01', '--base-url', edgar.host.url]
  const first = await run(args, env)
  assert.equal(first.status, 0, first.stderr)
  assert.match(first.stdout, /^profiles: 1 read, 0 unchanged, 0 failed; 10 filings in the wanted days, 10 new$/m)
  assert.match(first.stdout, /^ {2}filings +9 read, 0 failed, 0 unread leaves$/m)
  const lists = ['company_tickers', 'company_tickers_exchange', 'company_tickers_mf'].map(
    (name) => `/files/${name}.json`,
  )
  const asked = [...lists, `/submissions/CIK${APPLE}.json`]
  assert.deepEqual(
    edgar.asked(),
    asked.map((at) => `200 ${at}`),
  )
  const second = await run(args, env)
  assert.equal(second.status, 0, second.stderr)
  assert.match(second.stdout, /^profiles: 0 read, 1 unchanged, 0 failed; 0 filings in the wanted days, 0 new$/m)
  assert.deepEqual(
    edgar.asked(),
    asked.map((at) => `304 ${at}`),
  )
  const status = await run(['status'], env)
  assert.match(
    status.stdout,
    /^chosen {4}1 filer since 2024-01-01 through [\d-]+; filings of other filers are not loaded$/m,
  )
  const server = beginHere(t, ['serve', '--port', '0'], env)
  const [, key] = /^API key: +(\S+)/m.exec(await server.until(/^API key: .*$/m))!
  const [base] = /http:\/\/\S+:\d+/.exec(server.stdout())!
  const get = async (at: string) => {
    const answer = await fetch(`${base}/v1${at}`, { headers: { authorization: `Bearer ${key}` } })
    return (await answer.json()) as Record<string, unknown>
  }
  const { rows } = (await get('/ownership/filings?cik=320193')) as { rows: unknown[] }
  assert.equal(rows.length, 5)
  const none = await get('/eightk/events?cik=1045810')
  assert.deepEqual(none.not_loaded, [
    {
      source: 'eightk',
      note: 'only filings of one chosen filer have been loaded: current reports (8-K) of others are not known',
    },
  ])
  const { families } = (await get('/filings/coverage')) as { families: Record<string, unknown>[] }
  const coverage = families.find(({ slug }) => slug === 'ownership')!
  assert.deepEqual([coverage.filings, coverage.pct, coverage.filer_selection], [5, 100, 'chosen'])
  assert.deepEqual(families.find(({ slug }) => slug === 'formd')!.filer_selection, null)
  const { chosen_filers } = await get('/status')
  assert.deepEqual(
    { ...(chosen_filers as object), through: '' },
    { filer_count: 1, failed_count: 0, from: '2024-01-01', through: '', is_only: true },
  )
  const home = await (await fetch(`${base}/`, { headers: { accept: 'text/html' } })).text()
  assert.match(home, /Ready, with the filings of one chosen filer, through [\d-]+\./)
  assert.equal(await server.end(), 0)
})

test('an entry that matches no filer or several is reported with its line and the remedy, and the other entries are loaded', async (t) => {
  const edgar = await profilesEdgar(t)
  await edgar.profile(APPLE, { filings: [] })
  await mkdir(path.join(edgar.root, 'files'))
  const lists = async (tickers: Record<string, [number, string]>) => {
    const lines = Object.entries(tickers).map(([ticker, [cik, title]]) => ({
      cik_str: cik,
      ticker: ticker.replace(/~.*/, ''),
      title,
    }))
    await writeFile(path.join(edgar.root, 'files/company_tickers.json'), JSON.stringify({ ...lines }))
    const rows = lines.map(({ cik_str, ticker, title }) => [cik_str, title, ticker, 'NYSE'])
    const table = { fields: ['cik', 'name', 'ticker', 'exchange'], data: rows }
    await writeFile(path.join(edgar.root, 'files/company_tickers_exchange.json'), JSON.stringify(table))
  }
  await lists({ AAPL: [320193, 'Apple Inc.'], SAME: [7, 'Seven'], 'SAME~2': [8, 'Eight'] })
  const env = await emptyEnv(t)
  const file = path.join(edgar.root, 'watch.txt')
  await writeFile(file, '# mine\nAAPL # Apple\n320193\nNOSUCH\nSAME\nCRD 106482\nS000009999\naapl\n')
  const args = ['ingest', 'index', '--watch', file, '--base-url', edgar.host.url]
  const first = await run(args, env)
  assert.equal(first.status, 1)
  const line = (n: number, text: RegExp) =>
    assert.match(first.stderr, new RegExp(`line ${n} of \\S+watch\\.txt, ${text.source}`, 'm'))
  line(4, /NOSUCH: is not in the SEC’s lists of tickers: write the CIK of the filer, or its present ticker$/)
  line(
    5,
    /SAME: several filers have this ticker, 000000000[78], 000000000[78]: write the CIK of the one that is meant$/,
  )
  line(
    6,
    /CRD 106482: no filer of EDGAR is known for this adviser: run "openfilings ingest adv" first, or write its CIK$/,
  )
  line(7, /S000009999: the SEC’s list of funds does not have this series: write the CIK of its registrant$/)
  assert.match(first.stdout, /^profiles: 1 read, 0 unchanged, 0 failed/m)
  assert.match(first.stdout, /^ {2}skipped +4 of the entries of --watch: each means no filer, or several/m)
  // The ticker disappears from the list, but still means the same filer.
  await lists({ SAME: [7, 'Seven'] })
  await writeFile(file, 'AAPL\n')
  const second = await run(args, env)
  assert.equal(second.status, 0, second.stderr)
  assert.match(
    second.stdout,
    /^AAPL: the SEC’s lists no longer have this ticker; it still means 0000320193, Filer 320193$/m,
  )
  const [row] = await queried(env, (sql) => sql`select entry, problem from edgar.chosen`)
  assert.deepEqual(row, { entry: 'AAPL', problem: null })
})

test('an invalid watch list is refused before the data folder is created', async (t) => {
  const folder = await temporaryFolder(t)
  const env = { DATA_DIR: path.join(folder, 'data') }
  const file = path.join(folder, 'w.txt')
  const refused = async (args: string[], names: RegExp, text = '') => {
    await writeFile(file, text)
    assertRefused(await run(['ingest', ...args], env), names)
    assert.equal(existsSync(env.DATA_DIR), false, 'no data folder was made')
  }
  await refused(['--watch', file], /w\.txt names no filer: write a CIK/, '# none\n\n')
  await refused(['--watch', file], /not a valid entry: line 2 of .*"Apple Inc\."; write a CIK/, 'AAPL\nApple Inc.\n')
  await refused(['--watch', path.join(folder, 'none.txt')], /the watch list .*none\.txt cannot be read/)
  await refused(['--watch', folder], /the watch list .* cannot be read/)
  await refused(['--cik', 'AAPL', '--watch', file], /--cik and --watch both choose filers: give only one of them/)
  await refused(['--cik', ' , '], /--cik names no filer/)
  await refused(
    ['thirteenf', '--sets', '--cik', '7'],
    /--sets cannot be used with --cik, since a set has the filings of all filers: leave out one of them/,
  )
  await refused(['adv', '--watch', file], /--watch can be used only with filings/, 'AAPL')
  await refused(['--cik', 'AAPL'], /requires a contact: set EDGAR_USER_AGENT/)
})

test('a run in which no profile can be read keeps the sample, and ends with status 1', async (t) => {
  const edgar = await profilesEdgar(t)
  const env = await sampledEnv(t)
  const { status, stdout, stderr } = await run(['ingest', '--cik', '7', '--base-url', edgar.host.url], env)
  assert.equal(status, 1)
  // The list may have many entries, so the failure names the entry.
  assert.match(stderr, /entry 1 of --cik, 0000000007: CIK0000000007\.json failed: there is no http/)
  assert.match(stdout, /CIK0000000007\.json failed: there is no http/)
  assert.match(stdout, /^ {2}skipped +filings: no profile of http\S+ could be read$/m)
  const origin = await queried(env, (sql) => sql`select value from core.meta where name = 'origin'`)
  assert.equal(origin[0]!.value, 'sample')
})
