/** SQL of the search for firms: by number, then by name. */

import { searchNames } from '../../../names.ts'
import { fold } from '../../../read/fold.ts'
import type { Sql } from '../../../store/db.ts'
import type { AdviserMatch } from '../answers.ts'
import { ADVISERS } from '../named.ts'

/** Returns firms that match the typed text, best first: firms with the typed number, then firms with the name. */
export async function search(sql: Sql, q: string, limit: number): Promise<AdviserMatch[]> {
  if ([...q].length < 2) return []
  const numbered = await byNumber(sql, fold(q))
  const named = await searchNames(sql, ADVISERS, q, limit + numbered.length)
  return shown(sql, [...new Set([...numbered, ...named])].slice(0, limit))
}

/**
 * A number with its prefix, as people write it: "crd 361", "801-16048", "80116048", "sec file no. 801 16048", "cik
 * 0000769993".
 */
const NUMBER = /^(?:(?:crd|iard|sec|cik|file|number|no|nr)(?![a-z])[.:]?\s*|#\s*)*((80[12])[ -]?)?(\d{1,10})$/

/**
 * Finds firms by the digits of their CRD number, of their SEC file number (801- or 802-, with or without this prefix),
 * or of a CIK that the firms state.
 */
async function byNumber(sql: Sql, key: string): Promise<string[]> {
  const [, prefix, kind, digits] = NUMBER.exec(key) ?? []
  if (digits === undefined) return []
  const plain = digits.replace(/^0+(?=\d)/, '')
  const files = (kind ? [kind] : ['801', '802']).map((of) => `${of}-${plain}`)
  // A file number that is typed without its dash is only digits.
  const whole = `${(prefix ?? '').replace(/\D/g, '')}${digits}`.replace(/^0+(?=\d)/, '')
  const isCrd = prefix === undefined || /\d$/.test(prefix)
  const rows = await sql<{ crd: string }[]>`
    select crd from (
      select crd, 1 as place, crd as number from adv.adviser where crd = ${whole} and ${isCrd}
      union all
      select crd, 2, name_key from adv.adviser_name where kind = 'sec_number' and name_key = any(${files})
      union all
      select crd, 3, name_key from adv.adviser_name where kind = 'cik' and name_key = ${whole.padStart(10, '0')}
    ) found group by crd order by min(place), min(number), crd`
  return rows.map(({ crd }) => crd)
}

async function shown(sql: Sql, crds: readonly string[]): Promise<AdviserMatch[]> {
  if (crds.length === 0) return []
  return sql<AdviserMatch[]>`
    select crd as id, firm_name, city, state, lat::float8 as lat, lng::float8 as lng
    from unnest(${crds as string[]}::text[]) with ordinality as wanted (crd, place) join adv.adviser using (crd)
    order by place`
}
