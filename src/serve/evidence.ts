/** Evidence: the passage of a document from which a fact was read. It has the same shape in all answers. */
import { z } from 'zod'
import type { Fragment, Sql } from '../store/db.ts'

export const evidence = z
  .object({
    sequence: z.int().describe('Sequence of the document in the submission'),
    offset: z
      .int()
      .min(0)
      .describe('Where the sentence begins in the text of the document that /doc-text returns, in UTF-16 units'),
    length: z.int().min(0).describe('Length of the sentence in UTF-16 units'),
    sentence: z
      .string()
      .describe('The sentence, or the line or row of a table, as written; two sentences if the second states the day'),
  })
  .meta({ id: 'Evidence' })

export type Evidence = z.infer<typeof evidence>

/** Columns in which tables of facts store the evidence: answers show `evidence` instead. */
export const PLACE = { sequence: true, start: true, stop: true, sentence: true } as const

/** SQL that makes `evidence` from these columns of a row. */
export const evidenceOf = (sql: Sql, row: string): Fragment => {
  const column = (name: keyof typeof PLACE) => sql.unsafe(`${row}.${name}`)
  return sql`json_build_object('sequence', ${column('sequence')}, 'offset', ${column('start')},
    'length', ${column('stop')} - ${column('start')}, 'sentence', ${column('sentence')})`
}
