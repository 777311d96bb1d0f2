/** The shape of a source of numbers for the search: every dataset whose rows have such numbers publishes such a view. */
import { accession, count, date, text } from '../../declare/table.ts'
import { view } from '../../declare/view.ts'

const codeColumns = {
  part: count(
    'Place in which filings state the number, from 0: for example 0 for the issuer and 1 for the intermediary. Each place has its own newest filing',
  ),
  code: text('Number, as filed'),
  what: text('Kind of number', { values: ['file_number', 'lei'] }),
  kind: text(
    'Kind of the thing that the number leads to: company, fund, money_market_fund, broker, portal; null if it leads only to the filing',
  ).nullable(),
  key: text('Key of this thing: CIK or series').nullable(),
  accession: accession('The filing that states the number; joins edgar.filing'),
  filed_date: date('Date the SEC gives as the filing date'),
}

interface NumberedRows {
  what: 'file_number' | 'lei'
  /** SELECT with the columns code, owner (a CIK or a series, or null), accession and filed_date. */
  rows: string
  /** Kinds that the owner may be; the search shows those that exist. */
  owners?: readonly ('company' | 'fund' | 'money_market_fund' | 'broker' | 'portal')[]
}

/**
 * Declares such a view. The view does not choose the newest filing of each number: then PostgreSQL could not apply
 * conditions on accession and key before the choice, and the search would read more than a load has changed.
 *
 * @param name `pub.<slug>_code`
 */
export const codeView = (name: `pub.${string}_code`, ...parts: readonly NumberedRows[]) =>
  view(
    name,
    'One row per filing, number that it states, and thing that the number leads to, for the search',
    codeColumns,
    codesOf(...parts),
  )

const codesOf = (...parts: readonly NumberedRows[]): string =>
  parts
    .map(
      ({ what, rows, owners = ['company'] }, part) => `
select ${part} as part, r.code, '${what}'::text as what, case when r.owner is not null then t.kind end as kind, r.owner as key,
  r.accession, r.filed_date
from (${rows}) r cross join (values ${owners.map((kind) => `('${kind}')`).join(', ')}) t (kind)
where r.code is not null`,
    )
    .join('\nunion all')
