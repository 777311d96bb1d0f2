/**
 * Reads the corrections that an operator writes into files. Settings name the files. A command that loads or serves
 * reads them at its start, stores their lines in core.correction, and marks the affected keys. So all processes,
 * rebuilds included, make the rollups with the same corrections.
 */
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Slice } from '../declare/dataset.ts'
import { UserError } from '../declare/errors.ts'
import type { Sql } from '../store/db.ts'
import { mark } from './marks.ts'

/** Largest file: about ten thousand lines, more than a person can review. */
const FILE_BYTES_MAX = 1_000_000

/** Lines by slice; an empty list if the slice's setting is not set. */
export type CorrectionLines = ReadonlyMap<Slice, readonly string[]>

/**
 * Reads the files.
 *
 * @param fileOf returns the value of a setting
 * @throws UserError that names setting and file, and the first wrong line of a file that can be read
 */
export async function readCorrections(
  slices: readonly Slice[],
  fileOf: (setting: string) => string | null,
): Promise<CorrectionLines> {
  const found = new Map<Slice, readonly string[]>()
  for (const slice of slices) {
    const { corrections } = slice
    if (!corrections) continue
    const given = fileOf(corrections.setting)
    const name = `${corrections.setting} ${given && path.resolve(given)}`
    try {
      found.set(slice, given === null ? [] : corrections.read(await textOf(path.resolve(given), name), name))
    } catch (error) {
      throw new UserError((error as Error).message)
    }
  }
  return found
}

/**
 * Reads a file.
 *
 * @param name the name of the file in errors
 */
async function textOf(file: string, name: string): Promise<string> {
  const bytes = await readWhole(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${name} cannot be read: ${error.code ?? error.message}`)
  })
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  const lines: string[] = []
  for (let begin = 0; begin <= bytes.length; ) {
    const end = bytes.indexOf(0x0a, begin)
    try {
      lines.push(utf8.decode(bytes.subarray(begin, end < 0 ? bytes.length : end)))
    } catch {
      throw new Error(`${name}, line ${lines.length + 1}: is not valid UTF-8`)
    }
    begin = end < 0 ? bytes.length + 1 : end + 1
  }
  return lines.join('\n')
}

async function readWhole(file: string): Promise<Buffer> {
  const { size, isFile } = await stat(file).then((found) => ({ size: found.size, isFile: found.isFile() }))
  if (!isFile) throw new Error('it is not a file')
  if (size > FILE_BYTES_MAX) throw new Error(`it has more than ${FILE_BYTES_MAX / 1e6} MB`)
  return readFile(file)
}

/**
 * Stores these lines instead of the previous lines, and marks the rollup keys that depend on them. The next refresh
 * makes the rows of these keys.
 */
export async function bringCorrections(sql: Sql, found: CorrectionLines): Promise<void> {
  for (const [{ slug, corrections }, lines] of found) {
    await sql.begin(async (tx) => {
      // If two processes start at once, the second process finds the lines that the first process stored.
      await tx`lock table core.correction in share row exclusive mode`
      const before = (
        await tx<{ line: string }[]>`select line from core.correction where slug = ${slug} order by n`
      ).map(({ line }) => line)
      if (before.length === lines.length && before.every((line, n) => line === lines[n])) return
      await tx`delete from core.correction where slug = ${slug}`
      await tx`
        insert into core.correction (slug, n, line)
        select ${slug}, n - 1, line from unnest(${lines as string[]}::text[]) with ordinality as l (line, n)`
      await mark(tx, new Map([[slug, new Set(corrections!.touched(before, lines))]]))
    })
  }
}
