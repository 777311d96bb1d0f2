/** Tables for the search by company name: the names in the form that the search compares, and the words in them. */
import { cik, count, rollup } from '../../declare/table.ts'
import { dictionaryColumns, dictionaryIndexes, nameColumns, nameIndexes } from '../../names.ts'
import { COMPANIES } from './named.ts'

export const search_name = rollup(
  'companies.search_name',
  'One row per company and current or former name; names that are equal after normalization have one row',
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
  'One row per word of names, so that a mistyped word is compared with some hundreds of words instead of all names',
  ['word'],
  dictionaryColumns,
  { indexes: dictionaryIndexes(), inner: true },
)
