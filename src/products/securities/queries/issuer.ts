/**
 * Maintains the companies of private securities. Securities that share a present or former name with a touched security
 * are processed too, and so on for the names of these securities. This reaches exactly the connected names of a
 * company, so the cost of a filing depends only on the companies of its holdings.
 */
import { NO_QUARTER } from '../../../declare/quarter.ts'
import { companyOf } from '../../../read/company-name.ts'
import { isLei } from '../../../read/securityid.ts'
import type { Transaction } from '../../../store/db.ts'
import { type Correction, correctionsWith } from '../aliases.ts'
import { clusters, type Misspelling } from '../issuer/clusters.ts'
import type { Named } from '../issuer/name.ts'
import { spoken } from '../issuer/name.ts'
import { lettersLeftOut, misspellings } from '../issuer/near.ts'
import { quartersToMake, requestTouched } from '../quarters.ts'

/**
 * Computes names and companies of the touched securities, or of all securities.
 *
 * @param corrected keys of names whose corrections changed
 *
 * reads touched_security, core.correction; makes touched_issuer: companies that gained or lost a security, and
 * companies with a security whose lines changed
 */
export async function makeIssuers(tx: Transaction, all: boolean, corrected: readonly string[]): Promise<void> {
  await tx`create temporary table if not exists touched_issuer (issuer text collate "C" primary key) on commit drop`
  await tx`truncate touched_issuer`
  const touched = all ? null : await privateOf(tx)
  if (touched?.length === 0 && corrected.length === 0) return
  const own = await tx<{ line: string }[]>`select line from core.correction where slug = 'securities' order by n`
  const corrections = correctionsWith(own.map(({ line }) => line))
  const before = touched === null ? [] : await keysOf(tx, touched)
  await nameAgain(tx, touched)
  const seeds = touched === null ? [] : [...before, ...(await keysOf(tx, touched)), ...corrected]
  const named = touched === null ? await namedAll(tx) : await namedWith(tx, seeds, corrections)
  const securities = [...new Set([...(touched ?? []), ...named.map(({ sec_id }) => sec_id)])]
  const { aliases: rows, ids } = clusters(named, corrections, await misspelt(tx, named))
  const stood = new Map(
    (touched === null
      ? []
      : await tx<
          { sec_id: string; issuer: string }[]
        >`select sec_id, issuer from alias where sec_id = any(${securities})`
    ).map(({ sec_id, issuer }) => [sec_id, issuer]),
  )
  if (touched === null) await tx`delete from alias`
  else await tx`delete from alias where sec_id = any(${securities})`
  await tx`
    insert into alias (sec_id, issuer, company_id, company_name, reason, basis, accession, confidence)
    select * from jsonb_to_recordset(${tx.json(rows as never)}) as r (sec_id text, issuer text, company_id text,
      company_name text, reason text, basis text, accession text, confidence double precision)`
  if (touched === null) await tx`delete from company_id`
  else
    await tx`delete from company_id where issuer = any(${[...new Set([...stood.values(), ...rows.map(({ issuer }) => issuer)])]})`
  await tx`
    insert into company_id (id, issuer, key, form, is_renamed)
    select * from jsonb_to_recordset(${tx.json(ids as never)}) as r (id text, issuer text, key text, form text,
      is_renamed boolean)`
  if (touched === null) return
  const isTouched = new Set(touched)
  const now = new Map(rows.map(({ sec_id, issuer }) => [sec_id, issuer]))
  const changed = securities.filter((id) => isTouched.has(id) || now.get(id) !== stood.get(id))
  const issuers = new Set(
    changed.flatMap((id) => [stood.get(id), now.get(id)]).filter((issuer) => issuer !== undefined),
  )
  await tx`insert into touched_issuer select unnest(${[...issuers]}::text[])`
}

