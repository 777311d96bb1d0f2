import { z } from 'zod'
import { amendedBy, amendedOf } from '../../declare/amended.ts'
import { apiError } from '../../declare/api-errors.ts'
import { type Catalog, everyFiling, type Family, type Tier } from '../../declare/catalog.ts'
import { RENAMED_FORMS } from '../../declare/mistaken.ts'
import { byCursor, countedBy, countedValues, nextCursorOnRequest, requestedPage } from '../../declare/paging.ts'
import { choice, cik, day, get, limit, offset, query } from '../../declare/route.ts'
import { type Columns, count } from '../../declare/table.ts'
import { thousands } from '../../declare/thousands.ts'
import { backlog, newestOfFamilies } from '../../ingest/backlog.ts'
import { chosenOf, isChosenOnly } from '../../ingest/chosen.ts'
import { NAME_MEANING } from '../../names.ts'
import { fold } from '../../read/fold.ts'
import { withAmended } from '../../serve/amended.ts'
import { filingRow } from '../../serve/filings-of.ts'
import { type Condition, conjuncts, type Leaf, leavesOf, parseFilters } from '../../serve/filters.ts'
import { assertFamilies, assertForms, assertFormsOf, assertItems } from '../../serve/known.ts'
import { notLoaded, withMissing } from '../../serve/loaded.ts'
import type { Sql } from '../../store/db.ts'
import { taskOf } from '../../store/schema.ts'
import * as queries from './queries.ts'
import { facetFields, universalFields } from './queries-fields.ts'
import { NAMED_ORDER_MAX } from './queries-named.ts'
import { type Search, search as searchFilings } from './queries-search.ts'
import { familyEntry, familyOf, TIER_MEANING, TIERS, universal, universalEntry } from './registry.ts'

export const families = get('/filings/families', {
  name: 'filings_families',
  summary: 'List families of filings',
  description:
    'Form types, columns and facets (fields of filters) of every family of filings. New families and facets appear here without a new version of the API.',
  tag: 'filings',
  reads: everyFiling,
  input: {},
  output: z
    .object({
      families: z.array(familyEntry),
      universal: universalEntry.describe(
        'Fields that `filters` of /filings accepts for every family, and the operators of conditions',
      ),
    })
    .meta({ id: 'FamilyRegistry' }),
  rows: 'families',
  run: async (_, { sql, catalog }) => {
    const loaded = queries.totals(await queries.coverage(sql), catalog)
    return {
      families: catalog.families.map((family) => familyOf(family, loaded.get(family.slug) ? 'live' : 'empty')),
      universal: universal(),
    }
  },
})

const ofWhom = z.enum(['all', 'chosen', 'all_and_chosen'])

export const coverage = get('/filings/coverage', {
  name: 'filings_coverage',
  summary: 'Count filings by family',
  description:
    'Counts the filings of each family: how many are listed, and how many were read into rows. Each family has a row, even if it has no filings. The last row counts filings whose form belongs to no family. Filings of families of the tier `reader` or `listed` are not read into rows, so `extracted` is 0. A filing of a structured family may be missing from `extracted` for three reasons: its rows are from a quarterly data set (`of_sets`), it waits to be read, or it could not be read. `ingest` of /filing/{accession} says which reason applies.',
  tag: 'filings',
  reads: everyFiling,
  input: {},
  output: z
    .object({
      families: z.array(
        z
          .object({
            slug: z.string().describe('Value for `family` of /filings'),
            label: z.string().describe('Name of the family, written for people'),
            filings: count('Number of filings of the family that are listed'),
            extracted: count('Number of the listed filings that were read into rows, each from its submission'),
            of_sets: count(
              'Number of the listed filings whose rows come from the SEC’s quarterly data sets. Their submissions were not read, and are fetched only on request. Their `ingest.state` is `set`',
            ),
            in_sets: count(
              'Number of filings in the loaded quarterly data sets of the SEC. Their rows can be queried even if no index lists a filing, and even if its submission was not read',
            ),
            pct: z
              .number()
              .min(0)
              .max(100)
              .describe('Percentage of the listed filings that `extracted` counts')
              .meta({ 'x-unit': 'percent' }),
            newest_filed_date: z.iso
              .date()
              .nullable()
              .describe(
                'Day on which the newest filing of the family was filed. Null if no filing is listed, and in the row of forms that belong to no family',
              ),
            tier: z
              .enum([...TIERS, 'ledger'])
              .describe(`${TIER_MEANING}. ledger: the row that counts filings whose form belongs to no family`),
            filer_selection: ofWhom
              .nullable()
              .describe(
                'Filers whose filings are listed. all: all filers, for the days whose indexes were read. chosen: only the filers that the operator chose, so filings of other filers are missing even if `pct` is 100. all_and_chosen: all filers for the days whose indexes were read, and only the chosen filers for other days. Null if no filing is listed',
              ),
          })
          .meta({ id: 'FamilyCoverage' }),
      ),
    })
    .meta({ id: 'Coverage' }),
  rows: 'families',
  run: async (_, { sql, catalog }) => {
    const [forms, sets, tasks, chosen, newest] = await Promise.all([
      queries.coverage(sql),
      queries.setCounts(sql),
      backlog(sql),
      chosenOf(sql),
      newestOfFamilies(sql),
    ])
    const ofBoth = isChosenOnly(chosen) ? 'chosen' : 'all_and_chosen'
    const selection: z.infer<typeof ofWhom> = chosen === null ? 'all' : ofBoth
    const days = new Map(newest.map(({ family, filed }) => [family, filed]))
    const counts = queries.totals(forms, catalog)
    const entry = (slug: string, label: string, tier: Tier | 'ledger', task: string | null) => {
      const { filings, extracted } = counts.get(slug) ?? { filings: 0, extracted: 0 }
      const in_sets = sets.find(({ dataset }) => dataset === slug)?.filings ?? 0
      const of_sets = tasks.find(({ dataset }) => dataset === task)?.of_sets ?? 0
      const pct = percent(extracted, filings)
      const newest_filed_date = days.get(slug) ?? null
      return {
        ...{ slug, label, filings, extracted, of_sets, in_sets, pct, newest_filed_date, tier },
        filer_selection: filings > 0 ? selection : null,
      }
    }
    const entries = catalog.families.map((family) => entry(family.slug, family.label, family.tier, taskOf(family)))
    const unclaimed = counts.has('ledger') ? [entry('ledger', 'Forms that no family claims', 'ledger', null)] : []
    return { families: [...entries, ...unclaimed] }
  },
})

