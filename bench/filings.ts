/**
 * Measures /filings on a generated spine of 500,000 filings and on one ten times as large. The target for the ratio is
 * 1.5, except for the deep offset.
 */
import type { Sql } from '../src/store/db.ts'
import { grow } from './growth.ts'
import { Random } from './random.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { generateSpine } from './spine.ts'

export const rows = (scope: Scope, share: number): Promise<Row[]> =>
  grow(
    scope,
    {
      section: 'filings',
      of: 'filings',
      kinds: DESCRIBED,
      requests: 900,
      fill: (sql, filings) => generateSpine(sql, filings, 1),
      addresses,
    },
    share,
  )

const DESCRIBED = {
  'family and form': 'target 1.5',
  cik: 'target 1.5',
  'rare name': 'the whole name of a filer; target 1.5',
  'common name': 'a word that thousands of names have; target 1.5',
  'common name in its order': 'offset 9,000 to 9,900 of the 10,000 in reach; no target',
  'filters tree': 'or, not, in, between over four fields; target 1.5',
  'offset 100,000': 'no target',
}
type Kind = keyof typeof DESCRIBED

/** Different requests of each kind, the same for the same spine. */
async function addresses(sql: Sql, count: number): Promise<Record<Kind, string[]>> {
  const random = new Random(3)
  const forms = await sql<{ family: string; form: string }[]>`
    select family, form_type as form from edgar.coverage where family is not null order by form_type`
  // Selects filers by their filings, so that busy filers occur as often as people will request them.
  const filers = await sql<{ cik: string; name: string }[]>`
    select cik, company_name as name from edgar.filing order by hashtext(accession) limit ${count}`
  return many(count, () => {
    const { family, form } = random.pick(forms)
    const year = 2000 + random.below(25)
    const { cik, name } = random.pick(filers)
    return {
      'family and form': { family, form, to: `${year}-12-31` },
      cik: { cik },
      'rare name': { q: name },
      'common name': { q: random.pick(COMMON), to: `${year}-0${1 + random.below(9)}-15` },
      'common name in its order': { q: random.pick(COMMON), sort: 'name', offset: String(9000 + random.below(900)) },
      'filters tree': { filters: JSON.stringify(tree(random, year)) },
      'offset 100,000': { offset: String(100_000 - random.below(5000)) },
    }
  })
}

const COMMON = [
  'capital',
  'global',
  'energy',
  'holding',
  'financial',
  'international',
  'technolog',
  'real',
  'trust',
  'fund',
]

function tree(random: Random, year: number) {
  const forms = random.pick([
    ['10-K', '10-K/A'],
    ['8-K', '6-K', '10-Q'],
    ['S-1', 'S-3', 'S-8'],
    ['4', '3', '5'],
  ])
  const field = (name: string, op: string, value: unknown) => ({ field: name, op, value })
  return {
    and: [
      {
        or: [field('form_type', 'in', forms), field('family', 'eq', random.pick(['formd', 'thirteenf', 'nport']))],
      },
      { not: field('form_type', 'eq', random.pick(['D/A', '10-K/A', '3'])) },
      field('filed_date', 'between', [`${year - 1}-01-01`, `${year}-06-30`]),
    ],
  }
}

function many(count: number, make: () => Record<Kind, Record<string, string>>): Record<Kind, string[]> {
  const paths = Object.fromEntries(Object.keys(DESCRIBED).map((kind) => [kind, [] as string[]])) as Record<
    Kind,
    string[]
  >
  for (let i = 0; i < count; i++) {
    for (const [kind, input] of Object.entries(make())) {
      paths[kind as Kind].push(`/v1/filings?${new URLSearchParams(input)}`)
    }
  }
  return paths
}