/**
 * Returns touched securities that are private, or were private when their names were read. A private security has its
 * name as id, but cash, swaps and notes without a number have such ids too. They are not private and have lines in
 * every quarter, so their lines are not read.
 */
async function privateOf(tx: Transaction): Promise<string[]> {
  const found = new Set<string>()
  const add = (rows: readonly { sec_id: string }[]) => rows.forEach(({ sec_id }) => void found.add(sec_id))
  for (const quarter of await quartersToMake(tx, 'nport', 'touched')) {
    await requestTouched(tx, 'nport', quarter)
    add(
      await tx<{ sec_id: string }[]>`
      select distinct a.sec_id from asked a join pub.nport_holding h using (sec_id)
      where a.sec_id like 'name~%' and h.quarter = ${quarter} and h.is_private`,
    )
    add(await tx<{ sec_id: string }[]>`select distinct sec_id from asked join issuer_name using (sec_id)`)
  }
  return [...found]
}

/** Reads the lines of these securities again, to get the names of their issuers; null means all securities. */
async function nameAgain(tx: Transaction, touched: readonly string[] | null): Promise<void> {
  const some = touched === null ? tx`` : tx`and h.sec_id = any(${touched as string[]})`
  const lines = await tx<
    { sec_id: string; issuer_name: string | null; title: string | null; lei: string | null; accession: string }[]
  >`
    select h.sec_id, h.issuer_name, h.title_of_class as title, h.lei, min(h.accession) as accession
    from pub.nport_holding h join pub.nport_standing s on s.accession = h.accession and s.quarter = h.quarter
    where h.is_private and h.sec_id like 'name~%' and s.quarter > ${NO_QUARTER} ${some}
    group by 1, 2, 3, 4 order by 5, 1, 2, 3, 4`
  const found = new Map<string, Named>()
  for (const line of lines) {
    for (const each of namesOf(line)) {
      const key = [each.sec_id, each.role, each.key, each.form].join(' ')
      if (!found.has(key)) found.set(key, each)
    }
  }
  if (touched === null) await tx`delete from issuer_name`
  else await tx`delete from issuer_name where sec_id = any(${touched as string[]})`
  const rows = [...found.values()].map((each) => ({
    ...each,
    near: each.role === 'name' ? lettersLeftOut(each.key) : null,
  }))
  for (let at = 0; at < rows.length; at += 5_000) {
    await tx`
      insert into issuer_name (sec_id, role, key, form, name, accession, near)
      select sec_id, role, key, form, name, accession, near
      from jsonb_to_recordset(${tx.json(rows.slice(at, at + 5_000) as never)}) as r (sec_id text, role text, key text, form text,
        name text, accession text, near text[])`
  }
}

function namesOf({
  sec_id,
  accession,
  lei,
  ...line
}: {
  sec_id: string
  issuer_name: string | null
  title: string | null
  lei: string | null
  accession: string
}): Named[] {
  const mentions = spoken(line).mentions.map((mention) => ({ sec_id, accession, ...mention }))
  // A text with only a class names no company. The security is then a cluster of its own, and its id is the key.
  const text = line.issuer_name ?? line.title ?? ''
  const names: Named[] =
    mentions.length > 0 ? mentions : [{ sec_id, role: 'name', key: sec_id, form: '', name: text, accession }]
  const number = lei?.trim().toUpperCase() ?? ''
  return isLei(number) ? [...names, { sec_id, role: 'lei', key: number, form: '', name: number, accession }] : names
}

const keysOf = async (tx: Transaction, securities: readonly string[]) =>
  (await tx<{ key: string }[]>`select distinct key from issuer_name where sec_id = any(${securities as string[]})`).map(
    ({ key }) => key,
  )

const namedAll = (tx: Transaction) => tx<Named[]>`select sec_id, role, key, form, name, accession from issuer_name`

/**
 * Returns the names of all securities that have one of these names, of the securities that share a name with them, and
 * so on.
 */
