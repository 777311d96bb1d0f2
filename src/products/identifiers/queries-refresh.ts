/**
 * Keeps the identifiers of securities consistent with covers, funds and EDGAR's lists: runs the files of make/ in
 * order.
 */
import type { Refresh } from '../../declare/refresh.ts'
import { areAlike } from '../../names.ts'
import { cusipOfIsin, isLei, validIsin } from '../../read/securityid.ts'
import type { Transaction } from '../../store/db.ts'
import { runFile } from '../../store/file.ts'
import { type Listed, matcherOf } from './named.ts'
import { makeSymbols } from './queries-symbols.ts'

const file = (name: string) => new URL(`make/${name}.sql`, import.meta.url)
const [TOUCHED, EVERYBODY, SECURITY, STATED] = [file('touched'), file('everybody'), file('security'), file('said')]
const [PAIRS, FOUND, BEST] = [file('pairs'), file('found'), file('best')]

/** Number of issuers whose rows are computed at once; an issuer has about ten securities. */
const ISSUERS_MAX = 5_000

/**
 * Marks issuers by the first six characters of a CUSIP: a statement about one security also applies to the issuer's
 * other securities. If a company changed in EDGAR's lists or in its file, this marks the issuers that are linked to its
 * CIK or have its ticker. If a list changed, this also marks the issuers whose company is unknown. If a filing was read
 * again and no longer has a statement, the statement disappears when the rows of its issuer are computed next.
 */
export const refresh: Refresh = {
  follows: {
    schedule13: async (tx, accessions) => {
      const rows = await tx<{ issuer: string }[]>`
        select distinct substr(cusip, 1, 6) as issuer from pub.schedule13_security
        where accession = any(${accessions as string[]})`
      return rows.map(({ issuer }) => issuer)
    },
    // A report names several hundred issuers, so its key names only the report, and `make` looks up the issuers. Before
    // a load, the issuers are looked up here: if a report is read again, `make` no longer finds its earlier statements.
    nport: (tx, reports, when) =>
      when === 'before_load' ? ofReports(tx, reports) : reports.map((report) => FUND + report),
    // A changed list of tickers may name the issuer of any security whose numbers are unknown.
    companies: async (tx, keys) => {
      const ciks = keys.map((key) => key.slice(0, 10))
      const isList = keys.some((key) => key.length > 10)
      const rows = await tx<{ issuer: string }[]>`
        select substr(cusip, 1, 6) as issuer from identifier where kind = 'cik' and value = any(${ciks})
        union
        select substr(i.cusip, 1, 6) from identifier i
        where kind = 'ticker' and regexp_replace(value, '[^A-Z0-9]', '', 'g') in (
          select regexp_replace(ticker, '[^A-Z0-9]', '', 'g') from pub.companies_ticker where cik = any(${ciks}))
        union
        select substr(cusip, 1, 6) from best where ${isList} and cik is null`
      return rows.map(({ issuer }) => issuer)
    },
    ownership: async (tx, accessions) => {
      const rows = await tx<{ cik: string }[]>`
        select distinct issuer_cik as cik from pub.ownership_report
        where accession = any(${accessions as string[]}) and issuer_cik is not null`
      return rows.map(({ cik }) => INSIDERS + cik)
    },
    thirteenf: (_, reports) => reports.flatMap((key) => (key.includes(' ') ? MANAGER + key : [])),
  },

  async divide(tx, key) {
    if (key !== null) return key.startsWith(FUND) || key.startsWith(MANAGER) ? issuersOf(tx, [key]) : []
    const rows = await tx<{ cik: string }[]>`select distinct cik from symbol`
    return [...(await everybody(tx)), ...rows.map(({ cik }) => INSIDERS + cik)]
  },

  async make(tx, keys) {
    await makeSymbols(tx, keys && after(keys, INSIDERS))
    const issuers = keys ? await issuersOf(tx, keys) : await everybody(tx)
    // Most reports name only securities that are known, and so give no issuer. Then the names of 10,000 companies need
    // not be read.
    if (issuers.length === 0) return
    const listed = matcherOf(await listedCompanies(tx))
    for (let at = 0; at < issuers.length; at += ISSUERS_MAX) {
      await makeSome(tx, issuers.slice(at, at + ISSUERS_MAX), listed)
    }
  },
}

/**
 * Prefixes of keys for a fund or a manager with a period, and for the CIK of a company. A key without a prefix is an
 * issuer: the first six characters of a CUSIP.
 */
const [FUND, MANAGER, INSIDERS] = ['fund ', 'manager ', 'insiders ']

const after = (keys: readonly string[], mark: string) =>
  keys.flatMap((key) => (key.startsWith(mark) ? key.slice(mark.length) : []))

/** Splits keys into the holder and the period. A key without a period names no report and is left out. */
function partsOf(keys: readonly string[]): [string[], string[]] {
  const parts = keys.map((key) => key.split(' ')).filter(([, period]) => period)
  return [parts.map(([of]) => of!), parts.map(([, period]) => period!)]
}

/**
 * Returns the issuers that these keys mean. A key is an issuer, or names a fund's report or a manager's holdings; in
 * the second case, the issuers of the securities in it are returned.
 */
async function issuersOf(tx: Transaction, keys: readonly string[]): Promise<string[]> {
  const own = keys.filter((key) => !key.includes(' '))
  const held = await ofManagers(tx, after(keys, MANAGER))
  return [...new Set([...own, ...held, ...(await ofReports(tx, after(keys, FUND)))])]
}

/**
 * Returns the issuers of securities in managers' holdings at the end of a quarter. Leaves out securities whose numbers
 * are in `best` already.
 *
 * @param reports manager and period, with a blank between
 */
