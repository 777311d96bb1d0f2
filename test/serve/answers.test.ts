/** Rules for the answers of every route, checked on answers over the sample. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Route } from '../../src/declare/route.ts'
import registry from '../../src/registry.ts'
import { openapi } from '../../src/serve/openapi.ts'
import { secondRun } from '../second-run.ts'
import { withMutex } from '../support/database.ts'
import { install, validatorOf } from '../support/openapi-tools.ts'
import { pathsOf } from '../support/sample-paths.ts'
import { serveSample } from '../support/served.ts'
import { checkout } from '../support/world.ts'

const served = await serveSample({ after })

type Schema = { [key: string]: unknown; properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] }

const { paths, components } = openapi(registry, '0.0.0') as {
  paths: Record<string, { get: { responses: { 200: { content: { 'application/json': { schema: Schema } } } } } }>
  components: { schemas: Record<string, Schema> }
}

let answers: Promise<Map<Route, Map<string, unknown>>> | undefined

/** Answers of each route, by address; each address is requested only once. */
function everyAnswer(): Promise<Map<Route, Map<string, unknown>>> {
  answers ??= (async () => {
    const found = new Map<Route, Map<string, unknown>>()
    for (const route of registry.routes.filter(({ output }) => output !== null)) {
      const own = new Map<string, unknown>()
      for (const path of await pathsOf(served, route)) own.set(path, await served.json(path))
      found.set(route, own)
    }
    return found
  })()
  return answers
}

/** Returns the schema that a reference points to. */
const meant = (schema: Schema): Schema =>
  typeof schema.$ref === 'string' ? components.schemas[schema.$ref.split('/').at(-1)!]! : schema

/** Yields every text of an answer with its schema and its place. */
function* textsOf(value: unknown, schema: Schema, at: string): Generator<[text: string, schema: Schema, at: string]> {
  if (typeof value === 'string') yield [value, schema, at]
  if (typeof value !== 'object' || value === null) return
  const kinds = [schema, ...(schema.anyOf ?? [])].map(meant)
  if (Array.isArray(value)) {
    const items = kinds.find((kind) => kind.items)?.items ?? {}
    for (const item of value) yield* textsOf(item, items, `${at}[]`)
    return
  }
  const shape = kinds.find((kind) => kind.properties) ?? {}
  for (const [name, part] of Object.entries(value)) {
    const free = (kinds.find((kind) => kind.additionalProperties)?.additionalProperties ?? {}) as Schema
    yield* textsOf(part, shape.properties?.[name] ?? free, `${at}.${name}`)
  }
}

const formatOf = ({ format, anyOf = [] }: Schema) => format ?? anyOf.find((kind) => kind.format)?.format

const DAY = /^\d{4}-\d\d-\d\d$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/
const LOOKS_LIKE_DAY = /^(\d{4}-\d\d-\d\d|\d\d?[/-]\d\d?[/-]\d{4})$/
const LOOKS_LIKE_MOMENT = /^(\d{4}-\d\d-\d\d|\d\d?[/-]\d\d?[/-]\d{4})[T ]\d\d:\d\d/
/** Places in answers with lines of a form as filed, under the form's own column names. */
const AS_FILED = /\.(items|details|as_filed)(\.|$)/
/** Lists with different facts, in which the name of a fact determines the meaning of its value. */
const OF_FACT = /\.facts\[\]\.value$/
/** Columns of a family's table. Their types are in the registry of families, not in the schema of the answer. */
const COLUMNS = /\.(family_data|fam_rows\[\])\./

test('every date in an answer is YYYY-MM-DD, every time has milliseconds and a UTC offset, and the schema states which of the two it is', async (t) => {
  const seen = { days: 0, moments: 0, routes: 0 }
  for (const [route, answers] of await everyAnswer()) {
    const { schema } = paths[route.path]!.get.responses[200].content['application/json']
    for (const [path, answer] of answers) {
      for (const [text, declared, at] of textsOf(answer, schema, route.path)) {
        const format = formatOf(declared)
        if (format === 'date') assert.match(text, DAY, `${at} of ${path}`)
        else if (format === 'date-time') assert.match(text, MOMENT, `${at} of ${path}`)
        else if (AS_FILED.test(at)) continue
        else if (LOOKS_LIKE_MOMENT.test(text)) assert.ok(COLUMNS.test(at) && MOMENT.test(text), `${at} is ${text}`)
        else if (LOOKS_LIKE_DAY.test(text))
          assert.ok((COLUMNS.test(at) || OF_FACT.test(at)) && DAY.test(text), `${at} is ${text}`)
        if (MOMENT.test(text)) seen.moments++
        if (DAY.test(text)) seen.days++
      }
    }
    seen.routes++
  }
  assert.ok(seen.days > 1000 && seen.moments > 50 && seen.routes > 20, JSON.stringify(seen))
  t.diagnostic(JSON.stringify(seen))
})

