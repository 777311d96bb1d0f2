/** The text of an answer is made once for each answer of the API, and never used for another one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import type { Route } from '../../src/declare/route.ts'
import type { ApiAnswer } from '../../src/mcp/api.ts'
import { answered, type ToolRequest } from '../../src/mcp/frame.ts'
import { Routes } from '../../src/mcp/routes.ts'
import { callTool } from '../../src/mcp/tools/open.ts'

const route = {
  ...{ path: '/things/{id}', name: 'thing', list: null },
  input: z.strictObject({ id: z.string() }),
  output: z.strictObject({ name: z.string(), kind: z.string() }),
  // A route of the catalog has more members, on which no answer depends.
} as unknown as Route
// A catalog also has more members, on which no answer depends.
const routes = new Routes({ routes: [route], families: [] } as unknown as ConstructorParameters<typeof Routes>[0])

/** Returns an answer whose body counts how often it is read. */
function served(name: string, source: object | null, more: Partial<ApiAnswer> = {}) {
  const read = { times: 0, asked: 0 }
  const found: ApiAnswer = {
    ...{ text: JSON.stringify({ name, kind: 'fruit' }), next: null, isSample: false, source },
    get answer() {
      read.times++
      return { name, kind: 'fruit' }
    },
    ...more,
  }
  return { found, read }
}

let ids = 0
/** Returns an address that no other test requests. */
const fresh = () => `/things/${ids++}`

const made = (
  request: Partial<ToolRequest> & { address: string },
  { found, read }: ReturnType<typeof served>,
  at = '',
) =>
  answered({ include: null, maxBytes: 8_192, ...request }, routes, {
    api: {
      origin: at,
      async ask() {
        read.asked++
        return found
      },
    },
    signal: new AbortController().signal,
  })

const ask = async (...given: Parameters<typeof made>) => (await made(...given)).text

test('an answer that the service has in memory is rendered once, and every call still asks the API', async () => {
  const address = fresh()
  const one = served('Apple', {})
  const first = await ask({ address }, one)
  const { times } = one.read
  assert.equal(await ask({ address }, one), first)
  assert.match(first, /^name: Apple$/m)
  assert.deepEqual(one.read, { times, asked: 2 })
})

test('the JSON of a cached text is cached with it, whatever the text contains', async () => {
  const address = fresh()
  const one = served('"Apple"\\ 🍏\u2028', {})
  const first = await made({ address }, one)
  assert.equal(JSON.parse(first.json), first.text)
  assert.match(first.text, /"Apple"\\ 🍏/)
  assert.equal(await made({ address }, one), first)
})

test('an answer with newer data is rendered again', async () => {
  const address = fresh()
  await ask({ address }, served('Apple', {}))
  assert.match(await ask({ address }, served('Pear', {})), /^name: Pear$/m)
})

test('an answer that the service does not keep is rendered for each call', async () => {
  const address = fresh()
  await ask({ address }, served('Apple', null))
  assert.match(await ask({ address }, served('Pear', null)), /^name: Pear$/m)
})

test('calls that differ in members, size, line, notes, remarks, host or sample each get their own text', async () => {
  const address = fresh()
  const source = {}
  const one = served('Apple', source)
  const remark = (by: string) => ({ of: () => [`remark ${by}`], by })
  const texts = [
    await ask({ address }, one),
    await ask({ address, include: ['name'] }, one),
    await ask({ address, line: 1 }, one),
    await ask({ address, notes: ['a note'] }, one),
    await ask({ address, remarks: remark('a') }, one),
    await ask({ address, remarks: remark('b') }, one),
    await ask({ address }, served('Apple', source, { isSample: true })),
    await ask({ address }, served('Apple', source, { text: '{"accession":1}' }), 'http://a'),
    await ask({ address }, served('Apple', source, { text: '{"accession":1}' }), 'http://b'),
  ]
  assert.equal(new Set(texts).size, texts.length)
  const { times } = one.read
  await ask({ address, maxBytes: 2_000 }, one)
  assert.ok(one.read.times > times, 'the text of another size is not used')
})

test('a repeated call asks for the same address, however long it is, and a wrong call is refused each time', async () => {
  const asked: string[] = []
  const api = {
    origin: '',
    async ask(address: string) {
      asked.push(address)
      return served('Apple', null).found
    },
  }
  const call = callTool(routes)
  const run = (query: object) =>
    call.run({ path: '/things/{id}', query }, { api, signal: new AbortController().signal })
  const ids = ['a', 'b', 'x'.repeat(2_000)]
  for (const id of [...ids, ...ids]) await run({ id })
  assert.deepEqual(
    asked,
    [...ids, ...ids].map((id) => `/things/${id}`),
  )
  for (let n = 0; n < 2; n++) await assert.rejects(run({}), /query\.id: is required/)
})