/** The columns of `fam_rows`, with their types. */
const columnsOf = (feed: Family['feed'] | undefined): Columns =>
  Object.fromEntries(feed?.columns.map((name) => [name, feed.table.columns[name]!]) ?? [])

const percent = (part: number, whole: number) => (whole === 0 ? 0 : Math.floor((part / whole) * 10_000) / 100)

const row = filingRow
  .extend({
    fam_rows: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe(
        'Present if the request has `family`: one object with the columns that `feed_spec` of the family names; empty until the filing was read into rows',
      ),
    amended_by: amendedBy.optional(),
  })
  .meta({ id: 'FilingMatch' })

const code = (describe: string) => z.string().trim().min(1).max(40).describe(describe)

export const search = get('/filings', {
  name: 'filings',
  summary: 'Search filings',
  description:
    'Finds filings of any form by filer, date, form, family and facets, newest first. Conditions are joined by AND. `filters` is a tree of {"and": […]}, {"or": […]}, {"not": node} and ' +
    '{"field", "op", "value"}. A field is one of the universal fields of /filings/families or, with `family`, a facet of that ' +
    'family. A filing that has no value in a field meets conditions on this field with `ne`, `not_in` and `not`. A condition on a facet searches only filings ' +
    'that were read into rows: a filing with empty `fam_rows` never matches a tree with such a condition, not even with `not`. A filing of several filers is listed once. sort=name orders by the ' +
    'name that rows show: the name of the filer that `q` or `cik` finds, or without these parameters the name of the first filer. ' +
    `With sort=name and \`q\`, the filings of each name come newest first, and \`offset\` reaches only the first ${thousands(NAMED_ORDER_MAX)} filings: ` +
    'later pages are refused (400), but `cursor` reaches all filings. If too many names must be tried for a page, the page is ' +
    'shorter than `limit`, or even empty, and `next_cursor` continues the list.',
  tag: 'filings',
  reads: everyFiling,
  bucket: 'search',
  leads: { found: { cik: { in: 'edgar.filer', by: 'cik' } } },
  mistaken: { codes: { form: RENAMED_FORMS } },
  input: {
    family: code('Only filings of this family: a slug from /filings/families').optional(),
    q: query(`Name of any filer, or its CIK. ${NAME_MEANING}`).optional(),
    cik: cik.optional(),
    form: code('Exact form code; 10-K does not include 10-K/A').optional(),
    item: code('Item code, such as 2.02 of Form 8-K').optional(),
    from: day('Only filings whose filing date is this day or later').optional(),
    to: day('Only filings whose filing date is this day or earlier').optional(),
    sort: choice(['date', 'name'], 'Order of the list').default('date'),
    dir: choice(
      ['asc', 'desc'],
      'Ascending (asc) or descending (desc) order; by default desc for dates and asc for names',
    ).optional(),
    filters: z.string().describe('Conditions on fields, as a JSON tree of and, or and not').optional(),
    limit: limit({ max: 50, default: 50 }),
    offset: offset({ max: 100_000 }),
    ...byCursor,
    ...countedBy(
      ['form', 'family', 'month'],
      'Counts by form and by family are quick if the request filters by nothing but form and family, or if it filters by one filer',
    ),
  },
  examples: [
    { family: 'formd', q: 'fund' },
    { cik: '1882020', form: '1-K', from: '2023-01-01', to: '2024-06-30' },
    { q: 'masterworks', sort: 'name', dir: 'asc' },
    { item: '06b' },
    {
      filters: JSON.stringify({
        and: [
          { field: 'form_type', op: 'in', value: ['1-K', 'D'] },
          { not: { field: 'filed_date', op: 'lt', value: '2023-01-01' } },
        ],
      }),
    },
  ],
  output: z
    .object({ rows: z.array(row), ...requestedPage, ...countedValues, next_cursor: nextCursorOnRequest, ...notLoaded })
    .meta({ id: 'FilingPage' }),
  unrequested: 'none',
  rows: 'rows',
  inner: ({ family }, catalog) => ({ fam_rows: columnsOf(catalog.family(String(family))?.feed) }),
  run: async (input, { sql, catalog }) => {
    const { sort, limit, offset, paginate, cursor, count } = input
    if (input.family !== undefined) assertFamilies(catalog, [input.family])
    const family = input.family === undefined ? undefined : catalog.family(input.family)
    const tree = input.filters === undefined ? [] : conjuncts(treeOf(input.filters, family, catalog))
    const dir = input.dir ?? (sort === 'date' ? 'desc' : 'asc')
    const conditions = [...leaves(input), ...tree]
    await assertKnown(sql, catalog, conditions)
    const found = await searchFilings(sql, { conditions, family, sort, dir, limit, offset, paginate, cursor, count })
    const { rows, ...next } = found
    const page = { limit, offset, ...next }
    if (rows.length === 0) {
      return withMissing(sql, family ? { listed: [family.slug] } : { edgar: true }, { rows: [], ...page })
    }
    if (!family?.feed) return { rows, ...page }
    const own = await queries.feedRows(
      sql,
      family.feed,
      rows.map((row) => row.accession),
    )
    const amended = amendedOf(family.slug, catalog.slices.find(({ slug }) => slug === family.slug)?.views ?? [])
    const shown = rows.map((row) => ({ ...row, fam_rows: own.get(row.accession) ?? [] }))
    return amended ? { ...(await withAmended(sql, amended, { rows: shown })), ...page } : { rows: shown, ...page }
  },
})

