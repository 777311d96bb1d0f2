/**
 * Rollups with names and identifiers of all things that are in no other table of ranked names; see queries-refresh.ts.
 */
import { accession, count, date, rollup, text, texts } from '../../declare/table.ts'
import { dictionaryColumns, dictionaryIndexes, nameColumns, nameIndexes } from '../../names.ts'
import { STORED } from './kinds.ts'
import { ENTITIES } from './named.ts'

const id = text('Id of the thing: its kind and key, for example fund S000002848')

export const entity = rollup(
  'search.entity',
  'One row per thing that the search finds: fund, security, private company, manager, broker, portal, insider, representative',
  ['id'],
  {
    id,
    kind: text('Kind of thing', { values: STORED }),
    key: text('Key of the thing in answers: CIK, series id, id of a security, CRD number'),
    name: text('Current name of the thing, as filed'),
    other_names: texts('Other names of the thing that are in use'),
    former_names: texts('Former names of the thing'),
    detail: text(
      'Place, class, issuer or firm, which distinguishes the thing from others with the same name',
    ).nullable(),
    page: text('Path of the page about the thing; null if kind and key determine the path').nullable(),
    weight: count(
      'Importance of the thing: number of filings, or millions of dollars, rounded to steps of half a power of ten. Equal matches are ordered by it, the largest first',
    ),
  },
  { indexes: ['(kind)'] },
)

export const name = rollup(
  'search.name',
  'One row per thing and name, current or former; only one row for names that are equal in comparisons',
  ['id', 'key'],
  { id, ...nameColumns, weight: entity.columns.weight },
  { inner: true, indexes: nameIndexes(ENTITIES, 'on') },
)

export const word = rollup(
  'search.word',
  'One row per word of these names. A mistyped word is compared with some hundreds of words instead of with all names',
  ['word'],
  dictionaryColumns,
  { inner: true, indexes: dictionaryIndexes('on') },
)

export const code = rollup(
  'search.code',
  'One row per number or ticker of a thing that is in no other index, and source that states it',
  ['code', 'id', 'what', 'source', 'part'],
  {
    code: text('Number or ticker, in capitals'),
    id: text('Id of the thing: its kind and key; empty if the number leads only to the filing'),
    what: text('Kind of code', { values: ['class', 'ticker', 'former_ticker', 'file_number', 'lei', 'figi'] }),
    source: text('Part of the refresh that makes the row'),
    part: count(
      'Place in which filings state the number, from 0: for example 0 for the issuer and 1 for the intermediary; 0 for other sources',
    ),
    accession: accession(
      'The newest filing that states the number of the thing, to which the number leads too; null for numbers that are not from filings',
    ).nullable(),
    filed_date: date('Date the SEC gives as the filing date of this filing').nullable(),
  },
  { inner: true, indexes: ['(source)', '(id)', '(accession) where accession is not null'] },
)