test('every answer of the sample matches the document: it has only declared members, listed words and declared formats', {
  skip: secondRun,
}, async () => {
  // test/serve/openapi-tools.test.ts may install the tools at the same time.
  await withMutex('tools of OpenAPI', () => install())
  const failuresOf = validatorOf(JSON.parse(await readFile(path.join(checkout, 'generated/openapi.json'), 'utf8')))
  const wrong = new Set<string>()
  for (const [route, answers] of await everyAnswer()) {
    assert.ok(answers.size > 0, route.path)
    for (const [address, answer] of answers)
      for (const failure of failuresOf(route.path, answer)) wrong.add(`${address} ${failure}`)
  }
  assert.deepEqual([...wrong], [])
  assert.match(failuresOf('/me', { keyId: 1, more: true }).join(), /additional properties.*keyId must be string/)
})

test('over the whole sample, no answer reports data as not loaded, except data of which the sample has only a selection', async () => {
  const found = new Set<string>()
  const selected = new Set<string>()
  for (const [route, answers] of await everyAnswer()) {
    for (const answer of answers.values()) {
      const { not_loaded = [] } = answer as { not_loaded?: { source: string; note: string }[] }
      for (const { source, note } of not_loaded) {
        if (note.startsWith('only the selection in the bundled sample')) selected.add(route.path.replace(/.*\//, ''))
        else found.add(source)
      }
    }
  }
  assert.deepEqual([...found], [])
  assert.deepEqual([...selected].sort(), [
    'filing-activity',
    'headcount',
    'money-market-funds',
    'registered-funds',
    'rep-flows',
    '{crd}',
  ])
})

test('the filter `is_null` finds the right filings for every field of every family in /filings', async () => {
  const isWithout = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)
  const matching = async (family: string, field: string, value: boolean) => {
    const filters = encodeURIComponent(JSON.stringify({ field, op: 'is_null', value }))
    const response = await served.get(`/filings?family=${family}&filters=${filters}&limit=50`)
    if (response.status !== 200) return `${response.status} ${await response.text()}`
    const { rows } = (await response.json()) as { rows: { accession: string }[] }
    return rows.map(({ accession }) => accession).sort()
  }
  let compared = 0
  for (const { slug, feed } of registry.families) {
    if (!feed) continue
    const rows = await served.sql<Record<string, unknown>[]>`
      select t.*, t.accession is not null as is_read, f.accession, f.filed_date, f.form_type, f.period_of_report, f.accepted_at, f.has_text, f.family,
        array(select item from edgar.filing_item i where i.accession = f.accession) as item
      from edgar.filing f left join ${served.sql(feed.table.id)} t on t.accession = f.accession
      where f.family = ${slug}`
    assert.ok(rows.length > 0 && rows.length <= 50, slug)
    const universal = ['form_type', 'period_of_report', 'accepted_at', 'has_text', 'family', 'item', 'filed_date']
    for (const field of [...feed.facets, ...universal]) {
      for (const value of [true, false]) {
        // If a filing was not read, it is unknown whether it has a value in the table of its family.
        const known = universal.includes(field) ? rows : rows.filter(({ is_read }) => is_read)
        const expected = known.filter((row) => isWithout(row[field]) === value).map((row) => row.accession as string)
        assert.deepEqual(await matching(slug, field, value), expected.sort(), `${slug} ${field} ${value}`)
        compared++
      }
    }
    for (const field of ['cik', 'company_name', 'accession'])
      assert.match(String(await matching(slug, field, true)), /^400 .*is not an operator of/)
  }
  assert.ok(compared > 100)
})

test('a CIK in the filters of /filings finds the same filings with and without leading zeros, in every facet', async () => {
  const askedFor = async (family: string, field: string, op: string, value: unknown) => {
    const filters = encodeURIComponent(JSON.stringify({ field, op, value }))
    const { rows } = await served.json<{ rows: { accession: string }[] }>(
      `/filings?family=${family}&filters=${filters}&limit=50`,
    )
    return rows.map(({ accession }) => accession)
  }
  const compared: string[] = []
  for (const { slug, feed } of registry.families) {
    for (const field of feed?.facets.filter((name) => /_ciks?$/.test(name)) ?? []) {
      const isList = field.endsWith('s')
      const [row] = await served.sql<{ cik: string }[]>`
        select ${isList ? served.sql`${served.sql(field)}[1]` : served.sql(field)} as cik from ${served.sql(feed!.table.id)}
        where ${isList ? served.sql`${served.sql(field)}[1]` : served.sql(field)} like '0%' limit 1`
      if (!row) continue
      const short = row.cik.replace(/^0+/, '')
      for (const op of isList ? ['contains', 'overlaps'] : ['eq', 'in']) {
        const given = (cik: string) => (op === 'in' || op === 'overlaps' ? [cik] : cik)
        const found = await askedFor(slug, field, op, given(row.cik))
        assert.ok(found.length > 0, `${slug} ${field} ${op}`)
        assert.deepEqual(await askedFor(slug, field, op, given(short)), found, `${slug} ${field} ${op}`)
      }
      // An operator that compares only a part of the CIK uses that part unchanged.
      if (!isList)
        assert.ok((await askedFor(slug, field, 'contains', short.slice(0, 4))).length > 0, `${slug} ${field}`)
      compared.push(`${slug}.${field}`)
    }
  }
  assert.ok(compared.length >= 5 && compared.includes('ownership.owner_ciks'), compared.join())
})
