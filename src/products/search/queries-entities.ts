/** Selects the things of each source, in the columns of `search.entity`, and their codes. */
import type { Fragment, Sql, Transaction } from '../../store/db.ts'

/** Half powers of ten: 1, 3, 10, 32 … */
const WEIGHTS = Array.from({ length: 19 }, (_, step) => Math.round(10 ** (step / 2)))
/**
 * The smallest amount, in dollars, of each weight except the first. Each amount is halfway between two half powers of
 * ten on a logarithmic scale.
 */
export const AMOUNTS = WEIGHTS.slice(1).map((_, step) => Math.ceil(1e8 * 10 ** (step / 2 + 1 / 4)) / 100)

/**
 * The weight of an amount: the amount in millions, rounded to a half power of ten (1, 3, 10 …). If a weight changes,
 * the names are written again, so a small change of an amount must not change the weight. The amount is looked up in a
 * list: with a logarithm of numeric, the 10,068 securities of a large report took 262 ms of processor time instead of
 * 60 ms.
 */
export const stepOf = (tx: Sql | Transaction, amount: Fragment) =>
  tx`(${WEIGHTS}::int[])[1 + width_bucket(coalesce(${amount}, 0)::numeric, ${AMOUNTS}::numeric[])]`

const placeOf = (tx: Transaction) => tx`nullif(concat_ws(', ', city, state), '')`

const NONE = (tx: Transaction) => tx`'{}'::text[]`

/** Selects id and kind, followed by the other columns. */
const idOf = (tx: Transaction, kind: string, key: Fragment) =>
  tx`${`${kind} `}::text || ${key} as id, ${kind}::text as kind`

/** Returns a file number without leading zeros: 8-99917 for 008-99917. */
const plainFile = (tx: Transaction, column = 'file_number') =>
  tx`regexp_replace(upper(${tx(column)}), '^\\s*0*(\\d+[A-Z]?)-0*(\\d+)(-\\d+)?\\s*$', '\\1-\\2\\3')`

/** Keys of the things to select; null for all. */
export type Keys = readonly string[] | null

const among = (tx: Transaction, column: string, keys: Keys) =>
  keys ? tx`${tx(column)} = any(${keys as string[]})` : tx`true`

export const managers = (tx: Transaction, ciks: Keys) => tx`
  select ${idOf(tx, 'manager', tx`cik`)}, cik as key, name, ${NONE(tx)} as other_names, ${NONE(tx)} as former_names,
    concat_ws(' · ', '13F manager', ${placeOf(tx)}) as detail, null as page, ${stepOf(tx, tx`value`)} as weight
  from pub.thirteenf_named where name is not null and ${among(tx, 'cik', ciks)}`

export const managerCodes = (tx: Transaction, ciks: Keys) => tx`
  select ${plainFile(tx)} as code, 'manager ' || cik as id, 'file_number' as what
  from pub.thirteenf_named where file_number is not null and ${among(tx, 'cik', ciks)}`

/**
 * Returns the managers that have, about these quarters, a filing whose present scale differs from the scale with which
 * the filing was stored. Reports of other managers may have decided the present scale.
 */
export const rescaledManagers = (tx: Transaction, quarters: readonly string[]) => tx<{ cik: string }[]>`
  select distinct cik from pub.thirteenf_composed
  where quarter = any(${quarters as string[]}::date[]) and scale <> stored`

export const brokers = (tx: Transaction, ciks: Keys) => tx`
  select ${idOf(tx, 'broker', tx`cik`)}, cik as key, name, ${NONE(tx)} as other_names, ${NONE(tx)} as former_names,
    concat_ws(' · ', 'broker-dealer', ${placeOf(tx)}, file_number) as detail, null as page, 10 as weight
  from pub.x17a5_broker where ${among(tx, 'cik', ciks)}`

export const brokerCodes = (tx: Transaction, ciks: Keys) => tx`
  select ${plainFile(tx)} as code, 'broker ' || cik as id, 'file_number' as what
  from pub.x17a5_broker where file_number is not null and ${among(tx, 'cik', ciks)}`

export const portals = (tx: Transaction) => tx`
  select ${idOf(tx, 'portal', tx`cik`)}, cik as key, name, coalesce(other_names, '{}') as other_names,
    ${NONE(tx)} as former_names, concat_ws(' · ', 'funding portal', ${placeOf(tx)}, website) as detail,
    '/v1/cfportal/filing/' || accession as page, 10 as weight
  from pub.cfportal_portal`

