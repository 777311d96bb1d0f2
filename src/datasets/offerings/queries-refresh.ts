import type { DatasetRefresh } from '../../declare/refresh.ts'
import { wordsOfNames } from '../../names.ts'
import { foldedKey } from '../../read/fold.ts'
import type { Sql, Transaction } from '../../store/db.ts'
import { type BASES, type Offering, type OfferingFiling, offeringsOf } from './pipeline.ts'
import type { PLACES } from './tables-words.ts'

/**
 * Number of issuers whose filings are in memory at a time. An issuer has about ten filings; an issuer with a shelf and
 * its supplements has several hundred.
 */
const ISSUERS = 200
const CIK_LENGTH = 10

/** The keys of the refresh are the CIKs of issuers. */
export const refresh: DatasetRefresh = {
  async touched(tx, { keys }) {
    const rows = await tx<{ cik: string }[]>`
      select distinct cik from filing where accession = any(${keys as string[]}) and cik is not null`
    return rows.map(({ cik }) => cik)
  },

  follows: {
    // A ticker from before an offering, in the slice `companies`, proves that the company was listed. The keys of that
    // slice begin with the CIK.
    async companies(tx, keys, when) {
      if (when !== 'make') return []
      const ciks = [...new Set(keys.map((key) => key.slice(0, CIK_LENGTH)))]
      const rows = await tx<{ cik: string }[]>`select distinct cik from offering where cik = any(${ciks})`
      return rows.map(({ cik }) => cik)
    },
  },

  async divide(tx, key) {
    if (key !== null) return []
    const rows = await tx<{ key: string }[]>`
      select cik as key from filing where cik is not null union select cik from offering`
    return rows.map((row) => row.key)
  },

  async make(tx, keys) {
    const only = keys ? tx`cik = any(${keys as string[]})` : tx`true`
    await tx`delete from registrant where offering_accession in (select accession from offering where ${only})`
    await tx`delete from step where offering_accession in (select accession from offering where ${only})`
    await tx`delete from member where offering_accession in (select accession from offering where ${only})`
    await tx`delete from offering where ${only}`
    const ciks = await tx<{ cik: string }[]>`
      select distinct cik from filing where cik is not null and ${only} order by cik`
    for (let at = 0; at < ciks.length; at += ISSUERS) {
      await makeOf(
        tx,
        ciks.slice(at, at + ISSUERS).map(({ cik }) => cik),
      )
    }
  },
}

interface FilingFacts extends OfferingFiling {
  cik: string
  company_name: string | null
  sic: string | null
  sic_description: string | null
  price_low: string | null
  price_high: string | null
  says_initial: boolean
  says_listed: boolean
  says_spac: boolean
  /** Whether the filing states at least one term. */
  has_terms: boolean
  tickers: string[]
  exchanges: string[]
  /** All filers of the filing. */
  filers: { cik: string; company_name: string | null }[]
}

