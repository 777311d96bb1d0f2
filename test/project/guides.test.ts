/**
 * The guides: every request of docs/guides is sent on the sample, and returns the members and answers that the guide
 * states.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, describe, it, test } from 'node:test'
import Papa from 'papaparse'
import { GUIDE_NAMES } from '../../src/pages/reference/guides.ts'
import { assertPart, GUIDE_ORIGIN, requestsOf, valuesAt } from '../support/guide-requests.ts'
import { serveSample } from '../support/served.ts'
import { checkout } from '../support/world.ts'

const read = (file: string) => readFileSync(path.join(checkout, file), 'utf8')
const served = await serveSample({ after })
const guides = GUIDE_NAMES.map((name) => {
  const text = read(`docs/guides/${name}.md`)
  return { name, text, requests: requestsOf(text, { OPENFILINGS_KEY: served.keys.full }) }
})

/** Parses an answer: JSON, rows of a file, or the first event of a stream. */
async function answerOf(response: Response): Promise<unknown> {
  const [type] = response.headers.get('content-type')!.split(';')
  if (type === 'text/event-stream') return firstEvent(response)
  const text = await response.text()
  if (/^application\/(?:\w+\+)?json$/.test(type!)) return JSON.parse(text)
  if (type === 'text/csv') {
    const { data } = Papa.parse(text, { header: true, comments: '#', skipEmptyLines: true })
    assert.equal(/^# rows: (\d+)$/m.exec(text)?.[1], String(data.length))
    return data
  }
  if (type === 'application/x-ndjson')
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  return text
}

async function firstEvent(response: Response): Promise<unknown> {
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const [, data] = /^data: (.+)\n\n/m.exec(text) ?? []
    if (data !== undefined) return JSON.parse(data)
  }
  return assert.fail(`the stream ended: ${text}`)
}

describe('every request of a guide is answered from the sample with the members that the guide names', () => {
  for (const { name, requests } of guides) {
    it(name, async () => {
      assert.ok(requests.length >= 3, `${name} has ${requests.length} requests`)
      for (const { address, headers, members, printed } of requests) {
        const response = await fetch(served.origin + address, { headers })
        assert.equal(response.status, 200, address)
        const answer = await answerOf(response)
        assert.ok(typeof answer !== 'string' || answer.length > 0, address)
        if (typeof answer === 'object')
          assert.ok(members.length > 0 || address === '/healthz', `${address}: no members`)
        for (const [member, meaning] of members) {
          const at = `${address}: ${member}`
          if (/^[A-Z]/.test(member)) {
            assert.ok(response.headers.has(member), `${at} is not a header of the answer`)
            continue
          }
          const values = valuesAt(answer, Array.isArray(answer) && !member.startsWith('[]') ? `[].${member}` : member)
          assert.ok(values.length > 0, `${at} is not in the answer`)
          const isFilled = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0)
          assert.ok(values.some(isFilled) || /\bnull\b/.test(meaning), `${at} is null or empty`)
        }
        if (printed !== undefined) assertPart(answer, printed, address)
      }
    })
  }
})

test('all guides of the folder are known, short, linked from README.md, and end with limits', () => {
  const files = globSync('docs/guides/*.md', { cwd: checkout }).map((file) => path.basename(file, '.md'))
  assert.deepEqual([...GUIDE_NAMES].sort(), files.sort())
  const readme = read('README.md')
  for (const { name, text } of guides) {
    assert.match(text, /^# .+\n\n\S.+\n\n/, name)
    assert.match(text, /\n## Limits and traps\n\n(?:- .+\n)+\n<!-- Found by: .+ -->\n$/, name)
    assert.ok(text.split(/\s+/).length <= 1_100, `${name} is longer than two pages`)
    assert.ok(readme.includes(`](docs/guides/${name}.md)`), `README.md does not name ${name}`)
  }
})

test('guides contain no address of another host', () => {
  for (const { name, text } of guides)
    for (const [, origin] of text.matchAll(/(https?:\/\/[^/\s'`]+)/g))
      assert.ok(
        [
          GUIDE_ORIGIN,
          'https://hooks.example.com',
          'https://filings.example.org',
          'https://login.example.org',
        ].includes(origin!),
        `${name}: ${origin}`,
      )
})

test('the check finds invalid requests in a guide: an unknown variable, another host, two requests in a block', () => {
  const block = (command: string) => requestsOf(`## One\n\n\`\`\`sh\n${command}\n\`\`\`\n`, { KEY: 'k' })
  const good = `curl -H "X-Api-Key: $KEY" \\\n  '${GUIDE_ORIGIN}/v1/me'`
  assert.deepEqual(block(good), [{ address: '/v1/me', headers: { 'x-api-key': 'k' }, members: [], printed: undefined }])
  for (const bad of [good.replace('$KEY', '$OTHER'), good.replace('127.0.0.1', 'example.com'), `${good}\n${good}`])
    assert.throws(() => block(bad), assert.AssertionError)
})

test('the check finds an answer that differs from the guide, and a missing member or row', () => {
  const answer = { rows: [{ a: 1, b: null }, { a: 2 }], total: 2 }
  assertPart(answer, { rows: [{ a: 1 }], total: 2 }, 'same')
  for (const printed of [
    { rows: [{ a: 2 }] },
    { rows: [{ c: 1 }] },
    { rows: [{}, {}, {}] },
    { rows: {} },
    { total: [] },
  ])
    assert.throws(() => assertPart(answer, printed, 'differs'), assert.AssertionError)
  assert.deepEqual(valuesAt(answer, 'rows[].a'), [1, 2])
  assert.deepEqual(valuesAt(answer, 'rows[].c'), [])
  assert.deepEqual(valuesAt([answer], '[].total'), [2])
})