export const representatives = (tx: Transaction, pks: Keys) => tx`
  select ${idOf(tx, 'representative', tx`indvl_pk`)}, indvl_pk as key,
    concat_ws(' ', first_nm, mid_nm, last_nm, suf_nm) as name, ${NONE(tx)} as other_names, ${NONE(tx)} as former_names,
    concat_ws(' · ', 'CRD ' || indvl_pk, firm_name) as detail, null as page, 1 as weight
  from pub.reps_person where coalesce(first_nm, last_nm) is not null and ${among(tx, 'indvl_pk', pks)}`

/** Datasets that publish identifiers stated in their filings (file numbers, LEIs), by slug, each with its view. */
export const CODED = {
  ...{ offerings: 'offerings_code', fundreg: 'fundreg_code', rega: 'rega_code', crowdfunding: 'crowdfunding_code' },
  ...{ cfportal: 'cfportal_code', form144: 'form144_code', form25: 'form25_code' },
  ...{ nport: 'nport_code', ncen: 'ncen_code', nmfp: 'nmfp_code', npx: 'npx_code' },
} as const

/** Returns SQL for the stored form of a number, in a row of one of the views of `CODED`. */
const storedCode = (tx: Transaction) =>
  tx`case what when 'file_number' then ${plainFile(tx, 'code')} else upper(code) end`

/**
 * Selects the numbers that filings state for things (file numbers and LEIs), each with the newest filing that states
 * this number for this thing.
 *
 * @param accessions the only filings to read; null for all
 */
export const filedCodes = (tx: Transaction, view: string, accessions: Keys) => tx`
  select distinct on (1, 2, 3, 4) ${storedCode(tx)} as code, coalesce(kind || ' ' || key, '') as id, what, part,
    accession, filed_date
  from ${tx(`pub.${view}`)} where ${among(tx, 'accession', accessions)}
  order by 1, 2, 3, 4, filed_date desc, accession desc`

/**
 * Selects the newest filing that states a number for a thing. If the thing is known, only the numbers that filings
 * state for this thing are searched; most datasets have an index for this. Numbers without a thing are LEIs of N-CEN;
 * the stored LEIs are in capitals and have an index.
 *
 * @param of alias of a relation with code, id, what and part
 */
export const newestCoded = (tx: Transaction, view: string, of: 'lost') => {
  const [id, from] = [tx(`${of}.id`), tx(`pub.${view}`)]
  const isSame = tx`part = ${tx(`${of}.part`)} and what = ${tx(`${of}.what`)} and ${storedCode(tx)} = ${tx(`${of}.code`)}`
  return tx`
    select accession, filed_date from (
      select accession, filed_date from ${from}
      where ${id} <> '' and key = substr(${id}, strpos(${id}, ' ') + 1) and kind = split_part(${id}, ' ', 1) and ${isSame}
      union all
      select accession, filed_date from ${from}
      where ${id} = '' and key is null and code = ${tx(`${of}.code`)} and ${isSame}
    ) stated order by filed_date desc, accession desc limit 1`
}

/** Selects the filings of these issuers whose file numbers `offerings` publishes. */
export const offeringsOf = (tx: Transaction, ciks: readonly string[]) => tx<{ accession: string }[]>`
  select distinct accession from pub.offerings_code where key = any(${ciks as string[]})`

/** Selects FIGIs of lines of Form 13F. */
export const figiCodes = (tx: Transaction) => tx`
  select distinct upper(figi) as code, 'security ' || sec_id as id, 'figi' as what
  from pub.thirteenf_security where figi ~* '^[A-Z]{2}G[A-Z0-9]{9}$' and sec_id is not null`

/** Selects LEIs of companies, since the table of companies has no index of them. */
export const companyCodes = (tx: Transaction, ciks: Keys) => tx`
  select upper(lei) as code, 'company ' || cik as id, 'lei' as what from pub.companies_company
  where lei is not null and ${among(tx, 'cik', ciks)}`

/** Selects LEIs of advisers, since the table of advisers has no index of them. */
export const adviserCodes = (tx: Transaction, crds: Keys) => tx`
  select upper(lei) as code, 'adviser ' || crd as id, 'lei' as what from pub.adv_adviser
  where lei is not null and ${among(tx, 'crd', crds)}`

