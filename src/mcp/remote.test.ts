/** The API of a service elsewhere, as `openfilings mcp --url` uses it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remoteApi } from './remote.ts'

test('an address outside of the API is not requested, so the key is not sent to it', async () => {
  // No server listens at this port, so a request that was sent would fail for another reason.
  const api = remoteApi({ origin: 'http://127.0.0.1:9', key: 'of_key' })
  for (const address of ['/filing/..\\..\\metrics', '/filing/../../metrics', '/../other'])
    await assert.rejects(api.ask(address, new AbortController().signal), /leads out of the API/, address)
  await assert.rejects(api.ask('/filing/1', new AbortController().signal), /did not answer/)
})
