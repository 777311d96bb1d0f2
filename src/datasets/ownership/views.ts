/** Views of Forms 3, 4 and 5 that other slices, lists and exports may read. */
import { amendedColumns } from '../../declare/amended.ts'
import { accession, date, texts } from '../../declare/table.ts'
import { view } from '../../declare/view.ts'
import { derivative, owner, report, security } from './tables.ts'

const { issuer_cik, ticker } = report.columns

export const ownershipReport = view(
  'pub.ownership_report',
  'One row per filing of Form 3, 4 or 5, with the issuer and the ticker that it names',
  {
    accession: accession('The filing; joins edgar.filing'),
    issuer_cik,
    ticker,
    filed_date: date('Date the SEC gives as the filing date'),
  },
  'select accession, issuer_cik, ticker, filed_date from report',
  { families: { ownership: 'tickers that insiders’ forms name (Forms 3, 4, 5)' } },
)

/** Matches filings of one form about one issuer by the same owners: an amendment amends one of them. */
const sameOwners = (one: string, other: string) =>
  `${one}.issuer_cik = ${other}.issuer_cik and ${one}.form = ${other}.form and ${one}.owner_ciks = ${other}.owner_ciks and cardinality(${one}.owner_ciks) > 0`

/**
 * Ranks how well a filing fits the original that an amendment describes. An original outranks an amendment. Among
 * equals, a filing of the same period outranks the others.
 */
const fit = (filing: string, amendment: string) =>
  `(case when ${filing}.is_amendment then 0 else 2 end + case when ${filing}.period is not distinct from ${amendment}.period then 1 else 0 end)`

/** Tests whether the amendment names the day of this filing, and no other filing of that day fits equally well. */
const means = (amendment: string, filing: string) => `
      ${amendment}.is_amendment and ${amendment}.original_date = ${filing}.filed_date
      and ${amendment}.accession <> ${filing}.accession and ${sameOwners(amendment, filing)}
      and (not ${filing}.is_amendment or (${filing}.filed_date, ${filing}.accession) < (${amendment}.filed_date, ${amendment}.accession))
      and not exists (select from report o where ${sameOwners('o', filing)} and o.filed_date = ${filing}.filed_date
        and o.accession not in (${filing}.accession, ${amendment}.accession)
        and ${fit('o', amendment)} >= ${fit(filing, amendment)})`

/**
 * The form names no accession, only the day of the original. Amendments of one original replace each other. If the
 * original is not stored, amendments replace each other if they name the same day and period.
 */
export const ownershipAmended = view(
  'pub.ownership_amended',
  'One row per filing that was certainly amended, with the amendments',
  amendedColumns,
  `
select r.accession, m.amended_by
from report r cross join lateral (
  with recursive up as (
    select r.accession, r.filed_date, r.is_amendment, r.original_date, r.period, r.issuer_cik, r.form, r.owner_ciks
    union
    select x.accession, x.filed_date, x.is_amendment, x.original_date, x.period, x.issuer_cik, x.form, x.owner_ciks
    from up a join report x on ${means('a', 'x')}
  ), down as (
    select * from up
    union
    select a.accession, a.filed_date, a.is_amendment, a.original_date, a.period, a.issuer_cik, a.form, a.owner_ciks
    from down x join report a on a.is_amendment and ${sameOwners('a', 'x')}
    where (${means('a', 'x')})
      or (x.is_amendment and a.original_date = x.original_date and a.period is not distinct from x.period
        and not exists (select from report o where ${sameOwners('o', 'x')} and o.filed_date = x.original_date
          and o.accession not in (a.accession, x.accession)))
  )
  select array_agg(d.accession order by d.filed_date desc, d.accession desc) as amended_by from down d
  where d.is_amendment and d.accession <> r.accession
    and (not r.is_amendment or (d.filed_date, d.accession) > (r.filed_date, r.accession))
) m
-- One lookup decides for originals without amendments, which most filings are.
where (r.is_amendment or (
    select true from report a where a.is_amendment and a.original_date = r.filed_date and ${sameOwners('a', 'r')} limit 1))
  and m.amended_by is not null`,
)

const { name, is_director, officer_title } = owner.columns

export const ownershipOwner = view(
  'pub.ownership_owner',
  'One row per filing of Form 3, 4 or 5 and reporting owner, with the issuer',
  {
    accession: accession('The filing; joins edgar.filing'),
    filed_date: date('Date the SEC gives as the filing date'),
    ...{ cik: owner.columns.cik, name, is_director, officer_title },
    ...{ issuer_name: report.columns.issuer_name, ticker },
  },
  `
select o.accession, o.filed_date, o.cik, o.name, o.is_director, o.officer_title, r.issuer_name, r.ticker
from owner o left join report r using (accession)`,
)

/** Columns that lines of one trade must have filled, with equal values. */
const STATED = ['transaction_date', 'code', 'acquired_disposed']
/** Amounts that lines of one trade must have filled, with equal values. */
const STATED_AMOUNTS = ['shares', 'shares_after']
/** Columns that must have equal values in lines of one trade; null equals null. */
const ALIKE = ['security_title', 'deemed_date', 'equity_swap']
const ALIKE_DERIVATIVE = [...ALIKE, 'exercise_date', 'expiration_date', 'underlying_title']
/** Amounts that must be equal in lines of one trade; null equals null. */
const AMOUNTS = ['price', 'total_value', 'value_after']
const AMOUNTS_DERIVATIVE = [...AMOUNTS, 'exercise_price', 'underlying_shares', 'underlying_value']
/** The amounts that `rounded_to_zero` may name. */
const PRICES = ['price', 'exercise_price']

