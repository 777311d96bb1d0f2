/** Evidence: where the text of a document states a fact. It has one shape in all answers. */
import { z } from 'zod'
import type { Fragment, Sql } from '../store/db.ts'

export const evidence = z
  .object({
    sequence: z.int().describe('Sequence of the document in the submission'),
    offset: z
      .int()
      .min(0)
      .describe('Where the sentence begins in the text of the document, as /doc-text has it, in UTF-16 units'),
    length: z.int().min(0).describe('UTF-16 units of it'),
    sentence: z
      .string()
      .describe('The sentence, or the line or row of a table, as it stands there; two where the second gives the day'),
  })
  .meta({ id: 'Evidence' })

export type Evidence = z.infer<typeof evidence>

/** Columns that tables of facts have in place of `evidence`: answers leave them out. */
export const PLACE = { sequence: true, start: true, stop: true, sentence: true } as const

/** Selects the evidence of a row of such a table. */
export const evidenceOf = (sql: Sql, row: string): Fragment => {
  const column = (name: keyof typeof PLACE) => sql.unsafe(`${row}.${name}`)
  return sql`json_build_object('sequence', ${column('sequence')}, 'offset', ${column('start')},
    'length', ${column('stop')} - ${column('start')}, 'sentence', ${column('sentence')})`
}
