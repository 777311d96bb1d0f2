/**
 * A generated filing spine: as skewed as EDGAR's in forms, filers, names and dates, of any size, the same for the same
 * seed. Only for measurements: no row of it is a real filing.
 */

import { bringFilerNamesOver, FILERS } from '../src/ingest/filer-names.ts'
import { INDEX_LOCK } from '../src/ingest/order.ts'
import { bandSql } from '../src/names.ts'
import registry from '../src/registry.ts'
import type { Fragment, Sql, Transaction } from '../src/store/db.ts'
import { FIRST_NAMES, FORM_ENDS, FORMS, FUND_ENDS, ITEMS, SYLLABLES, WORDS } from './spine-words.ts'

/**
 * Fills an empty spine.
 *
 * @param sql a migrated database without filings
 * @param filings number of filings; the number of distinct filers grows with it, 60,000 filers for 500,000 filings
 */
export async function generateSpine(sql: Sql, filings: number, seed: number): Promise<void> {
  await sql.begin(async (tx) => {
    const restore = await dropIndexes(tx)
    await filers(tx, Math.max(100, Math.round(filings * 0.12)), seed)
    await spine(tx, filings, seed)
    for (const statement of restore) await tx.unsafe(statement)
  })
  await sql`vacuum (analyze) edgar.filing, edgar.filer, edgar.filer_name, edgar.filing_item`
  await bringFilerNamesOver(sql, INDEX_LOCK)
}

/**
 * Inserts filers with their names for the search, but without filings: a million names would have thirty million
 * filings. The number of filings of a name follows a log-normal distribution with a median of six; one in 500 has more
 * than a thousand.
 *
 * @param names approximate number
 */
export async function generateFilers(sql: Sql, names: number, seed: number): Promise<void> {
  const u = (stream: number) => uniform(sql, 'name_id', stream, seed)
  await sql.begin((tx) => filers(tx, Math.round(names / 1.125), seed))
  // First inserts one filing for each name, so that all names are stored. Then inserts the number of filings that each
  // name should have.
  await sql`
    insert into edgar.filer (accession, cik, name_id, filed_date)
    select concat(lpad(name_id::text, 10, '0'), '-25-000001'), cik, name_id, date '2025-01-01' + name_id % 300
    from edgar.filer_name`
  await bringFilerNamesOver(sql, INDEX_LOCK)
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = 'edgar' and tablename = 'filer_search' and indexdef like '% USING gin %'`
  await sql.unsafe(indexes.map(({ name }) => `drop index edgar.${name};`).join('\n'))
  await sql`
    update edgar.filer_search s set filings = drawn.filings, band = ${sql.unsafe(bandSql(FILERS, 'drawn.filings'))}
    from (
      select name_id, ceil(exp(1.8 + 1.8 * sqrt(-2 * ln(1 - ${u(30)})) * cos(2 * pi() * ${u(31)})))::int as filings
      from edgar.filer_name
    ) drawn where drawn.name_id = s.name_id`
  await sql.unsafe(indexes.map(({ definition }) => `${definition};`).join('\n'))
  await sql`vacuum (analyze) edgar.filer, edgar.filer_name, edgar.filer_search, edgar.filer_word`
}

/** Drops indexes that slow a load; returns the statements that restore them. */
async function dropIndexes(tx: Transaction): Promise<string[]> {
  const indexes = await tx<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid in ('edgar.filing'::regclass, 'edgar.filer'::regclass, 'edgar.filing_item'::regclass)
      and not indisunique`
  const references = await tx<{ tab: string; name: string; definition: string }[]>`
    select conrelid::regclass::text as tab, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conrelid in ('edgar.filer'::regclass, 'edgar.filing_item'::regclass)`
  for (const { tab, name } of references) await tx.unsafe(`alter table ${tab} drop constraint ${name}`)
  for (const { name } of indexes) await tx.unsafe(`drop index ${name}`)
  return [
    ...indexes.map(({ definition }) => definition),
    ...references.map(({ tab, name, definition }) => `alter table ${tab} add constraint ${name} ${definition}`),
  ]
}

