/**
 * Assembles the rows of `security` from each source's quarters. The product `identifiers` decides the CIK and the
 * ticker of a CUSIP.
 */
import { wordsOfNamesWithWords } from '../../../names.ts'
import { foldedKey } from '../../../read/fold.ts'
import { tickerKey } from '../../../read/ticker.ts'
import type { Transaction } from '../../../store/db.ts'

/** Number of securities whose names are split into words in one batch. */
const BATCH = 2_000

/** Maximum length of an LEI in bytes. A longer text in the place of an LEI is not an LEI, and fits no index. */
const LEI_MAX = 100

interface Named {
  sec_id: string
  issuer_name: string
  title_of_class: string | null
  other: string | null
}

/** Rewrites the securities in `touched_security`, or all. */
export async function makeSecurities(tx: Transaction, all: boolean): Promise<void> {
  const ids = all ? tx`select distinct sec_id from held` : tx`select distinct sec_id from touched_security`
  await tx`
    create temporary table if not exists made_security (sec_id text collate "C" primary key) on commit drop`
  await tx`truncate made_security`
  await tx`insert into made_security ${ids}`
  await tx`analyze made_security`
  await tx`delete from security ${all ? tx`` : tx`where sec_id in (select sec_id from made_security)`}`
  for (let after = ''; ; ) {
    const batch = await tx<Named[]>`${naming(tx, after)}`
    if (batch.length > 0) await insert(tx, batch)
    const [last] = await tx<{ sec_id: string | null }[]>`
      select max(sec_id) as sec_id from (
        select sec_id from made_security where sec_id > ${after} order by sec_id limit ${BATCH}) m`
    if (!last?.sec_id) break
    after = last.sec_id
  }
}

/**
 * Chooses the names of securities: the name that most lines of the newest quarter have. Names from managers come first,
 * then names from funds, then names from money market funds. Managers copy the SEC's list of securities, which has a
 * title for each class; funds name a share in any way they like. The other names of the security are names from the
 * other sources.
 */
const naming = (tx: Transaction, after: string) => tx`
  select sec_id, (array_agg(name order by place))[1] as issuer_name, (array_agg(title order by place))[1] as title_of_class,
    string_agg(name, E'\n' order by place) filter (where place > 1) as other
  from (
    select sec_id, coalesce(issuer_name, title_of_class, sec_id) as name, title_of_class as title,
      row_number() over (partition by sec_id order by array_position(array['f13', 'nport', 'nmfp'], source::text)) as place
    from (
      select distinct on (sec_id, source) sec_id, source, h.issuer_name, h.title_of_class
      from (select sec_id from made_security where sec_id > ${after} order by sec_id limit ${BATCH}) m join held h using (sec_id)
      order by sec_id, source, h.quarter desc
    ) newest
  ) said
  group by sec_id order by sec_id`

async function insert(tx: Transaction, batch: readonly Named[]): Promise<void> {
  const rows = batch.map(({ sec_id, issuer_name: name, title_of_class: title, other }) => {
    const names = [...new Set([title === null ? name : `${name} ${title}`, name, ...(other?.split('\n') ?? [])])]
    return [sec_id, name, title, foldedKey(title === null ? name : `${name} ${title}`), wordsOfNamesWithWords(names)]
  })
  const column = (at: number) => tx`${rows.map((row) => row[at]!)}::text[]`
  await tx`
    insert into security (sec_id, cusip, is_private, issuer_name, title_of_class, asset_cat, isin, lei, ticker, ticker_key,
      cik, f13_holders, f13_value, fund_count, nport_value, mmf_count, nmfp_value, combined_value, name_key, name_words)
    select n.sec_id, case when n.sec_id not like '%~%' then n.sec_id end, h.is_private, n.name, n.title, h.asset_cat, h.isin,
      h.lei, t.ticker, null, b.cik, h.f13_holders,
      h.f13_value, h.fund_count, h.nport_value, h.mmf_count, h.nmfp_value, h.f13_value + h.nport_value + h.nmfp_value,
      n.key, n.words::tsvector
    from unnest(${column(0)}, ${column(1)}, ${column(2)}, ${column(3)}, ${column(4)}) as n (sec_id, name, title, key, words)
    join (
      select sec_id, coalesce(sum(newest_holders) filter (where source = 'f13' and quarter >= since), 0)::int as f13_holders,
        coalesce(sum(newest_value) filter (where source = 'f13' and quarter >= since), 0) as f13_value,
        coalesce(sum(newest_holders) filter (where source = 'nport' and quarter >= since), 0)::int as fund_count,
        coalesce(sum(newest_value) filter (where source = 'nport' and quarter >= since), 0) as nport_value,
        coalesce(sum(newest_holders) filter (where source = 'nmfp' and quarter >= since), 0)::int as mmf_count,
        coalesce(sum(newest_value) filter (where source = 'nmfp' and quarter >= since), 0) as nmfp_value,
        coalesce(bool_or(is_private), false) and sec_id like 'name~%' as is_private,
        (array_agg(asset_cat order by source <> 'nport', quarter desc) filter (where asset_cat is not null))[1] as asset_cat,
        (array_agg(isin order by quarter desc, source) filter (where isin is not null))[1] as isin,
        (array_agg(lei order by quarter desc, source) filter (where octet_length(lei) <= ${LEI_MAX}))[1] as lei,
        (array_agg(ticker order by quarter desc, source) filter (where ticker is not null))[1] as ticker
      from made_security m join held using (sec_id) left join span using (source)
      where sec_id between ${batch[0]!.sec_id} and ${batch.at(-1)!.sec_id} group by sec_id
    ) h using (sec_id)
    left join pub.identifiers_best b on b.cusip = n.sec_id
    cross join lateral (select case when n.sec_id like '%~%' then h.ticker else b.ticker end as ticker) t`
  await keyTickers(tx, batch)
}

/** Returns the key of a ticker of another market: `VODLN` for `VOD LN`. */
const joined = (ticker: string) => ticker.toUpperCase().replace(/[^A-Z0-9]/g, '') || null

/** Fills in the key by which tickers are compared. The key depends on the structure of the ticker (read/ticker.ts). */
async function keyTickers(tx: Transaction, batch: readonly Named[]): Promise<void> {
  const named = await tx<{ sec_id: string; ticker: string }[]>`
    select sec_id, ticker from security
    where ticker is not null and sec_id between ${batch[0]!.sec_id} and ${batch.at(-1)!.sec_id}`
  const keyed = named.map(({ sec_id, ticker }) => ({ sec_id, key: tickerKey(ticker) ?? joined(ticker) }))
  await tx`
    update security s set ticker_key = k.key
    from jsonb_to_recordset(${tx.json(keyed as never)}) as k (sec_id text, key text) where s.sec_id = k.sec_id`
}
