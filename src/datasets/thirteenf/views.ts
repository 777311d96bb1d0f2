/** Views of managers' holdings that other slices may read. */
import { amendedColumns, amendsSame } from '../../declare/amended.ts'
import { accession, boolean, cik, cusip, date, decimal, text, usd } from '../../declare/table.ts'
import { view } from '../../declare/view.ts'
import { counted, filer } from './rollups.ts'
import { position, report, security } from './tables.ts'

/**
 * The id of a security: the CUSIP in capitals. Placeholders, and texts other than nine letters and digits, can mean
 * many securities and have no id. Lines with such a CUSIP are still in the answers about their filings. A CUSIP with a
 * wrong check digit has an id. Each refresh computes the id of each line several times. A search for a character that
 * is not a letter or digit takes a third of the time of `~ '^[0-9A-Za-z]{9}$'`.
 */
const idOf = (column: string) =>
  `case when length(${column}) = 9 and ${column} !~ '[^0-9A-Za-z]' and ${column} not in ('000000000', '999999999') then upper(${column}) end`

const secId = text('Id of the security: its CUSIP in capitals; null where it is none of nine letters and digits', {
  entity: 'cusip',
}).nullable()

/**
 * Excludes periods that end after the filing date: such a period is a slip of the filer. The lines are still shown with
 * their filing, but not as holdings at the end of a quarter.
 */
const IS_OVER = 'c.period <= c.filed_date'

const READ = { families: { thirteenf: 'reports of institutional managers (13F)' } }

export const thirteenfComposed = view(
  'pub.thirteenf_composed',
  'One row per filing that has, or had until a later one replaced it, a part in what a manager held at the end of a quarter',
  counted.columns,
  `select accession, cik, period, quarter, part, seq, until, is_newest, filed_date, manager_name, scale, stored from counted c where ${IS_OVER}`,
  READ,
)

const { until: _, scale: __, stored: ___, ...counts } = counted.columns

export const thirteenfCounted = view(
  'pub.thirteenf_counted',
  'One row per filing that has a part in what a manager held at the end of a quarter',
  counts,
  `select accession, cik, period, quarter, part, seq, is_newest, filed_date, manager_name from counted c where until is null and ${IS_OVER}`,
  READ,
)

const { quarter, amount, kind, put_call, n } = position.columns

const lineColumns = {
  accession: accession('The filing'),
  n,
  quarter,
  cik: cik('CIK of the manager'),
  cusip: cusip('CUSIP as filed').nullable(),
  sec_id: secId,
  security: position.columns.security,
  value: usd('Value, US dollars, by the scale that prices of other managers decided where they did').nullable(),
  ...{ amount, kind, put_call },
  period: date('Last day of the quarter that the manager reports'),
  is_newest: boolean('It is the newest quarter that the manager reported'),
  filed_date: counted.columns.filed_date,
  seq: counted.columns.seq,
}

/** Value of a line `l` of a filing `c`. */
const VALUE = 'case when c.scale = c.stored then l.value else trunc(l.value::numeric / c.stored * c.scale) end'

const LINE = `l.accession, l.n, l.quarter, c.cik, l.cusip, ${idOf('l.cusip')} as sec_id, l.security, ${VALUE} as value,
  l.amount, l.kind, l.put_call, c.period, c.is_newest, c.filed_date, c.seq`

export const thirteenfHolding = view(
  'pub.thirteenf_holding',
  'One row per line that counts in what a manager held at the end of a quarter: without lines of replaced filings, of securities that a later partial restatement names, and lines that new holdings repeat. Options and principal are lines of their own',
  lineColumns,
  `
select ${LINE}
from position l
join counted c on c.accession = l.accession and c.quarter = l.quarter and c.until is null and ${IS_OVER}
where not exists (select from superseded s where s.accession = l.accession and s.cusip = upper(l.cusip))
  and not exists (select from repeated r where r.accession = l.accession and r.n = l.n)`,
  READ,
)

export const thirteenfLine = view(
  'pub.thirteenf_line',
  'One row per line that counts, or did until a later filing replaced it: what was known on a day is what had been filed and not replaced',
  {
    ...lineColumns,
    until: date('Day on which a later filing replaced the line; null while it counts').nullable(),
  },
  `
select ${LINE}, least(c.until, s.until, r.until) as until
from position l
join counted c on c.accession = l.accession and c.quarter = l.quarter and ${IS_OVER}
left join superseded s on s.accession = l.accession and s.cusip = upper(l.cusip)
left join repeated r on r.accession = l.accession and r.n = l.n`,
  READ,
)

/** SQL that is true if the manager reported all its holdings of a quarter. Then it held no other securities. */
const REPORTED = (quarter: string) => `exists (
      select from counted c
      where c.cik = h.cik and c.quarter = ${quarter} and c.part = 'whole' and c.until is null and ${IS_OVER})`

/**
 * One scan of both quarters gives all changes, without a join of a row with the row of the quarter before. A position
 * whose CUSIP is filed in capitals and later in small letters is one position. Conditions on quarter, cusip and cik
 * pass through the `group by` to the indexes: `security` has the spellings of a CUSIP, by which `position` is looked
 * up. For each quarter only two partitions are read: `l.quarter = any(array[…])` chooses them while the query runs.
 * Like `/adv/securities/{cusip}/holders`, it compares only quarters about which the manager has reported everything,
 * and leaves options out.
 */