/**
 * Selects insiders by CIK, with the name from their newest form.
 *
 * @param ciks CIKs of insiders, at most one batch
 */
export const insiders = (tx: Transaction, ciks: readonly string[]) => tx`
  select ${idOf(tx, 'insider', tx`cik`)}, cik as key, newest.name, ${NONE(tx)} as other_names,
    coalesce((select array_agg(distinct o.name order by o.name) from pub.ownership_owner o
      where o.cik = own.cik and o.name <> newest.name), '{}') as former_names,
    concat_ws(' · ', coalesce(newest.officer_title, case when newest.is_director then 'director' end, 'owner'),
      concat_ws(' ', newest.issuer_name, '(' || newest.ticker || ')')) as detail,
    null as page, ${stepOf(tx, tx`1e6 * (select count(*) from pub.ownership_owner o where o.cik = own.cik)`)} as weight
  from unnest(${ciks as string[]}::text[]) own (cik)
  cross join lateral (
    select name, is_director, officer_title, issuer_name, ticker from pub.ownership_owner o
    where o.cik = own.cik and o.name is not null order by filed_date desc, accession desc limit 1
  ) newest`

/** Selects the CIKs of insiders, in the order of the index. */
export const insiderCiks = (tx: Transaction, after: string, limit: number) => tx<{ cik: string }[]>`
  select distinct cik from pub.ownership_owner where cik > ${after} order by cik limit ${limit}`

/**
 * The condition that selects these funds of a source. It names the two columns of the key separately, because the
 * indexes are on these columns.
 */
const isFund = (tx: Transaction, keys: Keys) =>
  keys ? tx`(series_id = any(${keys as string[]}) or series_id is null and cik = any(${keys as string[]}))` : tx`true`

/**
 * Selects the funds of all sources: one row for each series, or for each registrant without series. Name and page come
 * from the first of these sources that has them: N-MFP, N-PORT, N-CEN, an announcement, lists of tickers. The lists
 * have no names of funds, so a series that no other source names is called by its number and its registrant. A fund is
 * a money market fund if it reports on N-MFP.
 *
 * @param keys series, or CIKs of registrants without series
 */
export const funds = (tx: Transaction, keys: Keys) => tx`
  with said as (
    select coalesce(series_id, cik) as key, cik, fund_name as name, registrant_name as trust, net_assets as size,
      1 as place, '/v1/funds/' || coalesce(series_id, cik) || '/holdings' as page
    from pub.nport_fund where ${isFund(tx, keys)}
    union all
    select coalesce(series_id, cik), cik, coalesce(name, registrant_name), registrant_name, monthly_avg_net_assets, 2,
      '/v1/ncen/registrants/' || cik from pub.ncen_fund where is_newest and ${isFund(tx, keys)}
    union all
    select fund, cik, series_name, trust_name, null, 3, '/v1/fund-launches/by-accession/' || accession
    from (select distinct on (fund) * from pub.fundreg_launch where ${among(tx, 'fund', keys)}
      order by fund, filed_date desc, accession desc) l
    union all
    select coalesce(series_id, cik), cik, fund_name, registrant_name, net_assets, 0,
      '/v1/nmfp/funds?q=' || coalesce(series_id, cik) from pub.nmfp_fund where ${isFund(tx, keys)}
    union all
    select distinct series_id, cik, null, null, null::numeric, 4, '/v1/companies/' || cik
    from pub.companies_ticker where series_id is not null and ${among(tx, 'series_id', keys)}
  ), one as (
    select key, bool_or(place = 0) as is_money_market,
      (array_agg(cik order by place, cik))[1] as cik, (array_agg(page order by place, cik))[1] as page,
      (array_agg(name order by place, cik) filter (where name is not null)) as names,
      (array_agg(trust order by place, cik) filter (where trust is not null))[1] as trust, max(size) as size
    from said group by key
  ), called as (
    select *, coalesce(names[1], case when key <> cik then key || coalesce(' (' || registrant || ')', '')
      else coalesce(registrant, key) end) as name
    from one cross join lateral (
      select coalesce(trust, (
        select n.name from edgar.filer_search s join edgar.filer_name n using (name_id)
        where s.cik = one.cik order by s.last_filed desc, n.name limit 1)) as registrant
    ) r
  )
  select case when is_money_market then 'money_market_fund ' else 'fund ' end || key as id,
    case when is_money_market then 'money_market_fund' else 'fund' end as kind, key, name,
    coalesce((select array_agg(distinct other) from unnest(names) other where other <> name), '{}') as other_names,
    ${NONE(tx)} as former_names,
    concat_ws(' · ', case when is_money_market then 'money market fund' else 'fund' end,
      case when names is null and key <> cik then 'no source here has its name' end, nullif(trust, name)) as detail,
    page, ${stepOf(tx, tx`size`)} as weight
  from called`