async function namedWith(
  tx: Transaction,
  keys: readonly string[],
  corrections: readonly Correction[],
): Promise<Named[]> {
  const seen = new Set<string>()
  const found = new Map<string, Named>()
  let next = [...new Set(keys)]
  while (next.length > 0) {
    for (const key of next) seen.add(key)
    const all = [...new Set([...next, ...correctedWith(next, corrections)])]
    const rows = await tx<(Named & { leads: boolean })[]>`
      with near as (
        select distinct o.key from issuer_name i join issuer_name o on o.role = 'name' and o.near && i.near
        where i.role = 'name' and i.key = any(${all})
      ), own as (
        select distinct sec_id from issuer_name where key = any(${all}) or key in (select key from near)
      )
      select i.sec_id, i.role, i.key, i.form, i.name, i.accession,
        -- Titles link further if they name a company; "Series of a Trust" is a title of too many.
        i.role <> 'title' or exists (select from issuer_name n where n.key = i.key and n.role = 'name') as leads
      from own join issuer_name i using (sec_id)`
    for (const { leads: _, ...row } of rows) found.set([row.sec_id, row.role, row.key, row.form].join(' '), row)
    const leading = rows.filter(({ leads }) => leads).map(({ key }) => key)
    next = [...new Set([...leading, ...all])].filter((key) => !seen.has(key))
  }
  return [...found.values()]
}

/** Returns names that a reviewer joins with these names. */
function correctedWith(keys: readonly string[], corrections: readonly Correction[]): string[] {
  const wanted = new Set(keys)
  return corrections.flatMap(({ action, of, to }) =>
    action === 'join' && (wanted.has(of.key) || wanted.has(to!.key)) ? [of.key, to!.key] : [],
  )
}

/**
 * Finds pairs of names that are one letter apart, and that one fund reports in two periods with the same number of
 * shares, but never in one report. Such names are two spellings of one holding.
 */
async function misspelt(tx: Transaction, named: readonly Named[]): Promise<Misspelling[]> {
  const pairs = misspellings(named)
  if (pairs.length === 0) return []
  // Compares the lines with each other in a table, which has statistics and an index, unlike a common table expression.
  await tx`drop table if exists pg_temp.misspelt_line`
  await tx`
    create temporary table misspelt_line (key text collate "C", fund text collate "C", period date, balance numeric,
      accession text collate "C") on commit drop`
  await tx`
    insert into misspelt_line
    select distinct i.key, s.fund, s.period, h.balance, h.accession
    from issuer_name i join pub.nport_holding h on h.sec_id = i.sec_id and h.is_private
    join pub.nport_standing s on s.accession = h.accession and s.quarter = h.quarter
    where i.role = 'name' and h.balance > 0 and i.key = any(${[...new Set(pairs.flatMap(({ key, other }) => [key, other]))]})`
  await tx`create index on misspelt_line (key, fund, accession)`
  await tx`analyze misspelt_line`
  return tx<Misspelling[]>`
    with pair as (
      select * from jsonb_to_recordset(${tx.json(pairs as never)}) as p (key text, other text)
    )
    select distinct on (p.key, p.other) p.key, p.other, least(a.accession, b.accession) as accession,
      'fund ' || a.fund || ' reports ' || trim_scale(a.balance) || ' of both, at ' || least(a.period, b.period) || ' and '
        || greatest(a.period, b.period) as basis
    from pair p join misspelt_line a on a.key = p.key
    join misspelt_line b on b.key = p.other and b.fund = a.fund and b.balance = a.balance
    where b.period <> a.period and not exists (
      select from misspelt_line c join misspelt_line d on d.key = p.other and d.fund = c.fund and d.accession = c.accession
      where c.key = p.key and c.fund = a.fund)
    order by p.key, p.other, a.accession, b.accession`
}

/** Returns the key of the company that a typed name could mean, for searches. */
export const keyOfName = (name: string): string | null => companyOf(name)?.key ?? null