/** Uniform in [0, 1), the same for the same row, stream and seed. */
const uniform = (tx: Transaction | Sql, row: string | Fragment, stream: number, seed: number) =>
  tx`((hashint8extended(${typeof row === 'string' ? tx.unsafe(row) : row}::bigint, ${seed * 100 + stream}::bigint) & 2147483647) / 2147483648.0)`

/** One of the words, biased towards the front of the list by `bias` > 1. */
const pick = (tx: Transaction, words: readonly string[], u: Fragment, bias: number) =>
  tx`(${words as string[]}::text[])[1 + floor(${words.length} * power(${u}, ${bias}::float8))::int]`

/**
 * Returns one of millions of words, some a hundred times as frequent as others. Names then have as many different words
 * as real ones, half of which are in only one name (bench/results.md has the comparison).
 */
function rareWord(tx: Transaction, u: Fragment) {
  const syllable = (stream: number) => pick(tx, SYLLABLES, uniform(tx, 'rank', 90 + stream, 0), 1)
  const long = uniform(tx, 'rank', 89, 0)
  return tx`(
    select concat(${syllable(0)}, ${syllable(1)}, case when ${long} < 0.75 then ${syllable(2)} end, case when ${long} < 0.15 then ${syllable(3)} end)
    from (select ${rankOf(tx, u)} as rank offset 0) ranked)`
}

const rankOf = (tx: Transaction, u: Fragment) => tx`(100 * (power(greatest(${u}, 0.0001), -4) - 1))::bigint`

/** Filers numbered from 1: two fifths are people, an eighth have a former name. */
async function filers(tx: Transaction, count: number, seed: number): Promise<void> {
  const u = (stream: number) => uniform(tx, 'n', stream, seed)
  const rare = (stream: number) => rareWord(tx, u(stream))
  const common = (stream: number) => pick(tx, WORDS, u(stream), 2)
  // Half of the firms that begin with the same word share their second word too: they form families, like the funds of
  // one manager.
  await tx`
    create temporary table generated_filer on commit drop as
    select n, lpad((1000 + n)::text, 10, '0') as cik, upper(name) as name from (
      select n, case when ${u(1)} < 0.4
        then concat_ws(' ', ${rare(2)},
          case when ${u(3)} < 0.55 then ${pick(tx, FIRST_NAMES, u(5), 1.4)} else ${rare(5)} end,
          case when ${u(4)} < 0.6 then chr(65 + floor(26 * ${u(6)})::int) when ${u(4)} < 0.75 then ${pick(tx, FIRST_NAMES, u(6), 1.4)} end)
        else concat_ws(' ',
          case when ${u(7)} < 0.12 then ${common(2)} else ${rare(2)} end,
          case when ${u(8)} < 0.5 then ${pick(tx, WORDS, uniform(tx, rankOf(tx, u(2)), 88, 0), 2)}
            when ${u(8)} < 0.65 then ${common(9)} when ${u(8)} < 0.92 then ${rare(9)} end,
          case when ${u(11)} < 0.5 then ${common(12)} when ${u(11)} < 0.7 then ${rare(12)} end,
          case when ${u(13)} < 0.2 then ${common(14)} when ${u(13)} < 0.35 then ${rare(14)} end,
          case when ${u(15)} < 0.45 then ${pick(tx, FUND_ENDS, u(16), 1)} end,
          case when ${u(17)} < 0.9 then ${pick(tx, FORM_ENDS, u(18), 1)} end)
      end as name
      from generate_series(1, ${count}::int) n
    ) named`
  await tx`
    insert into edgar.filer_name (cik, name, name_key)
    select cik, name, lower(name) from generated_filer
    union all
    select cik, former, lower(former) from generated_filer, lateral (select upper(${rare(26)}) || substr(name, strpos(name || ' ', ' ')) as former) f
    where ${u(10)} < 0.125 and former <> name`
  await tx`create index on generated_filer (n)`
  await tx`analyze generated_filer, edgar.filer_name`
}

