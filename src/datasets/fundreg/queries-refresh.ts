import type { DatasetRefresh } from '../../declare/refresh.ts'
import { wordsOfNames } from '../../names.ts'
import { foldedKey } from '../../read/fold.ts'
import type { Sql, Transaction } from '../../store/db.ts'
import { ANNOUNCES, CLOSED_END } from './forms.ts'
import { type LaunchFiling, stepsOf } from './pipeline.ts'

/** Number of trusts whose launches are computed at a time. The largest trust has announced some two thousand series. */
const TRUSTS = 50

/** The keys of the refresh are the CIKs of trusts and closed-end funds. */
export const refresh: DatasetRefresh = {
  async touched(tx, { keys }) {
    const rows = await tx<{ cik: string }[]>`
      select cik from filing where accession = any(${keys as string[]}) and cik is not null
      union select owner_cik from series where accession = any(${keys as string[]}) and owner_cik is not null`
    return rows.map(({ cik }) => cik)
  },

  follows: {
    // Notices of effectiveness and withdrawals, which bring stages of a launch, are filings of the slice `offerings`.
    // The keys of that slice are CIKs.
    async offerings(tx, keys, when) {
      if (when !== 'make') return []
      const rows = await tx<{ cik: string }[]>`select distinct cik from launch where cik = any(${keys as string[]})`
      return rows.map(({ cik }) => cik)
    },
  },

  async divide(tx, key) {
    if (key !== null) return []
    const rows = await tx<{ key: string }[]>`
      select cik as key from filing where cik is not null union select owner_cik from series where owner_cik is not null
      union select cik from launch`
    return rows.map((row) => row.key)
  },

  async make(tx, keys) {
    const only = keys ? tx`cik = any(${keys as string[]})` : tx`true`
    await tx`delete from step where launch_accession in (select accession from launch where ${only})`
    await tx`delete from launch where ${only}`
    const ciks =
      keys ??
      (
        await tx<{ cik: string }[]>`
      select cik from filing where cik is not null union select owner_cik from series where owner_cik is not null
      order by 1`
      ).map(({ cik }) => cik)
    for (let at = 0; at < ciks.length; at += TRUSTS) await makeOf(tx, ciks.slice(at, at + TRUSTS))
  },
}

interface Announced extends LaunchFiling {
  cik: string
  trust_name: string | null
  series_id: string | null
  series_name: string
  classes: { ticker: string | null }[]
  bucket: 'ETF/OEF' | 'CEF'
}

async function makeOf(tx: Transaction, ciks: readonly string[]): Promise<void> {
  const announced = [...(await newSeries(tx, ciks)), ...(await closedEnd(tx, ciks))]
  if (announced.length === 0) return
  const later = await aboutSeries(
    tx,
    announced.flatMap(({ series_id }) => series_id ?? []),
  )
  const ofTrust = await aboutTrust(
    tx,
    announced.flatMap(({ series_id, cik }) => (series_id === null ? [cik] : [])),
  )
  const made = announced.map((each) => {
    const about = each.series_id === null ? ofTrust.get(each.cik) : later.get(each.series_id)
    const steps = stepsOf(each, about ?? [])
    return { each, steps, tickers: tickersOf(each, about ?? []) }
  })
  const rows = made.map(({ each, steps, tickers }) => {
    const { accession, cik, form, filed_date, trust_name, series_id, series_name, classes, bucket } = each
    const last = steps.at(-1)!
    return {
      accession,
      fund: series_id ?? cik,
      ...{ cik, form, filed_date, trust_name, series_id, series_name, bucket, tickers },
      name_key: foldedKey(series_name),
      name_words: wordsOfNames([series_name, ...(trust_name ? [trust_name] : [])]),
      class_count: classes.length,
      stage: last.stage,
      stage_date: last.date,
    }
  })
  const steps = made.flatMap(({ each, steps: own }) =>
    own.map((step, i) => ({
      launch_accession: each.accession,
      fund: each.series_id ?? each.cik,
      n: i + 1,
      ...step,
    })),
  )
  for (const part of chunks(rows)) await tx`insert into launch ${tx(part)}`
  for (const part of chunks(steps)) await tx`insert into step ${tx(part)}`
}

/** Postgres takes 65,535 parameters in a statement, and a launch has 16 columns. */
const ROWS = 4_000
const chunks = <T>(rows: readonly T[]) =>
  Array.from({ length: Math.ceil(rows.length / ROWS) }, (_, i) => rows.slice(i * ROWS, (i + 1) * ROWS))

/**
 * Selects the filing that announces each series. EDGAR gives a series its number when a filing announces it. An
 * amendment of the same day may name the series as new again, so only the first filing counts.
 */
