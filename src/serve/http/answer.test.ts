import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { Answer, send } from './answer.ts'

// Small bodies are sent together with their headers, and large ones in slices.
for (const bytes of [2, 1_022, 1_024, 1_026, 262_144, 700_000]) {
  test(`an answer of ${bytes} bytes arrives with exactly the bytes of its text`, async (t) => {
    const text = 'é'.repeat(bytes / 2)
    const answer = new Answer(text)
    const fastify = Fastify()
    t.after(() => fastify.close())
    fastify.get('/', (request, reply) => {
      void send(request, reply, answer, 'no-store')
    })
    const response = await fetch(await fastify.listen(), { headers: { 'accept-encoding': 'identity' } })
    assert.equal(response.headers.get('content-length'), String(bytes))
    assert.equal(await response.text(), text)
  })
}