async function makeOf(tx: Transaction, ciks: readonly string[]): Promise<void> {
  const filings = await tx<FilingFacts[]>`
    select f.accession, f.form, f.kind, f.cik, f.company_name, f.filed_date, f.registration_file_number, f.price::text as price,
      f.price_low::text as price_low, f.price_high::text as price_high, f.says_initial,
      f.says_initial or f.says_no_market as says_first, f.says_listed, f.says_spac, f.tickers, f.exchanges, f.effective_of,
      coalesce(f.shares is not null or f.price is not null or f.price_low is not null or f.gross is not null
        or f.underwriters <> '{}' or f.tickers <> '{}', false) as has_terms,
      s.header ->> 'effectiveDate' as effective_date, h.sic, h.sic_description,
      coalesce(h.file_numbers, '{}') as file_numbers,
      (select coalesce(json_agg(json_build_object('cik', r.cik, 'company_name', r.company_name)), '[]')
        from filer r where r.accession = f.accession) as filers
    from filing f
    left join edgar.submission s using (accession)
    left join lateral (
      select array_agg(distinct e ->> 'fileNumber') filter (where e ->> 'fileNumber' ~ '^33[13]?-') as file_numbers,
        max(e ->> 'sic') as sic, max(e ->> 'sicDescription') as sic_description
      from jsonb_array_elements(s.header -> 'filers') e where e ->> 'cik' = f.cik
    ) h on true
    where f.cik = any(${ciks as string[]})`
  const made = [...Map.groupBy(filings, ({ cik }) => cik).values()].flatMap((own) =>
    offeringsOf(own).map((offering) => ({ offering, ...rowOf(offering) })),
  )
  if (made.length === 0) return
  const known = await listedBefore(tx, made)
  const rows = made.map(({ row, cover }) => {
    const basis = known.get(row.accession) ?? cover
    return { ...row, listed_basis: basis?.basis ?? null, listed_source: basis?.source ?? null }
  })
  const steps = made.flatMap(({ offering }) =>
    offering.steps.map((step, i) => ({ offering_accession: offering.accession, n: i + 1, ...step })),
  )
  const members = made.flatMap(({ offering }) =>
    offering.filings.map(({ accession, kind, form, filed_date }) => ({
      accession,
      offering_accession: offering.accession,
      kind,
      form,
      filed_date,
    })),
  )
  const registrants = made.flatMap(({ row, registrants }) =>
    registrants.map((one) => ({ offering_accession: row.accession, ...one })),
  )
  for (const part of chunks(rows)) await tx`insert into offering ${tx(part)}`
  for (const part of chunks(registrants)) await tx`insert into registrant ${tx(part)}`
  for (const part of chunks(steps)) await tx`insert into step ${tx(part)}`
  for (const part of chunks(members)) await tx`insert into member ${tx(part)}`
}

/** Postgres takes 65,535 parameters in a statement, and an offering has 25 columns. */
const ROWS = 2_500
const chunks = <T>(rows: readonly T[]) =>
  Array.from({ length: Math.ceil(rows.length / ROWS) }, (_, i) => rows.slice(i * ROWS, (i + 1) * ROWS))

interface Basis {
  basis: (typeof BASES)[number]
  source: string
}

/** SIC of blank check companies. */
const BLANK_CHECKS = '6770'

function rowOf({ accession, filings, steps, stage, stage_date, file_numbers }: Offering<FilingFacts>) {
  const first = filings.find((filing) => filing.accession === accession)!
  const priced = steps.find((step) => step.stage === 'priced')
  const stating = filings.filter(({ has_terms }) => has_terms)
  const terms =
    stating.find((filing) => filing.accession === priced?.accession) ??
    stating.findLast(({ kind }) => kind !== 'prospectus') ??
    stating.at(-1)
  const registered = filings.filter(({ kind }) => kind === 'registration' || kind === 'amendment')
  const covers = registered.length > 0 ? registered : filings
  const listed = covers.find(({ says_listed }) => says_listed)
  const says_initial = covers.some((filing) => filing.says_initial)
  const seeks_listing = !listed && covers.some(({ exchanges }) => exchanges.length > 0)
  const name = first.company_name ?? ''
  const registrants = registrantsOf(first, covers)
  const row = {
    accession,
    cik: first.cik,
    form: first.form,
    filed_date: first.filed_date,
    company_name: first.company_name,
    name_key: foldedKey(name),
    name_words: wordsOfNames([name, ...registrants.flatMap(({ company_name }) => company_name ?? [])]),
    registrant_count: registrants.length,
    file_numbers,
    sic: first.sic,
    sic_description: first.sic_description,
    is_spac: first.sic === BLANK_CHECKS || filings.some(({ says_spac }) => says_spac),
    stage,
    stage_date,
    terms_accession: terms?.accession ?? null,
    ...rangeOf(filings, terms?.price ?? null),
    tickers: terms?.tickers ?? [],
    exchanges: terms?.exchanges ?? [],
    says_initial,
    seeks_listing,
  }
  return {
    row,
    registrants,
    cover: listed && !says_initial ? ({ basis: 'cover', source: listed.accession } as Basis) : null,
  }
}

/**
 * Returns the companies that register the securities of an offering. A co-registrant may join in an amendment, so the
 * filers of all these filings count. Each company has its name of the newest filing that names it.
 */
function registrantsOf(first: FilingFacts, filings: readonly FilingFacts[]) {
  const filers = [{ cik: first.cik, company_name: first.company_name }, ...filings.flatMap((filing) => filing.filers)]
  const names = new Map<string, string | null>()
  for (const { cik, company_name } of filers) names.set(cik, company_name ?? names.get(cik) ?? null)
  return [...names].map(([cik, company_name]) => ({ cik, company_name }))
}

