/** The methods that answers declare for links of advisers are those that a statement gives. */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { METHODS as OF_NCEN } from '../../datasets/ncen/answers-adviser.ts'
import { METHODS as OF_NMFP } from '../../datasets/nmfp/answers.ts'
import { columnType } from '../../declare/column.ts'
import { link } from './rollups.ts'

const MAKE = new URL('make/', import.meta.url)

/** The words that SQL selects before a confidence: `'801_number', 0.95`. */
const methodsIn = (sql: string) =>
  Array.from(sql.matchAll(/'(\w+)'(?: as method)?, (?:0\.\d+|1(?:\.0)?)\b/g), ([, method]) => method!)

const read = (file: string) => readFile(new URL(file, import.meta.url), 'utf8')

test('each declared method of a link is given by a statement, and each given method is declared', async () => {
  const own = await Promise.all((await readdir(MAKE)).map((file) => read(`make/${file}`)))
  const made: [declared: readonly string[], statements: string][] = [
    [columnType(link.columns.method)!.values!, own.join('\n')],
    [OF_NCEN, await read('../../datasets/ncen/queries/adviser.ts')],
    [OF_NMFP, await read('../../datasets/nmfp/queries/adviser.ts')],
  ]
  for (const [declared, statements] of made) {
    assert.deepEqual([...new Set(methodsIn(statements))].sort(), [...declared].sort())
  }
})
