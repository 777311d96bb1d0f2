/** Shapes of answers. */
import { z } from 'zod'
import { amendedBy } from '../../declare/amended.ts'
import { countedValues, nextCursor } from '../../declare/paging.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { SOURCES } from './queries-keyset.ts'
import { feedColumns } from './views.ts'

export const source = z.enum(SOURCES).describe('Slug of the family of the filing')

const { name_key: _key, name_words: _words, industry_key: _industry, may_be_amended: _amended, ...shown } = feedColumns
export const row = z.object({ ...shown, source, amended_by: amendedBy }).meta({ id: 'FundraisingFiling' })

export const answer = z
  .object({ rows: z.array(row), ...countedValues, next_cursor: nextCursor, ...notLoaded })
  .meta({ id: 'FundraisingPage' })

export type Page = z.infer<typeof answer>
