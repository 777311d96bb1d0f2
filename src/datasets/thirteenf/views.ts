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

const secId = text(
  'Id of the security: the CUSIP in capitals; null for placeholders and texts other than nine letters and digits',
  {
    entity: 'cusip',
  },
).nullable()

/**
 * Excludes periods that end after the filing date: such a period is a slip of the filer. The lines are still shown with
 * their filing, but not as holdings at the end of a quarter.
 */
const IS_OVER = 'c.period <= c.filed_date'

const READ = { families: { thirteenf: 'reports of institutional managers (13F)' } }

export const thirteenfComposed = view(
  'pub.thirteenf_composed',
  'One row per filing whose lines are, or were until a later filing replaced them, part of the composed holdings of a manager at the end of a quarter',
  counted.columns,
  `select accession, cik, period, quarter, part, seq, until, is_newest, filed_date, manager_name, scale, stored from counted c where ${IS_OVER}`,
  READ,
)

const { until: _, scale: __, stored: ___, ...counts } = counted.columns

export const thirteenfCounted = view(
  'pub.thirteenf_counted',
  'One row per filing whose lines are part of the composed holdings of a manager at the end of a quarter, with all known amendments applied',
  counts,
  `select accession, cik, period, quarter, part, seq, is_newest, filed_date, manager_name from counted c where until is null and ${IS_OVER}`,
  READ,
)

const { quarter, amount, kind, put_call, n } = position.columns

const lineColumns = {
  accession: accession('The filing; joins edgar.filing'),
  n,
  quarter,
  cik: cik('CIK of the manager'),
  cusip: cusip('CUSIP as filed').nullable(),
  sec_id: secId,
  security: position.columns.security,
  value: usd('Value; corrected if prices of other managers decided another scale than the stored one').nullable(),
  ...{ amount, kind, put_call },
  period: date('Last day of the reported quarter, as filed'),
  is_newest: boolean('True if it is the newest quarter that the manager reported'),
  filed_date: counted.columns.filed_date,
  seq: counted.columns.seq,
}

/** Value of a line `l` at the scale of its filing `c`. */
const VALUE = 'case when c.scale = c.stored then l.value else trunc(l.value::numeric / c.stored * c.scale) end'

const LINE = `l.accession, l.n, l.quarter, c.cik, l.cusip, ${idOf('l.cusip')} as sec_id, l.security, ${VALUE} as value,
  l.amount, l.kind, l.put_call, c.period, c.is_newest, c.filed_date, c.seq`

export const thirteenfHolding = view(
  'pub.thirteenf_holding',
  'One row per line of the composed holdings of a manager at the end of a quarter. Left out are lines of replaced filings, lines whose CUSIP a later partial restatement has, and lines that an amendment of new holdings repeats. Options and principal are separate lines',
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
  'One row per line that is, or was until a later filing replaced it, part of the holdings of a manager. The holdings known on a day are the lines that were filed by that day (filed_date) and were not yet replaced (until)',
  {
    ...lineColumns,
    until: date('Filing date of the later filing that replaced the line; null if none did').nullable(),
  },
  `
select ${LINE}, least(c.until, s.until, r.until) as until
from position l
join counted c on c.accession = l.accession and c.quarter = l.quarter and ${IS_OVER}
left join superseded s on s.accession = l.accession and s.cusip = upper(l.cusip)
left join repeated r on r.accession = l.accession and r.n = l.n`,
  READ,
)

/** SQL that is true if the manager reported all its holdings of a quarter, so that it held no other securities. */
const REPORTED = (quarter: string) => `exists (
      select from counted c
      where c.cik = h.cik and c.quarter = ${quarter} and c.part = 'whole' and c.until is null and ${IS_OVER})`

/**
 * One scan of both quarters gives all changes, without a join of a row with the row of the quarter before. A position
 * whose CUSIP is filed in capitals and later in small letters is one position. Conditions on quarter, cusip and cik
 * pass through the `group by` to the indexes: `security` has the spellings of a CUSIP, by which `position` is looked
 * up. For each quarter only two partitions are read: `l.quarter = any(array[…])` chooses them while the query runs.
 * Like `/adv/securities/{cusip}/holders`, the view leaves out options, and compares only quarters about which the
 * manager has reported everything.
 */
export const thirteenfHoldingChange = view(
  'pub.thirteenf_holding_change',
  'One row per manager, security and quarter: the position at the end of the quarter and of the preceding quarter, without options. Filter by quarter, and by cusip or cik or both, for which there are indexes. cik joins edgar.filer, accession pub.thirteenf_holding, and cusip the sec_id of pub.thirteenf_holding',
  {
    quarter: date('Last day of the quarter'),
    quarter_before: date('Last day of the preceding quarter'),
    cik: cik('CIK of the manager; joins edgar.filer'),
    cusip: cusip('CUSIP in capitals'),
    change: text(
      'Change since the preceding quarter. Null if it is unknown: the manager did not report the preceding quarter as a whole, an amount is missing, or it states shares in one quarter and principal in the other',
      { values: ['new', 'added', 'reduced', 'unchanged', 'closed'] },
    ).nullable(),
    value: usd('Value at the end of the quarter; 0 if the position was closed').nullable(),
    value_before: usd('Value at the end of the preceding quarter; null without a position').nullable(),
    amount: decimal(
      'Number of shares, or principal amount if unit is PRN, at the end of the quarter; 0 if the position was closed',
      {
        unit: 'shares_or_principal',
      },
    ).nullable(),
    amount_before: decimal(
      'Number of shares or principal amount at the end of the preceding quarter; null without a position',
      { unit: 'shares_or_principal' },
    ).nullable(),
    unit: text('Unit of the amounts: SH shares, PRN principal', { values: ['SH', 'PRN'] }).nullable(),
    accession: accession('The newest filing with a line of this position').nullable(),
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
  'One row per different combination of CUSIP, issuer name, title and FIGI in lines',
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
  'One row per manager, with the value of the holdings of its newest quarter, options included',
  { cik: filer.columns.cik, period, value },
  'select cik, period, value from filer',
  READ,
)

/** A restatement replaces the report and its additions. An amendment that adds holdings replaces nothing. */
export const thirteenfAmended = view(
  'pub.thirteenf_amended',
  'One row per report that a restatement replaced, with the restatements about the same quarter',
  amendedColumns,
  amendsSame('report', {
    same: 'a.cik = r.cik and a.period = r.period',
    amends: (filing) => `(${filing}.is_amendment and ${filing}.amendment_type = 'restatement')`,
  }),
)

export const thirteenfNamed = view(
  'pub.thirteenf_named',
  'One row per manager, with name and address from its last filing',
  {
    ...{ cik: filer.columns.cik, name: report.columns.manager_name, city: report.columns.city },
    ...{ state: report.columns.state, file_number: report.columns.file_number, value },
  },
  `
select f.cik, r.manager_name as name, r.city, r.state, r.file_number, f.value
from filer f join report r using (accession)`,
)