interface Compared {
  /** Columns whose values must be equal. */
  alike: readonly string[]
  amounts: readonly string[]
}

/** SQL of an amount, rounded as in a quarterly set. */
const roundedOf = (line: string, column: string) =>
  PRICES.includes(column)
    ? `case when '${column}' = any(${line}.rounded_to_zero) then 0 else round(${line}.${column}, 2) end`
    : `round(${line}.${column}, 2)`

/**
 * SQL that is true if two lines have the same amounts. If one of the reports `r` and `p` is from a quarterly set, which
 * rounds amounts, compares the amounts as rounded in a set.
 */
const sameAmounts = (one: string, other: string, columns: readonly string[]) => {
  const same = (of: (line: string, column: string) => string) =>
    columns.map((column) => `(${of(one, column)}) is not distinct from (${of(other, column)})`).join(' and ')
  return `case when 'set' in (r.source, p.source) then ${same(roundedOf)} else ${same((line, column) => `${line}.${column}`)} end`
}

/**
 * Codes of transactions with the issuer (Rule 16b-3) and of exercises. Each insider makes such a transaction alone. A
 * company may grant several directors the same number on one day, with the same footnote, and one fund may hold the
 * shares of two directors.
 */
const PERSONAL = ['A', 'D', 'F', 'I', 'M']

/** SQL of the texts of a line's footnotes, each once, in order; null if it has none. */
const footnotesOf = (line: string) => `(
    select array_agg(distinct f.footnote collate "C" order by f.footnote collate "C")
    from jsonb_array_elements(${line}.footnote_refs) r cross join lateral jsonb_array_elements_text(r -> 'ids') i (id)
    join footnote f on f.accession = ${line}.accession and f.id = i.id)`

/**
 * SQL that is true for a line of indirect ownership with a footnote about the holder. A footnote at another value, such
 * as the price, proves nothing: insiders who each bought the same number for themselves, in one offering or one tender,
 * have such a footnote too.
 */
const saysHolder = (line: string) =>
  `${line}.ownership = 'I' and ${line}.footnote_refs @? '$[*] ? (@.column == "ownership" || @.column == "nature" || @.column == "shares_after")'`

/**
 * SQL that is true if no other line of the filing has the same values. If two lines are equal, one of them could be
 * another trade.
 */
const isOnly = (table: string, line: string, { alike, amounts }: Compared) =>
  `(select count(*) from ${table} s where s.accession = ${line}.accession and not s.is_holding
      and ${[...STATED, ...alike].map((column) => `s.${column} is not distinct from ${line}.${column}`).join(' and ')}
      and ${sameAmounts('s', line, [...STATED_AMOUNTS, ...amounts])}) = 1`

/**
 * SQL of the view. Transactions with the codes of `PERSONAL` are left out. Two lines with other codes are one trade if
 * they meet all of these conditions:
 *
 * - they are in forms of one kind about one issuer, filed on one day by different owners;
 * - they state the same securities, day, code, number, price and holding afterwards;
 * - they have the same footnotes;
 * - at least one of them states indirect ownership with a footnote about the holder;
 * - neither filing has a second line with the same values.
 *
 * Amounts are compared in cents if a report is from a set. Lines without a footnote prove nothing: spouses may trade
 * alike.
 */
const jointSql = (table: 'security' | 'derivative', compared: Compared) => `
select l.accession, l.line, j.joint
from ${table} l join report r using (accession) cross join lateral (
  select array_agg(distinct o.accession order by o.accession) as joint
  from ${table} o join report p using (accession)
  where not o.is_holding and o.issuer_cik = l.issuer_cik and o.filed_date = l.filed_date and o.accession <> l.accession
    and ${STATED.map((column) => `o.${column} = l.${column}`).join(' and ')}
    and (${saysHolder('o')} or ${saysHolder('l')})
    and ${compared.alike.map((column) => `o.${column} is not distinct from l.${column}`).join(' and ')}
    and ${STATED_AMOUNTS.map((column) => `l.${column} is not null`).join(' and ')}
    and ${sameAmounts('o', 'l', [...STATED_AMOUNTS, ...compared.amounts])}
    and p.submission_type = r.submission_type and not p.owner_ciks && r.owner_ciks
    and ${footnotesOf('o')} = ${footnotesOf('l')}
    and ${isOnly(table, 'o', compared)} and ${isOnly(table, 'l', compared)}
) j
where not l.is_holding and l.code not in (${PERSONAL.map((code) => `'${code}'`).join(', ')})
  and cardinality(r.owner_ciks) > 0 and j.joint is not null`

const joint = texts('Accessions of the other filings that report the same trade; count its shares only once')

export const ownershipJointSecurity = view(
  'pub.ownership_joint_security',
  'One row per line of Table I whose trade is certainly the same as a trade in filings of other insiders',
  { accession: accession('The filing; joins edgar.filing'), line: security.columns.line, joint },
  jointSql('security', { alike: ALIKE, amounts: AMOUNTS }),
)

export const ownershipJointDerivative = view(
  'pub.ownership_joint_derivative',
  'One row per line of Table II whose trade is certainly the same as a trade in filings of other insiders',
  { accession: accession('The filing; joins edgar.filing'), line: derivative.columns.line, joint },
  jointSql('derivative', { alike: ALIKE_DERIVATIVE, amounts: AMOUNTS_DERIVATIVE }),
)