/** Filings in date order, as real loads leave them, with filers, 8-K items and counts per form. */
async function spine(tx: Transaction, count: number, seed: number): Promise<void> {
  const u = (stream: number) => uniform(tx, 'n', stream, seed)
  const total = FORMS.reduce((sum, [, share]) => sum + share, 0)
  let below = 0
  const forms = FORMS.map(([form, share, extra]) => {
    below += share / total
    return { form, family: registry.familyOfForm(form)?.slug ?? 'formd', below, extra }
  })
  const [filerCount] = await tx<{ n: number }[]>`select count(*)::int as n from generated_filer`
  await tx`
    create temporary table generated_form on commit drop as
    select form, family, lag(below, 1, 0) over (order by below) as above, below, extra from unnest(
      ${forms.map((f) => f.form)}::text[], ${forms.map((f) => f.family)}::text[],
      ${forms.map((f) => f.below)}::float8[], ${forms.map((f) => f.extra)}::float8[]) as f (form, family, below, extra)`
  // A filer's activity falls off steeply. A filing of a form with several filers draws the other filers in the same way
  // as the first.
  await tx`
    create temporary table generated on commit drop as
    select n, d + case extract(isodow from d)::int when 6 then 2 when 7 then 1 else 0 end as filed_date,
      1 + floor(${filerCount!.n} * power(${u(20)}, 3.0))::int as filer, form, family,
      floor(extra + ${u(21)})::int as extra, ${u(22)} as w
    from generate_series(1, ${count}::int) n
    cross join lateral (select date '1993-01-04' + floor(12280 * power(n / ${count}::float8, 0.7))::int as d) dated
    cross join lateral (select ${u(23)} as v) drawn
    join generated_form on v >= above and v < below`
  await tx`analyze generated`
  await tx`
    insert into edgar.filing (accession, form_type, family, filed_date, cik, company_name, name_key, filer_count, path,
      period_of_report, accepted_at, has_text)
    select accession, form, family, filed_date, cik, name, lower(name), 1 + extra,
      'edgar/data/' || ltrim(cik, '0') || '/' || accession || '.txt',
      case when w < 0.7 then filed_date - (w * 90)::int end, filed_date + interval '16 hours' + w * interval '90 minutes',
      family in ('tenx', 'ncsr') and w < 0.5
    from generated join generated_filer f on f.n = filer
    cross join lateral (select ${accessionOf(tx)} as accession) numbered
    order by filed_date, generated.n`
  await tx`
    insert into edgar.filer (accession, cik, name_id, filed_date)
    select accession, cik, name_id, filed_date from (
      select ${accessionOf(tx)} as accession, filed_date, generated.n, filer from generated
      union
      select ${accessionOf(tx)}, filed_date, generated.n,
        1 + floor(${filerCount!.n} * power(${uniform(tx, '(generated.n::bigint * 16 + k)', 24, seed)}, 3.0))::int
      from generated cross join lateral generate_series(1, extra) k
    ) drawn
    join generated_filer f on f.n = drawn.filer
    join edgar.filer_name using (cik, name)
    order by filed_date, drawn.n`
  // The same filer may have been drawn twice.
  await tx`
    update edgar.filing f set filer_count = drawn.n
    from (select accession, count(*)::int as n from edgar.filer group by accession) drawn
    where drawn.accession = f.accession and drawn.n <> f.filer_count`
  await tx`
    insert into edgar.filing_item (accession, item, filed_date)
    select distinct ${accessionOf(tx)}, ${pick(tx, ITEMS, uniform(tx, '(generated.n::bigint * 4 + k)', 25, seed), 2.5)}, filed_date
    from generated cross join lateral generate_series(1, 1 + (generated.n % 3)::int) k where family = 'eightk'`
  await tx`
    insert into edgar.coverage (form_type, family, filings)
    select form, family, count(*) from generated group by form, family`
}

/** Agents' prefix, two digits of the year, and a number that does not repeat within a million filings. */
const accessionOf = (tx: Transaction) => tx`
  concat(lpad((900000 + (generated.n::bigint * 7919) % 2000 * 10 + generated.n / 1000000)::text, 10, '0'), '-',
    to_char(filed_date, 'YY'), '-', lpad((generated.n % 1000000)::text, 6, '0'))`
