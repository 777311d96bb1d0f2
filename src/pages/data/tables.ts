/** Tables, columns, keys and joins as Markdown, from the declarations. */
import type { Catalog } from '../../declare/catalog.ts'
import { relationsOf, type Slice } from '../../declare/dataset.ts'
import {
  type Columns,
  columnType,
  ENTITIES,
  type Entity,
  meaningOf,
  type Relation,
  UNITS,
} from '../../declare/table.ts'
import type { View } from '../../declare/view.ts'

export const tableRow = (...cells: string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

/** Meanings of units and of kinds of things. */
export function legend(): string {
  const units = Object.entries(UNITS).map(([unit, meaning]) => tableRow(`\`${unit}\``, meaning))
  const entities = Object.entries(ENTITIES).map(([entity, { meaning, link }]) =>
    tableRow(`\`${entity}\``, meaning, link === null ? '–' : `\`${link}\``),
  )
  return [
    ...[tableRow('Unit', 'Meaning'), tableRow('---', '---'), ...units, ''],
    ...[tableRow('Names', 'Meaning', 'More below `/v1`'), tableRow('---', '---', '---'), ...entities],
  ].join('\n')
}

/** One table or view with all of its columns. */
export function tableSection(t: Relation | View): string {
  const columns = Object.entries(t.row.shape as Columns).map(([name, type]) => {
    const { postgres, nullable, unit, entity } = columnType(type)!
    const shown = [postgres.replace(' collate "C"', ''), unit ?? entity ?? [], nullable ? 'nullable' : []].flat()
    return tableRow(`\`${name}\``, shown.join(', '), meaningOf(type)!)
  })
  const stored = 'indexes' in t ? storageOf(t) : ''
  return [
    `### \`${t.id}\``,
    [`${t.meaning}.`, stored].filter(Boolean).join(' '),
    [tableRow('Column', 'Type', 'Meaning'), tableRow('---', '---', '---'), ...columns].join('\n'),
  ].join('\n\n')
}

const storageOf = ({ partition, distributed, primaryKey }: Relation): string =>
  [
    ...(partition ? [`Partitioned by \`${partition}\`.`] : []),
    ...(distributed ? [`Distributed by \`${primaryKey[0]}\` if the server has Citus.`] : []),
  ].join(' ')

export function rowsAndKeys(slice: Slice): string {
  const rows = relationsOf(slice).map(({ id, meaning, primaryKey }) =>
    tableRow(`\`${id}\``, meaning, primaryKey.map((column) => `\`${column}\``).join(', ')),
  )
  const views = slice.views.map(({ id, meaning }) => tableRow(`\`${id}\``, meaning, 'a view'))
  return [tableRow('Table', 'A row is', 'Key'), tableRow('---', '---', '---'), ...rows, ...views].join('\n')
}

/** For each kind of thing, the column of the table that has one row per thing. */
export type Homes = ReadonlyMap<Entity, string>

/**
 * The home of a kind of thing is the first table whose key is only the identifier of the thing. The homes of filings
 * and of filers of EDGAR are tables of the spine.
 */
export function homesOf({ slices }: Pick<Catalog, 'slices'>): Homes {
  const homes = new Map<Entity, string>([
    ['accession', 'edgar.filing.accession'],
    ['cik', 'edgar.filer.cik'],
  ])
  for (const { id, primaryKey, row } of slices.flatMap(relationsOf)) {
    const [name] = primaryKey
    const entity = primaryKey.length === 1 ? columnType((row.shape as Columns)[name!]!)?.entity : undefined
    if (entity && !homes.has(entity)) homes.set(entity, `${id}.${name}`)
  }
  return homes
}

/** Describes how tables of a slice join each other, and which tables of other slices their columns join. */
export function joinsOf(slice: Slice, homes: Homes): string {
  const relations = relationsOf(slice)
  const byRecord = Map.groupBy(relations, ({ primaryKey }) => primaryKey[0]!)
  const own = [...byRecord]
    .filter(([, all]) => all.length > 1)
    .map(([column, all]) => `- By \`${column}\`: ${all.map(({ id }) => `\`${id}\``).join(', ')}.`)
  const named = new Map<Entity, string[]>()
  for (const { id, name, row } of relations) {
    for (const [column, type] of Object.entries(row.shape as Columns)) {
      const entity = columnType(type)?.entity
      if (entity && homes.get(entity) !== `${id}.${column}`)
        named.set(entity, [...(named.get(entity) ?? []), `\`${name}.${column}\``])
    }
  }
  const others = [...named].map(([entity, columns]) => {
    const home = homes.get(entity)
    const to = home === undefined ? '' : `, in \`${home}\``
    return `- ${ENTITIES[entity].meaning} (\`${entity}\`)${to}: ${columns.join(', ')}.`
  })
  return [...own, ...others].join('\n') || 'None: no column joins another table.'
}
