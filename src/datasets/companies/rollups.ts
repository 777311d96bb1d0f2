/** Tables for the search by company name: the names in the form that the search compares, and the words in them. */
import { cik, count, rollup } from '../../declare/table.ts'
import { dictionaryColumns, dictionaryIndexes, nameColumns, nameIndexes } from '../../names.ts'
import { COMPANIES } from './named.ts'

export const search_name = rollup(
  'companies.search_name',
  'One row per company and current or former name; of names that compare as equal only one',
  ['cik', 'key'],
  {
    cik: cik('CIK of the company'),
    ...nameColumns,
    weight: count(
      'Number of filings, times a hundred for a traded company; among equal matches, the largest number comes first',
    ),
  },
  { indexes: nameIndexes(COMPANIES), inner: true },
)

export const search_word = rollup(
  'companies.search_word',
  'One row per word of names: a mistyped one is compared with some hundreds of them instead of with all names',
  ['word'],
  dictionaryColumns,
  { indexes: dictionaryIndexes, inner: true },
)
