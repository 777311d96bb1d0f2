import { detailOf, facts, filings, rowsIn } from '../../serve/details.ts'
import { rowsOf } from '../../serve/lists.ts'
import { other, row } from './answers.ts'
import { acquisition, notice, past_sale, plan, sale } from './tables.ts'
import { form144Amended } from './views.ts'

/** Answers give amounts as strings, so that no amount is rounded. */
export const rows = rowsOf({
  of: notice,
  row,
  shown: {
    sales: (sql) => sql`
      (select coalesce(jsonb_agg(jsonb_build_object('security_class', s.security_class, 'units', s.units::text,
        'market_value', s.market_value::text, 'sale_date', s.sale_date, 'exchange', s.exchange) order by s.position), '[]')
      from form144.sale s where s.accession = t.accession)`,
  },
  amended: form144Amended,
})

const others = rowsOf({ of: notice, row: other, amended: form144Amended })

export const detail = detailOf(notice, 'Form144Detail', {
  filing: facts(notice, { id: 'Form144Notice', amended: form144Amended }),
  sales: rowsIn(sale, { id: 'Form144Sale', says: 'What is to be sold (Item 3)' }),
  acquisitions: rowsIn(acquisition, { id: 'Form144Acquisition', says: 'How the securities were acquired (Table I)' }),
  past_sales: rowsIn(past_sale, { id: 'Form144PastSale', says: 'Sales of the past three months (Table II)' }),
  plans: rowsIn(plan, {
    id: 'Form144Plan',
    says: 'Plans or instructions under Rule 10b5-1 under which the securities are to be sold',
  }),
  amended_by: filings(others, {
    amending: true,
    says: 'Notices that amend this notice, directly or through another amendment, newest first',
  }),
  other_filings: filings(others, {
    same: 'issuer_cik',
    says: 'Up to 200 other notices about the same issuer, newest first; only notices that were read',
  }),
})
