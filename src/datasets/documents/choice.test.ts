/** The choice of a document of a filing whose submission ends early. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredSubmission } from '../../declare/ports.ts'
import { choose } from './choice.ts'

test('a document that is cut off has no text: the error says where the submission ends, and names whole documents', async () => {
  const entry = { type: '10-K', mediaType: 'text/html', filename: 'a.htm', size: 9 }
  const submission = {
    accession: '0000000111-26-000001',
    header: { cutOff: 'the submission is cut off in document 2, at byte 77' },
    documents: [
      { ...entry, seq: 1 },
      { ...entry, seq: 2, cutOff: true },
    ],
    // Only the members that the choice reads.
  } as unknown as StoredSubmission
  const submissions = { text: async () => assert.fail('no text is read') }
  await assert.rejects(choose(submissions, submission, 2), (error: Error) => {
    assert.match(error.message, /no document 2 that can be read/)
    assert.match(error.message, /cut off in document 2, at byte 77/)
    assert.match(error.message, /sequence may be 1 \(10-K\)/)
    return true
  })
})
