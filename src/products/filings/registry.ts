/** The family registry for clients: forms, columns, facets and operators. */
import { z } from 'zod'
import type { Family, Tier } from '../../declare/catalog.ts'
import { columnType, type Kind, meaningOf } from '../../declare/table.ts'
import { type FilterFields, OPERATORS, operatorsOf } from '../../serve/filters.ts'
import { facetFields, universalFields } from './queries-fields.ts'

const column = z
  .object({
    name: z.string().describe('Name of the field, as in `fam_rows` and `filters`'),
    type: z
      .enum(['text', 'number', 'date', 'boolean', 'list', 'json'] satisfies Kind[])
      .describe('Kind of the values of the field; a filter by the field accepts the operators of this kind'),
    description: z.string().describe('Meaning of the field'),
  })
  .meta({ id: 'FamilyColumn' })
const field = column
  .extend({
    operators: z.array(z.string()).describe('Operators that a node of `filters` may use for the field'),
  })
  .meta({ id: 'FilterField' })

export const TIERS = ['structured', 'reader', 'listed'] as const satisfies readonly Tier[]
export const TIER_MEANING =
  'structured: filings are read into rows. reader: filings can be read as text (/doc-text); filings of some structured families can be read as text too. listed: filings are listed, and read neither into rows nor as text'

export const familyEntry = z
  .object({
    slug: z.string().describe('Value for `family` of /filings'),
    label: z.string().describe('Name of the family, written for people'),
    group: z.string().describe('Heading under which the family is listed'),
    form_types: z.array(z.string()).describe('Exact form codes; an amendment is a form of its own'),
    status: z.enum(['live', 'empty']).describe('live: filings of the family are loaded. empty: none is loaded'),
    tier: z.enum(TIERS).describe(TIER_MEANING),
    bespoke_route: z
      .string()
      .nullable()
      .describe('Path of an endpoint with more detail about one filing; the parameter of the path is in braces'),
    feed_spec: z
      .object({
        table: z.string().describe('Table or view that the fields are from'),
        columns: z.array(column).describe('Columns that `fam_rows` of /filings shows'),
        facets: z
          .array(field)
          .describe(
            'Fields that `filters` accepts in addition to the universal fields if the request names this family',
          ),
      })
      .meta({ id: 'FamilyFeed' })
      .nullable(),
  })
  .meta({ id: 'Family' })

export const universalEntry = z
  .object({
    fields: z.array(field),
    operators: z.array(
      z
        .object({
          name: z.string().describe('Value for `op` of a node: eq, in, gte …'),
          takes: z
            .string()
            .describe(
              'What `value` of a node must be: one value, two values, many (an array), or a flag (true or false)',
            ),
          description: z.string().describe('Which values of the field meet a condition with this operator'),
        })
        .meta({ id: 'FilterOperator' }),
    ),
  })
  .meta({ id: 'UniversalFields' })

/** Returns one family as an entry of the registry. */
export function familyOf(family: Family, status: 'live' | 'empty'): z.infer<typeof familyEntry> {
  const { slug, label, group, forms, tier, bespokeRoute, feed } = family
  return {
    slug,
    label,
    group,
    form_types: [...forms],
    status,
    tier,
    bespoke_route: bespokeRoute && `/v1${bespokeRoute}`,
    feed_spec: feed && {
      table: feed.table.id,
      columns: feed.columns.map((name) => {
        const type = feed.table.columns[name]!
        return { name, type: columnType(type)!.kind, description: meaningOf(type)! }
      }),
      facets: documented(facetFields(family)),
    },
  }
}

/** Returns the fields of every family and the meanings of the operators. */
export const universal = (): z.infer<typeof universalEntry> => ({
  fields: documented(universalFields()),
  operators: Object.entries(OPERATORS).map(([name, { takes, meaning }]) => ({ name, takes, description: meaning })),
})

const documented = (fields: FilterFields) =>
  Object.entries(fields).map(([name, f]) => ({
    name,
    type: f.kind,
    description: f.meaning,
    operators: operatorsOf(f) as string[],
  }))
