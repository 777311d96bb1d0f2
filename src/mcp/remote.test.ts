/** The API of a service elsewhere, as `openfilings mcp --url` uses it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serving } from '../../test/support/loopback.ts'
import { remoteApi } from './remote.ts'

test('an address outside of the API is not requested, so the key is not sent to it', async () => {
  // No server listens at this port, so a request that was sent would fail for another reason.
  const api = remoteApi({ origin: 'http://127.0.0.1:9', key: 'of_key' })
  for (const address of ['/filing/..\\..\\metrics', '/filing/../../metrics', '/../other'])
    await assert.rejects(api.ask(address, new AbortController().signal), /leads out of the API/, address)
  await assert.rejects(api.ask('/filing/1', new AbortController().signal), /did not answer/)
})

test('an answer that stops in the middle is an error, and not a call without end', async (t) => {
  const origin = await serving(t, (_request, response) => void response.write('{"filings": ['))
  const api = remoteApi({ origin, key: 'of_key', timeoutMs: 500 })
  await assert.rejects(api.ask('/filings', new AbortController().signal), {
    code: 'service_unreachable',
    message: /the answer did not end within 0.5 seconds/,
  })
})
