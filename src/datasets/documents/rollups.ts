/** Rollup of the number of documents with text. */
import { CORPORA } from '../../declare/corpora.ts'
import { count, date, rollup, text } from '../../declare/table.ts'

export const tally = rollup(
  'documents.tally',
  'One row per corpus of which at least one document was read as text',
  ['corpus'],
  {
    corpus: text('Corpus', { values: CORPORA.map(({ slug }) => slug) }),
    documents: count('Number of documents of the corpus that have text'),
    newest: date('Filing date of the newest document'),
  },
)
