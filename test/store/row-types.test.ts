/**
 * Declared row types agree with the columns that the server sends: each statement of `src` with a row type is prepared
 * against the schema.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase } from '../support/database.ts'
import { type Kinds, statementsWithTypes, type TypedStatement } from '../support/row-types.ts'

/**
 * Maximum number of statements that cannot be checked, for each reason. No number may rise; lower a number if you can.
 */
const OPEN_MAX: Readonly<Record<string, number>> = {
  'it is made of fragments': 175,
  'it reads a table that another statement makes': 34,
}

/**
 * Known faults. A type in the code of a refresh is part of its dataset's digest, so fixing it would force every
 * operator to rebuild. The fix waits for a change that needs a rebuild anyway.
 */
const WAITING = ['companies/queries-refresh.ts: importance is string, and sent as int4']

const NUMBERS = new Set(['int2', 'int4', 'oid', 'float4', 'float8'])

/**
 * Returns the kind of value that our connection returns for a type of the server (store/db.ts); null for JSON, which
 * may be anything.
 */
function kindOf(type: string): string | null {
  if (type === 'json' || type === 'jsonb') return null
  if (type.startsWith('_')) {
    const element = kindOf(type.slice(1))
    return element && `[${element}]`
  }
  if (NUMBERS.has(type)) return 'number'
  return { bool: 'boolean', bytea: 'Buffer' }[type] ?? 'string'
}

const agrees = (kinds: Kinds, sent: string | null) =>
  sent === null || kinds.every((kind) => ['unknown', 'undefined', '[]', '[unknown]', sent].includes(kind))

/**
 * Returns the faults in the declared columns of a statement. @throws the server's error if the server cannot prepare
 * the statement
 */
async function faultsOf({ place, text, columns }: TypedStatement): Promise<string[]> {
  const [, slice] = /^src\/(?:datasets|products)\/(\w+)\//.exec(place) ?? []
  const prepared = await sql.begin(async (tx) => {
    // Sets the search path like `within` of store/path.ts does for a slice, whose SQL names its own tables without a
    // schema.
    if (slice) await tx`select set_config('search_path', ${`${slice}, pub, public`}, true)`
    return tx.unsafe(text, [], { prepare: true }).describe()
  })
  const sent = new Map(prepared.columns.map(({ name, type }) => [name, types.get(type)!]))
  const declared = new Map(columns.map((column) => [column.name, column]))
  return [
    ...[...sent.keys()].filter((name) => !declared.has(name)).map((name) => `${name} is sent and not declared`),
    ...columns.flatMap(({ name, kinds, isOptional }) => {
      const type = sent.get(name)
      if (type === undefined) return isOptional ? [] : [`${name} is declared and not sent`]
      return agrees(kinds, kindOf(type)) ? [] : [`${name} is ${kinds.join(' | ')}, and sent as ${type}`]
    }),
  ]
}

const { sql } = await freshDatabase({ after })
const rows = await sql<{ oid: number; typname: string }[]>`select oid, typname from pg_type`
const types = new Map(rows.map(({ oid, typname }) => [oid, typname]))

test('each statement returns the columns and types that its declared row type has', async (t) => {
  const { typed, open } = statementsWithTypes()
  const reasons: { place: string; reason: string }[] = [...open]
  const faults: string[] = []
  for (const statement of typed) {
    try {
      faults.push(...(await faultsOf(statement)).map((fault) => `${statement.place} ${fault}`))
    } catch (error) {
      if ((error as { code?: string }).code !== '42P01') throw new Error(statement.place, { cause: error })
      reasons.push({ place: statement.place, reason: 'it reads a table that another statement makes' })
    }
  }
  const unlisted = faults.map((each) => each.replace(/^src\/datasets\/|:\d+(?= )/g, '').replace(' ', ': '))
  assert.deepEqual(
    unlisted.filter((each) => !WAITING.includes(each)),
    [],
  )
  const checked = typed.length + open.length - reasons.length
  t.diagnostic(`${checked} of ${typed.length + open.length} statements are checked`)
  assert.ok(checked > 200)
  const above = [...Map.groupBy(reasons, ({ reason }) => reason)].filter(([reason, all]) => all.length > (OPEN_MAX[reason] ?? 0)) // biome-ignore format: one line
  assert.deepEqual(above, [])
})

test('the check finds a column with another name or type', async () => {
  const column = (name: string, ...kinds: string[]) => ({ name, kinds, isOptional: kinds.includes('undefined') })
  const statement = {
    place: 'made',
    text: `select 1::bigint as large, 1 as whole, 'a' as word, array[1.5] as list, '{}'::jsonb as made, true as more
      where $1 > 0`,
    columns: [
      column('large', 'number'),
      column('whole', 'number'),
      column('word', 'string', 'undefined'),
      column('list', '[number]'),
      column('made', 'object'),
      column('less', 'string'),
      column('maybe', 'string', 'undefined'),
    ],
  }
  assert.deepEqual(await faultsOf(statement), [
    'more is sent and not declared',
    'large is number, and sent as int8',
    'list is [number], and sent as _numeric',
    'less is declared and not sent',
  ])
})
