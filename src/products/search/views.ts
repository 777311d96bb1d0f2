/** The shape of a source of numbers for the search: every dataset whose rows have such numbers publishes such a view. */
import { text } from '../../declare/table.ts'
import { view } from '../../declare/view.ts'

const codeColumns = {
  code: text('Number, as filed'),
  what: text('Kind of number', { values: ['file_number', 'lei'] }),
  kind: text('Kind of the thing that the number leads to: company, fund, money_market_fund, broker, portal, filing'),
  key: text('Key of this thing: CIK, series or accession'),
}

interface NumberedRows {
  what: 'file_number' | 'lei'
  /** SELECT with the columns code, owner (a CIK or a series, or null), accession and filed_date. */
  rows: string
  /** Kinds that the owner may be; the search shows those that exist. */
  owners?: readonly ('company' | 'fund' | 'money_market_fund' | 'broker' | 'portal')[]
}

/** Declares such a view. @param name `pub.<slug>_code` */
export const codeView = (name: `pub.${string}_code`, ...parts: readonly NumberedRows[]) =>
  view(
    name,
    'One row per number that filings state, and thing that the number leads to, for the search',
    codeColumns,
    codesOf(...parts),
  )

/**
 * SQL of such a view: each identifier leads to its owner, and to the newest filing that states the identifier and the
 * owner.
 */
const codesOf = (...parts: readonly NumberedRows[]): string =>
  parts
    .map(
      ({ what, rows, owners = ['company'] }) => `
select n.code, '${what}'::text as what, t.kind, t.key
from (
  select distinct on (code, owner) code, owner, accession from (${rows}) r where code is not null
  order by code, owner, filed_date desc, accession desc
) n cross join lateral (values ${owners.map((kind) => `('${kind}', n.owner)`).join(', ')}, ('filing', n.accession)) t (kind, key)
where t.key is not null`,
    )
    .join('\nunion')
