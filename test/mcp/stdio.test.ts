/**
 * `openfilings mcp`: agents over standard input and output, with data from the data folder or from a remote service.
 */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { begin, run, sampledEnv } from '../support/command.ts'
import { agentOf } from '../support/mcp/client.ts'
import { serveSample } from '../support/served.ts'
import { checkout, temporaryFolder } from '../support/world.ts'

type After = Parameters<typeof temporaryFolder>[0]
const served = await serveSample({ after })

/** Starts the command as a client does. */
async function started(t: After, args: readonly string[], env: Record<string, string>) {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [path.join(checkout, 'bin/openfilings.mjs'), 'mcp', ...args],
    env: { PATH: process.env.PATH ?? '', ...env },
    stderr: 'pipe',
  })
  await client.connect(transport)
  t.after(() => client.close())
  return agentOf(client)
}

test('with the data folder, mcp needs no key, answers calls, and has at least ten tools', async (t) => {
  const { answer, client } = await started(t, [], await sampledEnv(t))
  assert.match(await answer('holders', { id: 'AAPL', sort: 'bought' }), /^Berkshire Hathaway Inc\t/m)
  assert.ok((await client.listTools()).tools.length >= 10)
})

test('with an address and a key, mcp answers from a remote service, page by page, and passes on its errors', async (t) => {
  const file = path.join(await temporaryFolder(t), 'key')
  await writeFile(file, `${served.keys.api}\n`)
  const { answer, call } = await started(t, ['--url', served.origin, '--key-file', file], {})
  const first = await answer('list_filings', { limit: 2 })
  const [, token] = /next_page\(token="([\w-]+)"\)/.exec(first)!
  assert.match(await answer('next_page', { token: token! }), /## rows \(2 rows\)/)
  assert.match((await call('call', { path: '/brochures/firm/999000001' })).text, /^missing_scope \(403\)/)
})

test('if the service is unreachable or the key is wrong, mcp answers with an error and continues', async (t) => {
  const away = await started(t, ['--url', 'http://127.0.0.1:9'], { OPENFILINGS_KEY: 'x' })
  assert.match((await away.call('search_entities', { q: 'a' })).text, /^service_unreachable/)
  const wrong = await started(t, ['--url', served.origin], { OPENFILINGS_KEY: 'x' })
  assert.match((await wrong.call('search_entities', { q: 'a' })).text, /^invalid_api_key \(401\)/)
})

test('invalid options are refused before the database or a connection is opened', async () => {
  const refused: [args: string[], reason: RegExp][] = [
    [['mcp', '--key-file', 'x'], /--key-file needs --url/],
    [['mcp', '--url', 'ftp://x'], /is not an address/],
    [['mcp', '--url', 'http://127.0.0.1:9'], /no valid API key/],
    [['mcp', '--url', 'http://127.0.0.1:9', '--key-file', '/nowhere'], /--key-file cannot be read/],
    [['mcp', 'now'], /does not take now/],
  ]
  for (const [args, reason] of refused) {
    const { status, stderr } = await run(args, {})
    assert.equal(status, 1, args.join(' '))
    assert.match(stderr, reason)
  }
})

test('the program ends when its input has ended', async (t) => {
  const program = begin(t, ['mcp', '--url', served.origin], { OPENFILINGS_KEY: 'x' })
  assert.equal(await program.ended, 0)
})