const newSeries = (tx: Transaction, ciks: readonly string[]) => tx<Announced[]>`
  select distinct on (s.series_id) s.accession, f.form, f.filed_date, f.effective_date, coalesce(s.owner_cik, f.cik) as cik,
    coalesce(s.owner_name, f.trust_name) as trust_name, s.series_id, coalesce(s.name, s.series_id) as series_name, s.classes,
    'ETF/OEF' as bucket
  from series s join filing f using (accession)
  where s.status = 'new' and s.series_id is not null and f.form = any(${ANNOUNCES as string[]})
    and coalesce(s.owner_cik, f.cik) = any(${ciks as string[]})
  order by s.series_id, f.filed_date, s.accession`

/**
 * Selects the first N-2 of a closed-end fund, as far as the index goes back. A continuing fund files further N-2s,
 * which do not count. Also selects the first N-1A of a trust if it names no series, since EDGAR had no series before
 * 2006.
 */
const closedEnd = (tx: Transaction, ciks: readonly string[]) => tx<Announced[]>`
  select distinct on (f.cik) f.accession, f.form, f.filed_date, f.effective_date, f.cik, f.trust_name, null as series_id,
    coalesce(f.trust_name, f.cik) as series_name, '[]'::jsonb as classes,
    case when f.form = any(${CLOSED_END as string[]}) then 'CEF' else 'ETF/OEF' end as bucket
  from filing f
  where f.cik = any(${ciks as string[]}) and (f.form = any(${CLOSED_END as string[]}) or (f.form = 'N-1A' and f.series_count = 0))
    and not exists (${earlierOf(tx, 'f')})
  order by f.cik, f.filed_date, f.accession`

/**
 * Forms which prove that a fund existed before: it registered, reported, or bought back its shares. An N-2 is also in
 * this list, since a fund that exists registers further shares by an N-2.
 */
const EARLIER = [
  ...[...CLOSED_END, 'N-1A', 'N-CSR', 'N-CSRS', 'N-CEN', 'NPORT-P', 'N-PX', 'N-Q', 'NSAR-A', 'NSAR-B', 'NSAR-U'],
  ...['N-30D', 'N-30B-2', '10-K', '10-Q', 'SC TO-I', 'N-23C3A', 'N-23C-3A'],
]

/**
 * Returns SQL for the filings in the index which prove that a fund without series existed before. Lists check this
 * condition again, because the index of an earlier day may have arrived after the row of the launch was written.
 *
 * @param of alias of a relation with `cik` and `filed_date`
 */
export const earlierOf = (sql: Sql | Transaction, of: string) => sql`
  select from edgar.filer r join edgar.filing e using (accession)
  where r.cik = ${sql(`${of}.cik`)} and r.filed_date < ${sql(`${of}.filed_date`)}
    and e.form_type = any(${EARLIER as string[]})`

interface About extends LaunchFiling {
  tickers: string[]
}

async function aboutSeries(tx: Transaction, ids: readonly string[]): Promise<Map<string, About[]>> {
  const rows = await tx<(About & { series_id: string })[]>`
    select s.series_id, f.accession, f.form, f.filed_date, f.effective_date,
      array(select c ->> 'ticker' from jsonb_array_elements(s.classes) c where c ->> 'ticker' is not null) as tickers
    from series s join filing f using (accession) where s.series_id = any(${ids as string[]})
    union all
    select e ->> 'seriesId', f.accession, f.form_type, f.filed_date, null, '{}'::text[]
    from edgar.filing f join edgar.filer r using (accession) join edgar.submission h using (accession),
      jsonb_array_elements(h.header -> 'series') e
    where f.form_type in ('RW', 'AW') and e ->> 'seriesId' = any(${ids as string[]})
      and r.cik in (select distinct coalesce(owner_cik, '') from series where series_id = any(${ids as string[]}))`
  return Map.groupBy(rows, ({ series_id }) => series_id)
}

/**
 * Returns the filings about each trust. A withdrawal of an amendment (AW) is not selected, since it leaves the
 * registration of a closed-end fund unchanged.
 */
async function aboutTrust(tx: Transaction, ciks: readonly string[]): Promise<Map<string, About[]>> {
  const rows = await tx<(About & { cik: string })[]>`
    select cik, accession, form, filed_date, effective_date, '{}'::text[] as tickers from filing where cik = any(${ciks as string[]})
    union all
    select r.cik, f.accession, f.form_type, f.filed_date, (h.header ->> 'effectiveDate')::date, '{}'::text[]
    from edgar.filer r join edgar.filing f using (accession) left join edgar.submission h using (accession)
    where r.cik = any(${ciks as string[]}) and f.form_type in ('RW', 'EFFECT')`
  return Map.groupBy(rows, ({ cik }) => cik)
}

/** Returns the tickers of the newest filing that has any, since funds get their tickers late. */
function tickersOf(each: Announced, about: readonly About[]): string[] {
  const own = each.classes.flatMap(({ ticker }) => ticker ?? [])
  const newest = about
    .filter(({ tickers }) => tickers.length > 0)
    .toSorted((a, b) => (a.filed_date < b.filed_date ? 1 : -1))[0]
  return [...new Set(newest?.tickers ?? own)].sort()
}
