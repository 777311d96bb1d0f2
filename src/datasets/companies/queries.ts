/** SQL of a company's profile. */
import type { Sql } from '../../store/db.ts'
import type { Profile } from './answers.ts'

/**
 * Maximum number of a filer's newest filings that are examined to find a filing whose header was read. Banks have
 * 250,000 filings.
 */
const HEADERS_MAX = 500

/**
 * Returns all known data of a filer. Returns null if neither a file nor the index has the filer. Long: the function is
 * one statement of SQL.
 */
export async function profile(sql: Sql, cik: string): Promise<Profile | null> {
  const [row] = await sql<{ answer: Profile }[]>`
    with index as materialized (
      select n.name, s.filings, s.last_filed, s.kind from edgar.filer_search s join edgar.filer_name n using (name_id)
      where s.cik = ${cik}
    ), now as (
      select name, last_filed from index order by last_filed desc, kind = 'now' desc, filings desc, name limit 1
    ), header as materialized (
      select own.filed_date, f.value as filer
      from (
        select accession, filed_date from edgar.filer where cik = ${cik}
        order by filed_date desc, accession desc limit ${HEADERS_MAX}
      ) own
      join edgar.submission s using (accession)
      cross join lateral jsonb_array_elements(s.header->'filers') f
      where f.value->>'cik' = ${cik} and f.value->>'name' is not null and not exists (
        select from companies.company c where c.cik = ${cik})
      order by own.filed_date desc, own.accession desc limit 1
    ), listed as materialized (
      select l.*, r.first_day, r.gone_day
      from companies.listed_ticker l
      join bulk.record r on r.key = l.id and r.series = case l.source
        when 'company_tickers' then 'TICKERS' when 'company_tickers_exchange' then 'TICKERS_EXCHANGE' else 'TICKERS_FUND' end
      where l.cik = ${cik}
    ), named as (
      select name, first_day from listed where name is not null and gone_day is null order by source desc limit 1
    ), symbols as (
      select ticker, exchange, n from companies.ticker where cik = ${cik} and ticker is not null
      union all
      select ticker, max(exchange), 0 from listed
      where gone_day is null and class_id is null and not exists (select from companies.company c where c.cik = ${cik})
      group by ticker
    ), former as (
      select name, from_day, to_day from companies.former_name where cik = ${cik}
      union all
      select f.value->>'name', null, (f.value->>'changedDate')::date
      from header h cross join lateral jsonb_array_elements(h.filer->'formerNames') f
      union all
      select i.name, null, i.last_filed from index i
      where i.kind = 'former' and not exists (select from companies.company c where c.cik = ${cik})
        and not exists (
          select from header h cross join lateral jsonb_array_elements(h.filer->'formerNames') f
          where lower(f.value->>'name') = lower(i.name))
    )
    select json_build_object(
      'cik', ${cik}::text,
      'name', coalesce(c.name, h.filer->>'name', now.name, named.name),
      'source', case when c.cik is not null then 'submissions' when h.filer is not null then 'header'
        when now.name is not null then 'index' else 'tickers' end,
      'as_of', coalesce(e.to_day, h.filed_date, now.last_filed, named.first_day, (select min(first_day) from listed)),
      'entity_type', c.entity_type,
      'sic', coalesce(c.sic, h.filer->>'sic'),
      'sic_description', coalesce(c.sic_description, h.filer->>'sicDescription'),
      'ein', coalesce(c.ein, h.filer->>'irsNumber'),
      'lei', c.lei,
      'state_of_incorporation', coalesce(c.state_of_incorporation, h.filer->>'stateOfIncorporation'),
      'fiscal_year_end', coalesce(c.fiscal_year_end, h.filer->>'fiscalYearEnd'),
      'categories', coalesce(to_json(c.categories), '[]'),
      'owner_org', c.owner_org, 'edgar_flags', c.flags, 'description', c.description,
      'website', c.website, 'investor_website', c.investor_website,
      'phone', coalesce(c.phone, h.filer->'businessAddress'->>'phone'),
      'is_insider', c.is_insider, 'has_insiders', c.has_insiders,
      'tickers', (select coalesce(json_agg(ticker order by n, ticker), '[]') from symbols),
      'exchanges', (select coalesce(json_agg(exchange order by n, ticker), '[]') from symbols),
      'listed_tickers', (
        select coalesce(json_agg(json_build_object(
          'source', source, 'ticker', ticker, 'exchange', exchange, 'series_id', series_id, 'class_id', class_id,
          'first_seen', first_day, 'gone_on', gone_day
        ) order by gone_day nulls first, source, ticker), '[]') from listed),
      'business_address', case
        when c.business_street1 is not null or c.business_city is not null then json_build_object(
          'street1', c.business_street1, 'street2', c.business_street2, 'city', c.business_city,
          'state', c.business_state, 'zip', c.business_zip, 'country', c.business_country)
        when jsonb_typeof(h.filer->'businessAddress') = 'object' then json_build_object(
          'street1', h.filer->'businessAddress'->>'street1', 'street2', h.filer->'businessAddress'->>'street2',
          'city', h.filer->'businessAddress'->>'city', 'state', h.filer->'businessAddress'->>'state',
          'zip', h.filer->'businessAddress'->>'zip', 'country', null) end,
      'mailing_address', case
        when c.mailing_street1 is not null or c.mailing_city is not null then json_build_object(
          'street1', c.mailing_street1, 'street2', c.mailing_street2, 'city', c.mailing_city,
          'state', c.mailing_state, 'zip', c.mailing_zip, 'country', c.mailing_country)
        when jsonb_typeof(h.filer->'mailAddress') = 'object' then json_build_object(
          'street1', h.filer->'mailAddress'->>'street1', 'street2', h.filer->'mailAddress'->>'street2',
          'city', h.filer->'mailAddress'->>'city', 'state', h.filer->'mailAddress'->>'state',
          'zip', h.filer->'mailAddress'->>'zip', 'country', null) end,
      'former_names', (
        select coalesce(json_agg(json_build_object('name', name, 'from', from_day, 'to', to_day)
          order by to_day desc nulls last, name), '[]') from former),
      'filing_count', (select coalesce(sum(filings), 0) from index),
      'filings_listed', c.filings,
      'first_filed', (select filed_date from edgar.filer where cik = ${cik} order by filed_date, accession limit 1),
      'last_filed', (select max(last_filed) from index),
      'filings_url', '/v1/filings?cik=' || ${cik}::text,
      'securities_url', case when exists (select from pub.identifiers_best b where b.cik = ${cik})
        then '/v1/companies/' || ${cik}::text || '/securities' end
    ) as answer
    from (select) one
    left join companies.company c on c.cik = ${cik}
    left join bulk.record r on r.series = 'SUBMISSIONS' and r.key = c.cik
    left join bulk.edition e on e.series = r.series and e.name = r.edition
    left join header h on true
    left join now on true
    left join named on true
    where c.cik is not null or h.filer is not null or now.name is not null or exists (select from listed)`
  return row?.answer ?? null
}