async function ofManagers(tx: Transaction, reports: readonly string[]): Promise<string[]> {
  if (reports.length === 0) return []
  const [managers, periods] = partsOf(reports)
  const filed = await tx<{ accession: string; quarter: string }[]>`
    select c.accession, c.quarter from unnest(${managers}::text[], ${periods}::date[]) report (cik, period)
    join pub.thirteenf_counted c using (cik, period)`
  const [accessions, quarters] = [filed.map(({ accession }) => accession), new Set(filed.map(({ quarter }) => quarter))]
  // The statement lists the accessions instead of joining their table: with a join, PostgreSQL expected one filing, and
  // looked up each line in two more tables.
  const rows = await tx<{ issuer: string }[]>`
    with held as (
      select distinct h.sec_id from pub.thirteenf_holding h
      where h.accession = any(${accessions}) and h.quarter = any(${[...quarters]}::date[]) and h.sec_id is not null)
    select distinct substr(sec_id, 1, 6) as issuer from held
    where not exists (select from best b where b.cusip = sec_id)`
  return rows.map(({ issuer }) => issuer)
}

/**
 * Returns issuers in all reports of a fund and period. Some of these reports are not used, because an amendment
 * replaced them or their period is a mistake. They are included, since they also name securities, and may change which
 * other reports are used.
 *
 * @param reports fund and period, with a blank between
 */
async function ofReports(tx: Transaction, reports: readonly string[]): Promise<string[]> {
  if (reports.length === 0) return []
  const [funds, periods] = partsOf(reports)
  const rows = await tx<{ issuer: string }[]>`
    with filed as materialized (
      select r.accession, (date_trunc('quarter', r.period) + interval '3 months - 1 day')::date as quarter
      from unnest(${funds}::text[], ${periods}::date[]) report (fund, period)
      join pub.nport_report r using (fund, period))
    select distinct substr(h.sec_id, 1, 6) as issuer
    from filed
    join pub.nport_holding h using (accession, quarter)
    where h.sec_id not like '%~%'`
  return rows.map(({ issuer }) => issuer)
}

async function everybody(tx: Transaction): Promise<string[]> {
  const rows = await runFile<{ issuer: string }>(tx, EVERYBODY)
  return rows.map(({ issuer }) => issuer)
}

async function makeSome(tx: Transaction, issuers: readonly string[], match: (name: string) => Listed | null) {
  await runFile(tx, TOUCHED)
  await tx`insert into touched select distinct unnest(${issuers as string[]}::text[])`
  await tx`analyze touched`
  await runFile(tx, SECURITY)
  await runFile(tx, STATED)
  const pairs = await runFile<{ cik: string; name: string; company: string | null; before: string[] }>(tx, PAIRS)
  const alike = pairs.map(({ before, ...pair }) => ({
    ...pair,
    is_alike: pair.company && [pair.company, ...before].some((name) => areAlike(pair.name, name)),
  }))
  await tx`
    insert into alike select cik, name, company, is_alike from jsonb_to_recordset(${tx.json(alike as never)})
      as t (cik text, name text, company text, is_alike boolean)`
  const numbers = await tx<Stated[]>`select distinct cusip, kind, value from said where kind in ('isin', 'lei')`
  const checked = numbers.map((each) => ({ ...each, confidence: sureOf(each) }))
  await tx`
    insert into checked select cusip, kind, value, confidence from jsonb_to_recordset(${tx.json(checked as never)})
      as t (cusip text, kind text, value text, confidence double precision)`
  const names = await tx<{ cusip: string; name: string }[]>`select cusip, name from security`
  await tx`
    insert into named select cusip, cik, company from jsonb_to_recordset(${tx.json(namedOf(names, match))})
      as t (cusip text, cik text, company text)`
  await runFile(tx, FOUND)
  await runFile(tx, BEST)
}

interface Stated {
  cusip: string
  kind: 'isin' | 'lei'
  value: string
}

/**
 * Returns the confidence of an identifier that a fund states next to a CUSIP. An ISIN of the United States, Canada and
 * similar countries contains the CUSIP, so an ISIN that contains another CUSIP identifies another security.
 */
function sureOf({ cusip, kind, value }: Stated): number {
  if (kind === 'lei') return isLei(value) ? 0.9 : NOT_BELIEVED
  const isin = validIsin(value)
  if (isin === null) return NOT_BELIEVED
  const own = cusipOfIsin(isin)
  return own === cusip ? 0.95 : own === null ? 0.9 : NOT_BELIEVED
}

/**
 * The confidence of an identifier that is probably wrong: an ISIN or LEI that is not valid, or an ISIN that contains
 * another CUSIP. `found.sql` gives the same confidence to a CIK whose company has another name.
 */
const NOT_BELIEVED = 0.4

/**
 * Returns securities whose name is the name of exactly one company. If the names of a security lead to two companies,
 * the security is left out.
 */
function namedOf(names: readonly { cusip: string; name: string }[], match: (name: string) => Listed | null) {
  return [...Map.groupBy(names, ({ cusip }) => cusip)].flatMap(([cusip, of]) => {
    const found = of.flatMap(({ name }) => match(name) ?? [])
    const [one] = found
    return one && found.every(({ cik }) => cik === one.cik) ? { cusip, cik: one.cik, company: one.name } : []
  })
}

/** Selects companies with a ticker, by the names in their files and in the lists; the lists have no names of funds. */
const listedCompanies = (tx: Transaction) => tx<Listed[]>`
  select t.cik, c.name from pub.companies_ticker t join pub.companies_company c using (cik) where c.name is not null
  union
  select cik, name from pub.companies_ticker where name is not null`