export const thirteenfHoldingChange = view(
  'pub.thirteenf_holding_change',
  'One row per manager, security and quarter: what it held at the end of the quarter and of the one before, without options. Name the quarter, and cusip or cik or both: indexes have them. cik joins edgar.filer, accession pub.thirteenf_holding, and cusip the sec_id of pub.thirteenf_holding',
  {
    quarter: date('Last day of the quarter'),
    quarter_before: date('Last day of the quarter before'),
    cik: cik('CIK of the manager; joins edgar.filer'),
    cusip: cusip('CUSIP in capitals'),
    change: text(
      'new, added, reduced, unchanged or closed; null where it cannot be said: the manager did not report the quarter before, or it states shares in one quarter and principal in the other',
      { values: ['new', 'added', 'reduced', 'unchanged', 'closed'] },
    ).nullable(),
    value: usd('Value at the end of the quarter, US dollars; 0 where closed').nullable(),
    value_before: usd('Value at the end of the quarter before, US dollars').nullable(),
    amount: decimal('Shares, or principal where unit is PRN; 0 where closed', {
      unit: 'shares_or_principal',
    }).nullable(),
    amount_before: decimal('The same at the end of the quarter before', { unit: 'shares_or_principal' }).nullable(),
    unit: text('SH: shares; PRN: principal', { values: ['SH', 'PRN'] }).nullable(),
    accession: accession('The last filing that has a line of it').nullable(),
  },
  `
select q.quarter, q.before as quarter_before, h.cik, h.cusip,
  case
    when not h.is_held then 'closed'
    when not h.was_held then case when ${REPORTED('q.before')} then 'new' end
    when (h.shares is null) <> (h.shares_before is null) then null
    when h.amount > h.amount_before then 'added'
    when h.amount < h.amount_before then 'reduced'
    when h.amount = h.amount_before then 'unchanged'
  end as change,
  case when h.is_held then h.value else 0 end as value, h.value_before,
  case when h.is_held then h.amount else 0 end as amount, h.amount_before,
  case when coalesce(h.shares, case when not h.is_held then h.shares_before end) is not null then 'SH'
    when coalesce(h.amount, case when not h.is_held then h.amount_before end) is not null then 'PRN' end as unit,
  h.accession
from (
  select quarter, (date_trunc('quarter', quarter) - interval '1 day')::date as before from counted group by quarter
) q
cross join lateral (
  select *, coalesce(shares, principal) as amount, coalesce(shares_before, principal_before) as amount_before
  from (
    select c.cik, upper(l.cusip) as cusip, bool_or(l.quarter = q.quarter) as is_held, bool_or(l.quarter = q.before) as was_held,
      sum(${VALUE}) filter (where l.quarter = q.quarter) as value,
      sum(${VALUE}) filter (where l.quarter = q.before) as value_before,
      sum(l.amount) filter (where l.quarter = q.quarter and l.kind is distinct from 'PRN') as shares,
      sum(l.amount) filter (where l.quarter = q.before and l.kind is distinct from 'PRN') as shares_before,
      sum(l.amount) filter (where l.quarter = q.quarter and l.kind = 'PRN') as principal,
      sum(l.amount) filter (where l.quarter = q.before and l.kind = 'PRN') as principal_before,
      (array_agg(l.accession order by c.quarter desc, c.filed_date desc, c.seq desc))[1] as accession
    from position l
    join counted c on c.accession = l.accession and c.quarter = l.quarter and c.until is null and ${IS_OVER}
    where l.quarter = any(array[q.quarter, q.before]) and c.quarter = any(array[q.quarter, q.before])
      and l.put_call is null
      and l.cusip in (select s.cusip from security s where upper(s.cusip) = upper(l.cusip))
      and not exists (select from superseded s where s.accession = l.accession and s.cusip = upper(l.cusip))
      and not exists (select from repeated r where r.accession = l.accession and r.n = l.n)
    group by c.cik, upper(l.cusip)
  ) compared
) h
where h.is_held or ${REPORTED('q.quarter')}`,
  READ,
)

export const thirteenfSecurity = view(
  'pub.thirteenf_security',
  'One row per way in which lines name a security',
  {
    security: security.columns.security,
    sec_id: secId,
    filed: cusip('CUSIP as filed').nullable(),
    cusip: cusip('CUSIP in capitals').nullable(),
    issuer_name: security.columns.issuer_name,
    title_of_class: security.columns.title_of_class,
    figi: security.columns.figi,
  },
  `
select security, ${idOf('cusip')} as sec_id, cusip as filed, upper(cusip) as cusip, issuer_name, title_of_class, figi
from security`,
)

const { value, period } = filer.columns

export const thirteenfManager = view(
  'pub.thirteenf_manager',
  'One row per manager, with the value of its newest quarter, options included',
  { cik: filer.columns.cik, period, value },
  'select cik, period, value from filer',
  READ,
)

/** A restatement replaces the report and its additions. An amendment that adds holdings replaces nothing. */
export const thirteenfAmended = view(
  'pub.thirteenf_amended',
  'One row per report that a restatement replaces, with the restatements about the same quarter',
  amendedColumns,
  amendsSame('report', {
    same: 'a.cik = r.cik and a.period = r.period',
    amends: (filing) => `(${filing}.is_amendment and ${filing}.amendment_type = 'restatement')`,
  }),
)

export const thirteenfNamed = view(
  'pub.thirteenf_named',
  'One row per manager, with its name and place in its last filing',
  {
    ...{ cik: filer.columns.cik, name: report.columns.manager_name, city: report.columns.city },
    ...{ state: report.columns.state, file_number: report.columns.file_number, value },
  },
  `
select f.cik, r.manager_name as name, r.city, r.state, r.file_number, f.value
from filer f join report r using (accession)`,
)
