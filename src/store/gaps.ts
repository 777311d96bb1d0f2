/**
 * Finds what a database lacks that was made in it once. A dump of only some schemas, or a restore that failed halfway,
 * leaves records of tables that are not there. Every request to such a table would be a server error.
 */
import { readFile } from 'node:fs/promises'
import { relationsOf, type Slice } from '../declare/dataset.ts'
import type { Sql, Transaction } from './db.ts'
import { lostPartitions } from './partitions.ts'

const EXTENSION = 'pg_trgm'

/** The tables and views of a dataset that are not there; only its schema, when that is missing. */
export async function gapsOf(sql: Sql | Transaction, datasets: readonly Slice[]): Promise<Map<Slice, string[]>> {
  const wanted = datasets.map((dataset) => {
    const { slug, views } = dataset
    return { dataset, slug, names: [...relationsOf(dataset), ...views].map(({ id }) => id) }
  })
  const schemas = await schemasAmong(
    sql,
    datasets.map(({ slug }) => slug),
  )
  const lacking = new Set(
    await lackingAmong(
      sql,
      wanted.flatMap(({ names }) => names),
    ),
  )
  const partitions = await lostPartitions(sql)
  const gaps = wanted.map(({ dataset, slug, names }): [Slice, string[]] => {
    const parts = partitions.filter((one) => one.slug === slug).map(({ name }) => name)
    const lost = [...names.filter((name) => lacking.has(name)), ...parts]
    return [dataset, schemas.includes(slug) ? lost : [`the schema ${slug}`]]
  })
  return new Map(gaps.filter(([, lost]) => lost.length > 0))
}

/**
 * What is missing of the keys, the spine and the bulk files, although these migrations made it. Nothing of ours can make
 * it again.
 */
export async function lostOf(sql: Sql | Transaction, migrations: readonly URL[]): Promise<string[]> {
  const tables = new Set<string>()
  for (const file of migrations) {
    const text = await readFile(file, 'utf8')
    for (const [, verb, name] of text.matchAll(/^(create|drop) table (?:if exists )?(\w+\.\w+)/gm)) {
      if (verb === 'create') tables.add(name!)
      else tables.delete(name!)
    }
  }
  const [row] = await sql<{ has: boolean }[]>`
    select exists (select from pg_extension where extname = ${EXTENSION}) as has`
  const extension = row!.has ? [] : [`the extension ${EXTENSION}`]
  return [...extension, ...(await lackingAmong(sql, [...tables]))]
}

/** The schemas among these that are there. */
export async function schemasAmong(sql: Sql | Transaction, names: readonly string[]): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select nspname as name from pg_namespace where nspname = any(${names as string[]}) order by nspname`
  return rows.map(({ name }) => name)
}

/** The tables and views among these that are not there. */
async function lackingAmong(sql: Sql | Transaction, names: readonly string[]): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from unnest(${names as string[]}::text[]) name where to_regclass(name) is null`
  return rows.map(({ name }) => name)
}