/**
 * Converts parameters to conditions of a filter tree, so that parameters and `filters` share one compiler and one
 * choice of index.
 */
function leaves(
  input: { [K in 'family' | 'q' | 'cik' | 'form' | 'item' | 'from' | 'to']?: string | undefined },
): Condition[] {
  const name = input.q === undefined ? undefined : fold(input.q)
  if (name === '') throw apiError('invalid_search', { reason: 'has no letters to search for' })
  const given: [field: string, op: Leaf['op'], value: string | undefined][] = [
    ['family', 'eq', input.family],
    ['company_name', 'named', name],
    ['cik', 'eq', input.cik],
    ['form_type', 'eq', input.form],
    ['item', 'eq', input.item],
    ['filed_date', 'gte', input.from],
    ['filed_date', 'lte', input.to],
  ]
  return given.flatMap(([field, op, value]) => (value === undefined ? [] : [{ field, op, values: [value] }]))
}

/** Rejects forms and items that no filing can have, in parameters and in the tree, and forms of another family. */
async function assertKnown(sql: Sql, catalog: Catalog, conditions: readonly Condition[]): Promise<void> {
  const named = conditions.flatMap(leavesOf).filter(({ op }) => EXACT.includes(op))
  const of = (field: string) => named.flatMap((leaf) => (leaf.field === field ? leaf.values.map(String) : []))
  await assertForms(sql, catalog, of('form_type'))
  await assertItems(sql, of('item'))
  for (const forms of required(conditions, 'form_type')) {
    for (const families of required(conditions, 'family')) assertFormsOf(catalog, forms, families)
  }
}

/** Returns a list of values for each condition that requires one of several values of a field. */
const required = (conditions: readonly Condition[], name: string) =>
  conditions.flatMap((each) =>
    'field' in each && each.field === name && (each.op === 'eq' || each.op === 'in') ? [each.values.map(String)] : [],
  )

const EXACT: readonly Leaf['op'][] = ['eq', 'ne', 'in', 'not_in']

function treeOf(text: string, family: Search['family'], catalog: Catalog): Condition {
  const universal = universalFields()
  const slugs = catalog.families.map(({ slug }) => slug)
  const fields = { ...(family && facetFields(family)), ...universal, family: { ...universal.family!, known: slugs } }
  return parseFilters(text, fields, (name) => {
    const owners = catalog.families.filter(({ feed }) => feed?.facets.includes(name)).map(({ slug }) => slug)
    return owners.length === 0 ? undefined : `is a facet of ${owners.join(', ')}: give family=${owners[0]}`
  })
}