/**
 * Returns the newest price range on the covers of a registration statement, compared with the previous range and with
 * the price.
 */
function rangeOf(filings: readonly FilingFacts[], price: string | null) {
  const ranges = filings
    .filter(({ kind, price_low }) => price_low !== null && kind !== 'prospectus')
    .map(({ price_low, price_high }) => [price_low!, price_high ?? price_low!] as const)
  const [low, high] = ranges.at(-1) ?? [null, null]
  const before = ranges.findLast(([least, most]) => Number(least) !== Number(low) || Number(most) !== Number(high))
  const middle = (range: readonly (string | null)[]) => range.reduce((sum, end) => sum + Number(end), 0)
  const moved = before === undefined ? 0 : middle([low, high]) - middle(before)
  return {
    price_low: low,
    price_high: high,
    range_moved: moved === 0 ? null : moved > 0 ? ('up' as const) : ('down' as const),
    price_to_range: price === null || low === null ? null : placeOf(Number(price), Number(low), Number(high)),
  }
}

const placeOf = (price: number, low: number, high: number): (typeof PLACES)[number] =>
  price > high ? 'above' : price < low ? 'below' : 'within'

/** Finds loaded data outside these offerings which proves that their issuers were already public. */
async function listedBefore(
  tx: Transaction,
  made: readonly {
    row: { accession: string; cik: string; filed_date: string; says_initial: boolean; seeks_listing: boolean }
  }[],
) {
  const rows = await tx<(Basis & { accession: string })[]>`
    select o.accession, b.basis, b.source
    from unnest(${made.map(({ row }) => row.accession)}::text[], ${made.map(({ row }) => row.cik)}::text[],
      ${made.map(({ row }) => row.filed_date)}::date[], ${made.map(({ row }) => String(row.says_initial))}::text[]::boolean[],
      ${made.map(({ row }) => String(row.seeks_listing))}::text[]::boolean[]) o (accession, cik, filed_date, says_initial, seeks_listing)
    cross join lateral (
      (${publicBefore(tx, 'o')})
      union all
      (select 'tickers', ticker, 3 from pub.companies_ticker t
      where not o.says_initial and t.cik = o.cik and t.first_seen < o.filed_date and t.exchange is not null and t.exchange not like 'OTC%'
      order by ticker limit 1)
      order by 3 limit 1
    ) b`
  return new Map(rows.map(({ accession, basis, source }) => [accession, { basis, source }]))
}

/**
 * Returns SQL for a filing in the index which proves that an offering is not an initial offering. Such a filing
 * registered a class for an exchange before the offering, or is an annual or quarterly report of the two years before
 * the offering. Reporting does not prove a listing: an untraded REIT that lists its shares has reported for years (CIK
 * 1632970). Therefore, reports do not count if the cover names the future exchange, and nothing counts if the cover
 * states that this is the initial public offering. Without such a filing, the SQL returns no row.
 *
 * Lists run this SQL again, because the index of an earlier day may have arrived after the row of the offering was
 * written.
 *
 * @param of alias of a relation with `cik`, `filed_date`, `says_initial` and `seeks_listing`
 */
export const publicBefore = (sql: Sql | Transaction, of: 'o') => sql.unsafe(PUBLIC_BEFORE(of))

/** The same SQL as text, for the declarations of links. */
export const PUBLIC_BEFORE = (of: 'o') => `
  select case when f.form_type like '8-A%' or f.form_type = '8A12BEF' then 'registered' else 'reports' end as basis,
    f.accession as source, case when f.family = 'tenx' then 1 else 2 end as rank
  from edgar.filer r join edgar.filing f using (accession)
  where r.cik = ${of}.cik and r.filed_date < ${of}.filed_date
    and not ${of}.says_initial
    and (not ${of}.seeks_listing and r.filed_date >= ${of}.filed_date - 730
        and (f.family = 'tenx' or f.form_type in ('20-F', '20-F/A', '40-F', '40-F/A'))
      or f.form_type in ('8-A12B', '8-A12B/A', '8A12BEF'))
  order by rank, r.filed_date, f.accession limit 1`
