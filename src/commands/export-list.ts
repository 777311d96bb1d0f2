/** The list that `export --list` shows. */
import { columnType, meaningOf } from '../declare/table.ts'
import type { Family } from '../export/offers.ts'
import { number } from './progress.ts'

/** Number of rows, by the id of the table. */
type Held = ReadonlyMap<string, number>

/**
 * Makes a line for each table under its family: its name for `--table`, its approximate number of rows, and the meaning
 * of a row.
 */
export function listText(families: readonly Family[], held: Held): string {
  const all = families.flatMap(({ tables }) => tables)
  const wide = Math.max(...all.map(({ table }) => table.length))
  const wideRows = Math.max(...all.map(({ id }) => rowsText(held.get(id)).length))
  const parts = families.map((family) => {
    const state = (held.get(family.main.id) ?? 0) > 0 ? '' : `; not loaded: ${family.loadedBy}`
    const lines = [...family.tables].sort((a, b) => Number(b === family.main) - Number(a === family.main))
    return [
      `${family.slug}: ${family.label}${state}`,
      ...lines.map(
        ({ table, id, meaning }) => `  ${table.padEnd(wide)}  ${rowsText(held.get(id)).padStart(wideRows)}  ${meaning}`,
      ),
    ].join('\n')
  })
  return [
    ...parts,
    `The first table of a family is its main one; --table chooses another. The numbers of rows are estimates.`,
  ].join('\n\n')
}

const rowsText = (rows: number | undefined) => number(Math.round(rows ?? 0))

/** Makes the same list for a program, with every column. */
export function listJson(families: readonly Family[], held: Held) {
  return families.map(({ slug, label, main, tables, loadedBy }) => ({
    family: slug,
    label,
    loaded: (held.get(main.id) ?? 0) > 0,
    loaded_by: loadedBy,
    tables: tables.map((offer) => ({
      table: offer.table,
      main: offer === main,
      meaning: offer.meaning,
      rows: held.get(offer.id) ?? 0,
      has_filing_date: offer.within !== null,
      columns: Object.entries(offer.columns).map(([name, type]) => {
        const { kind, unit, entity, nullable } = columnType(type)!
        return { name, kind, nullable, unit: unit ?? null, names: entity ?? null, meaning: meaningOf(type) }
      }),
    })),
  }))
}
