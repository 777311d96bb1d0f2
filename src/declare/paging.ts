/** How a list is paged by cursor: the two parameters and the member of the answer, the same in every list. */
import { z } from 'zod'
import { choice, day, limit, offset } from './route.ts'

/** Maximum length of a cursor. It is large, since the cursor of a list that is sorted by name contains a name. */
export const CURSOR_LENGTH_MAX = 4096

/** Parameters of a list that continues from the end of a page. `startOf` of serve/keyset.ts reads them. */
export const byCursor = {
  paginate: choice(
    ['cursor'],
    'cursor: the answer has next_cursor, even in a list that otherwise leaves it out. Every page that is requested by cursor takes the same time, however late it comes in the list. Rows that are added meanwhile do not shift the other rows',
  ).optional(),
  cursor: z
    .string()
    .max(CURSOR_LENGTH_MAX)
    .describe(
      'next_cursor of the previous page. Filters, order and direction must be the same as for that page. A cursor cannot be combined with offset, and implies paginate=cursor',
    )
    .optional(),
}

/** How the rows that match are counted: `countOf` of serve/count.ts. */
export const COUNTS = ['exact', 'estimate'] as const

const COUNT_MEANING =
  'Adds `total`, the number of matching rows on all pages. exact: counts every row, which can take too long for millions of rows. estimate: answers quickly with the database’s estimate, which can be far off. A list that is sent as a file has no `total`'

/** The parameter of a list that counts its rows. `countOf` of serve/count.ts reads it. */
export const counted = {
  count: choice(COUNTS, COUNT_MEANING).optional(),
}

/**
 * The parameter of a list that also counts its rows by a field. A field is named like the filter that takes its values,
 * and has few values. `month` is the month of the day by which the list is filtered.
 *
 * @param quick a sentence that says when counting by a field is quick however many rows match
 */
export const countedBy = (fields: readonly string[], quick = '') => ({
  count: choice(
    [...COUNTS, ...fields] as [string, ...string[]],
    `${COUNT_MEANING}. ${fields.join(', ')}: adds the exact total and \`value_counts\`, the number of rows for each ${fields.every((field) => field === 'month') ? 'month' : 'value of the field or for each month'}; a page that is requested by cursor has no \`value_counts\`${quick && `. ${quick}`}`,
  ).optional(),
})

/** Members of the answer of a list that counts its rows. */
export const countedTotal = {
  total: z.int().describe('Number of matching rows on all pages. Present only if the request has `count`').optional(),
  total_is: z.enum(COUNTS).describe('How `total` was determined. Present only if the request has `count`').optional(),
}

/** Members of the answer of a list that also counts by a field. */
export const countedValues = {
  ...countedTotal,
  value_counts: z
    .array(
      z
        .object({
          value: z
            .string()
            .nullable()
            .describe(
              'A value of the counted field. It has the form that the filter with the name of the field accepts, or is a month such as 2026-03. Null for rows without a value',
            ),
          count: z.int().describe('Number of matching rows with this value').meta({ 'x-unit': 'count' }),
        })
        .meta({ id: 'ValueCount' }),
    )
    .describe(
      'Number of matching rows for each value, the most common value first; for months, the newest month first. Present only if `count` names a field',
    )
    .optional(),
}

/** Parameters of a list of filings that choose the days. `filedAs` of serve/filed.ts reads them. */
export const filedOn = {
  from: day('Only rows whose filing date is this day or later').optional(),
  to: day('Only rows whose filing date is this day or earlier').optional(),
}

/** Parameters of lists that are always in the order of filing, newest first. */
export const byDayOfFiling = {
  ...filedOn,
  limit: limit({ max: 200, default: 50 }),
  offset: offset({ max: 10_000 }),
  ...byCursor,
}

/** Members of a list's answer that say which page it is. */
export const requestedPage = {
  limit: z.int().describe('Rows in a page, as requested or by default'),
  offset: z.int().describe('Number of skipped rows, as requested; 0 if a cursor is used'),
}

const NEXT = 'The cursor of the next page; null on the last page'

/**
 * Member of the answer of two kinds of lists: those that are not part of the contract, and those of the contract that
 * always have a cursor.
 */
export const nextCursor = z.string().nullable().describe(NEXT)

/** Member of a list whose contract has no cursor. Its route declares `unrequested: 'none'`. */
export const nextCursorOnRequest = nextCursor
  .describe(`${NEXT}. Present only if the request has paginate=cursor or a cursor`)
  .optional()

/** Member of a list whose contract has a null cursor. Its route declares `unrequested: 'null'`. */
export const nextCursorNull = nextCursor.describe(
  `${NEXT}. Null on every page if the request has neither paginate=cursor nor a cursor`,
)