/** Selects classes and tickers of funds. The funds themselves must be stored already. */
export const fundCodes = (tx: Transaction, keys: Keys) => tx`
  with said as (
    select coalesce(series_id, cik) as key, class_id, ticker, gone_on is not null as is_former, true as is_listed
    from pub.companies_ticker where source = 'company_tickers_mf' and ${isFund(tx, keys)}
    union all
    select coalesce(f.series_id, f.cik), t.class_id, t.ticker, false, false
    from (select fund, accession, series_id, cik from pub.ncen_fund where ${isFund(tx, keys)}) f
    join pub.ncen_ticker t using (accession, fund)
    union all
    select fund, null, unnest(tickers), false, false from pub.fundreg_launch where ${among(tx, 'fund', keys)}
  ), coded as (
    select e.id, class_id, upper(ticker) as ticker, is_former, is_listed
    from said join entity e on e.id in ('fund ' || said.key, 'money_market_fund ' || said.key)
  )
  select class_id as code, id, 'class' as what from coded where class_id is not null
  union
  -- If EDGAR's list has the ticker, the list decides whether it is current: a report may state a former ticker.
  select ticker, id, case when bool_and(is_former) filter (where is_listed) then 'former_ticker' else 'ticker' end
  from coded where ticker is not null group by ticker, id`

/** Returns the funds of these registrants. The keys of `ncen` are CIKs of registrants. */
export const fundsOfRegistrants = (tx: Transaction, ciks: readonly string[]) => tx<{ key: string }[]>`
  select distinct coalesce(series_id, cik) as key from pub.ncen_fund where cik = any(${ciks as string[]})`

/** Returns the funds that these trusts announced. The keys of `fundreg` are CIKs of trusts. */
export const fundsOfTrusts = (tx: Transaction, ciks: readonly string[]) => tx<{ key: string }[]>`
  select distinct fund as key from pub.fundreg_launch where cik = any(${ciks as string[]})`

/** Returns the funds of these registrants in EDGAR's list of tickers. */
export const fundsInList = (tx: Transaction, ciks: readonly string[]) => tx<{ key: string }[]>`
  select distinct series_id as key from pub.companies_ticker where cik = any(${ciks as string[]}) and series_id is not null`

export const securities = (tx: Transaction) => tx`
  select ${idOf(tx, 'security', tx`sec_id`)}, sec_id as key, issuer_name as name, ${NONE(tx)} as other_names,
    ${NONE(tx)} as former_names,
    concat_ws(' · ', title_of_class, ticker, case when is_private then 'private' else coalesce(cusip, isin) end) as detail,
    null as page, ${stepOf(tx, tx`combined_value`)} as weight
  from pub.securities_security`

/** Companies of private securities. If a company has no id, its key is the id of its most valuable security. */
export const privateCompanies = (tx: Transaction) => tx`
  select ${idOf(tx, 'private_company', tx`key`)}, key, name,
    coalesce((select array_agg(distinct other) from unnest(names) other where other <> name), '{}') as other_names,
    ${NONE(tx)} as former_names,
    'private company' || case when securities > 1 then ' · ' || securities || ' securities' else '' end as detail,
    null as page, ${stepOf(tx, tx`value`)} as weight
  from (
    select coalesce(min(a.company_id), (array_agg(a.sec_id order by s.combined_value desc, a.sec_id))[1]) as key,
      (array_agg(a.company_name order by s.combined_value desc, a.sec_id))[1] as name,
      array_agg(distinct s.issuer_name) as names, count(*) as securities, sum(s.combined_value) as value
    from pub.securities_alias a join pub.securities_security s using (sec_id) group by a.issuer
  ) company`
