/** The numbered migrations of everything that is not part of a slice, and the tables that they make. */
import { readdir, readFile } from 'node:fs/promises'

const folder = new URL('migrations/', import.meta.url)

export interface Migration {
  /** Name of its file. */
  name: string
  /** Tables that the migration makes (true) or drops (false), by name: `core.key`. */
  tables: Readonly<Record<string, boolean>>
  /** Tables to which the migration gives foreign keys. A table with several new keys occurs several times. */
  keyed: readonly string[]
}

export const migrationFile = (name: string): URL => new URL(name, folder)

/** All migrations, in their order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(migrationFile(name), 'utf8')
      return { name, tables: tablesOf(text), keyed: keyedIn(text) }
    }),
  )
}

function tablesOf(text: string): Record<string, boolean> {
  const statements = text.matchAll(/^(create|drop) table (?:if exists )?(\w+\.\w+)/gm)
  return Object.fromEntries([...statements].map(([, verb, name]) => [name!, verb === 'create']))
}

function keyedIn(text: string): string[] {
  return text.split(';').flatMap((statement) => {
    const [, name] = /^(?:create|alter) table (?:if exists )?(\w+\.\w+)/m.exec(statement) ?? []
    return name === undefined ? [] : [...statement.matchAll(/\breferences \w+\.\w+/g)].map(() => name)
  })
}
