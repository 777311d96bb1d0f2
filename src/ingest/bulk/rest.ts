/**
 * Reduces the file of an older snapshot to the records that later snapshots lack. A feed has 440,000 representatives,
 * and some of them leave every day. The records of those who left are written into a small file, which rebuilds read
 * instead of the feed.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Store } from '../../archive/store.ts'
import type { BulkDataset } from '../../declare/dataset.ts'
import type { XmlSeries } from '../../declare/series.ts'
import { Reader } from '../../read/xml/reader.ts'
import type { Node } from '../../read/xml/tree.ts'
import { Element } from '../../read/xml.ts'
import type { Sql } from '../../store/db.ts'
import type { ArchivedFile } from '../files.ts'
import { notes } from '../notes.ts'
import { type BulkFile, documentsOf, type Fragment, read } from './read.ts'
import { letGo } from './release.ts'

const PIECE = 65_536

interface Held {
  name: string
  files: ArchivedFile[]
  keys: string[]
}

/**
 * Replaces the files of older snapshots that hold few records by small files with only these records. The original file
 * stays if the small file does not give the same rows.
 */
export async function condense(
  { sql, store, signal }: { sql: Sql; store: Store; signal?: AbortSignal | undefined },
  { source }: BulkDataset,
  name: string,
): Promise<void> {
  const series = source.series[name]!
  if (series.kind !== 'snapshot' || series.format !== 'xml') return
  for (const held of await heldOf(sql, name)) {
    const kept = await recordsOf(series, filesOf(store, held.files), new Set(held.keys), signal)
    const text = `<?xml version="1.0" encoding="UTF-8"?>\n<rest>\n${kept.texts.join('\n')}\n</rest>\n`
    const file: ArchivedFile = { ...held.files[0]!, name: `${held.name}.rest.xml`, ...(await store.put(pieces(text))) }
    const again = await readAgain(series, filesOf(store, [file])[0]!)
    const isWhole = held.keys.every((key) => kept.fragments.some((fragment) => fragment.key === key))
    if (!isWhole || !isDeepStrictEqual(again, kept.fragments)) {
      await letGo(sql, store, [file.sha256])
      continue
    }
    const { count } = await sql`
      update bulk.edition e set rest = ${sql.json([file] as never)}
      where series = ${name} and e.name = ${held.name} and not released and rest is null
        and files = ${sql.json(held.files as never)}
        and not exists (
          select from bulk.record r where r.series = e.series and r.edition = e.name and r.key <> all(${held.keys}))`
    await letGo(sql, store, count > 0 ? held.files.map(({ sha256 }) => sha256) : [file.sha256])
  }
}

/**
 * Returns the older editions whose whole files are in the archive although they hold few records: at most 100, or at
 * most a hundredth of the records in their files. Each edition comes with the keys of the records that it holds.
 */
const heldOf = (sql: Sql, series: string) => sql<Held[]>`
  select e.name, e.files, array_agg(r.key order by r.key) as keys
  from bulk.edition e join bulk.record r on r.series = e.series and r.edition = e.name
  where e.series = ${series} and e.state = 'done' and not e.released and not e.originals and e.rest is null
    and exists (
      select from bulk.edition n where n.series = e.series and n.state = 'done' and not n.released and n.to_day > e.to_day)
  group by e.name, e.files, e.records having count(*) <= greatest(${FEW}, e.records / 100)`

const FEW = 100

const filesOf = (store: Store, files: readonly ArchivedFile[]): BulkFile[] =>
  files.map(({ name, sha256 }) => ({ name, bytes: () => store.read(sha256) }))

type Record = Omit<Fragment, 'place'>

/** Returns the selected records as text, and the content that the parser reads from them. */
async function recordsOf(
  series: XmlSeries,
  files: readonly BulkFile[],
  wanted: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<{ texts: string[]; fragments: Record[] }> {
  const found: { texts: string[]; fragments: Record[] } = { texts: [], fragments: [] }
  for (const file of files) {
    for await (const { bytes } of documentsOf(series, file, notes(), 0)) {
      const reader = new Reader(series.record)
      const take = () => {
        for (const node of reader.take()) {
          const fragment = recordOf(series, node, wanted)
          if (!fragment) continue
          found.texts.push(textOf(node))
          found.fragments.push(fragment)
        }
      }
      for await (const chunk of bytes) {
        signal?.throwIfAborted()
        for (let at = 0; at < chunk.length; at += PIECE) {
          reader.write(chunk.subarray(at, at + PIECE))
          take()
        }
      }
      reader.end()
      take()
    }
  }
  return found
}

/**
 * Returns null for a record that is not selected. Also returns null for a record that cannot be read; if the edition
 * holds such a record, `condense` keeps the original file.
 */
function recordOf(series: XmlSeries, node: Node, wanted: ReadonlySet<string>): Record | null {
  const record = new Element(node)
  try {
    const key = series.key(record)
    if (!wanted.has(key)) return null
    return { key, version: series.version?.(record) ?? '', rows: [...series.rows(record)] }
  } catch {
    return null
  }
}

/** The records that rebuilds will read from a small file. */
async function readAgain(series: XmlSeries, file: BulkFile): Promise<Record[]> {
  const all = await Array.fromAsync(read(series, [file], notes()))
  return all.map(({ place: _, ...fragment }) => fragment)
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

/** Writes the element as XML again, without the white space between elements. */
function textOf(node: Node): string {
  const { tag } = node.shape
  const { layout, texts } = node.attributes ?? { layout: { names: [] }, texts: [] }
  const attributes = texts.map((value, at) => ` ${layout.names[at]!.written}="${escaped(value)}"`).join('')
  const children: string[] = []
  for (let child = node.first; child; child = child.next) children.push(textOf(child))
  return `<${tag}${attributes}>${escaped(node.text)}${children.join('')}</${tag}>`
}

/** Escapes line ends and tabs too, since a reader of XML turns them into blanks within attributes. */
const escaped = (text: string): string => text.replace(/[&<>"\t\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`)
