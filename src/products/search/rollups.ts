/**
 * Rollups with names and numbers of all things that are in no other table of ranked names; see queries-refresh.ts.
 */
import { count, rollup, text, texts } from '../../declare/table.ts'
import { dictionaryColumns, dictionaryIndexes, nameColumns, nameIndexes } from '../../names.ts'
import { STORED } from './kinds.ts'
import { ENTITIES } from './named.ts'

const id = text('Kind and key of the thing: fund S000002848')

export const entity = rollup(
  'search.entity',
  'One row per thing that the search finds: fund, security, private company, manager, broker, portal, insider, representative',
  ['id'],
  {
    id,
    kind: text('What it is', { values: STORED }),
    key: text('Its key in answers: CIK, series, id of a security, CRD number'),
    name: text('Its current name, as filed'),
    other_names: texts('Other names in use'),
    former_names: texts('Names that it had before'),
    detail: text('Place, class, issuer or firm: what tells it from others of the name').nullable(),
    page: text('Path of the page that shows it, where its kind and key do not say it').nullable(),
    weight: count('How large it is: filings, or millions of dollars in half steps of ten. The largest comes first'),
  },
  { indexes: ['(kind)'] },
)

export const name = rollup(
  'search.name',
  'One row per thing and current or former name; of names that compare as equal only one',
  ['id', 'key'],
  { id, ...nameColumns, weight: entity.columns.weight },
  { inner: true, indexes: nameIndexes(ENTITIES, 'on') },
)

export const word = rollup(
  'search.word',
  'One row per word of these names: a mistyped one is compared with some hundreds of them instead of with all names',
  ['word'],
  dictionaryColumns,
  { inner: true, indexes: dictionaryIndexes },
)

export const code = rollup(
  'search.code',
  'One row per number or ticker of a thing that no other index has',
  ['code', 'id', 'what'],
  {
    code: text('The number or ticker, in capitals'),
    id: text('Kind and key of the thing'),
    what: text('What the code is', { values: ['class', 'ticker', 'former_ticker', 'file_number', 'lei'] }),
    source: text('The part of the refresh that makes the row'),
  },
  { inner: true, indexes: ['(source)'] },
)
