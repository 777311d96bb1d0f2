/**
 * A person's reading of real Forms 3, 4, 5 and 144: by corpus file and table, all rows in order, with some columns of
 * each.
 */
type Truth = Record<string, Record<string, readonly Record<string, unknown>[]>>

const DATA = 'sec/Archives/edgar/data'

export const REPORTS: Truth = {
  [`${DATA}/1218363/0001127602-19-027011.txt`]: {
    report: [{ issuer_cik: '0000050863', ticker: 'INTC', owner_ciks: ['0001218363'], period: '2019-08-15' }],
    owner: [{ name: 'SWAN ROBERT HOLMES', is_director: true, is_officer: true, officer_title: 'CEO' }],
    security: [
      { code: 'M', shares: '2731', price: null, acquired_disposed: 'A', shares_after: '159392', footnote_refs: [{ column: 'price', ids: ['F1'] }] },
      { code: 'F', shares: '1355', price: '45.81', acquired_disposed: 'D', shares_after: '158037', footnote_refs: [] },
      { is_holding: true, code: null, shares_after: '3364', ownership: 'I', nature: 'By Family Trust' },
    ],
    derivative: [
      { security_title: 'Restricted Stock Units', exercise_price: null, exercise_date: '2018-11-15', expiration_date: null, shares_after: '21852' },
      { security_title: 'Phantom Stock Units', price: '45.7', underlying_shares: '113.968', shares_after: '17583.275' },
    ],
  },
  [`${DATA}/19446/0000019446-06-000081.txt`]: {
    report: [{ schema_version: 'X0202', issuer_name: 'CANTEL MEDICAL CORP', ticker: 'CMN', period: '2006-10-18', plan_10b5_1: null, remarks: null }],
    owner: [{ cik: '0001244403', name: 'DORNBUSH DARWIN C', city: 'NEW YORK', is_director: true, is_officer: false }],
    security: [],
    derivative: [
      { security_title: 'Option (Right to Buy)', exercise_price: '9.97', code: 'M', shares: '1125', price: '0', acquired_disposed: 'D', exercise_date: '2001-10-31', expiration_date: '2006-10-31', shares_after: '0', ownership: 'D', nature: null },
    ],
    footnote: [],
    signature: [{ signature: '/s/ Darwin C. Dornbush', signed: '2006-10-19' }],
  },
  [`${DATA}/1730514/0001127602-21-024882.txt`]: {
    report: [{ submission_type: '3', issuer_cik: '0000050863', period: '2021-09-01', no_securities_owned: false }],
    owner: [{ cik: '0001730514', name: 'Goldsmith Andrea Jo', is_director: true, is_officer: false, is_ten_percent_owner: false }],
    security: [{ is_holding: true, security_title: 'Common Stock', shares_after: '0', ownership: 'D', shares: null }],
    derivative: [],
    signature: [{ signature: '/s/ Alex Shukhman, attorney-in-fact', signed: '2021-09-03' }],
  },
  [`${DATA}/1767094/0000320193-19-000029.txt`]: {
    report: [{ submission_type: '3', issuer_cik: '0000320193', ticker: 'AAPL', period: '2019-02-05' }],
    owner: [{ name: "O'BRIEN DEIRDRE", is_officer: true, officer_title: 'Senior Vice President', other_relationship: null }],
    security: [{ is_holding: true, shares_after: '137913', ownership: 'D' }],
    derivative: ['14668', '27629', '33441', '33225'].map((underlying_shares) => ({
      is_holding: true,
      security_title: 'Restricted Stock Unit',
      exercise_price: null,
      underlying_shares,
      shares_after: null,
    })),
  },
  [`${DATA}/886982/0000769993-14-000090.txt`]: {
    // In this document, days are written with a time zone: 2014-02-03-05:00.
    report: [{ issuer_cik: '0000886982', ticker: 'GS', period: '2014-02-03', not_subject_to_section_16: false }],
    owner: [{ name: 'GEORGE WILLIAM W', is_director: true }],
    security: [
      { code: 'M', shares: '5000', price: '154.16', transaction_date: '2014-02-03', shares_after: '37400', footnote_refs: [{ column: 'code', ids: ['F1'] }] },
      { code: 'S', shares: '4770', price: '161.654', acquired_disposed: 'D', shares_after: '32630', footnote_refs: [{ column: 'price', ids: ['F2'] }] },
    ],
    derivative: [{ exercise_price: '154.16', shares: '5000', exercise_date: null, expiration_date: '2014-02-05', shares_after: '0' }],
  },
  [`${DATA}/47217/0001179706-14-000057.txt`]: {
    report: [{ issuer_name: 'HEWLETT PACKARD CO', ticker: 'HPQ', period: '2014-04-22' }],
    owner: [{ cik: '0001160077', name: 'Andreessen Marc L', city: 'PALO ALTO', is_director: true }],
    // In this document the holding comes before the transaction.
    security: [
      { line: 1, is_holding: true, shares_after: '14472', ownership: 'D', footnote_refs: [{ column: 'shares_after', ids: ['F1'] }] },
      { line: 2, is_holding: false, code: 'M', shares: '14273.9165', price: '0', shares_after: '26032.6435', ownership: 'I', nature: 'By Merrill Lynch', footnote_refs: [{ column: 'price', ids: ['F2'] }, { column: 'nature', ids: ['F2'] }] },
    ],
  },
  [`${DATA}/1136554/0001209191-20-061181.txt`]: {
    report: [{ issuer_cik: '0001757898', issuer_name: 'STERIS plc', ticker: 'STE', period: '2020-12-01' }],
    owner: [{ name: 'LEWIS DAVID B', street2: null, city: 'DUBLIN', state: 'L2', state_description: 'IRELAND' }],
    security: [
      { security_title: 'Ordinary Shares', code: 'M', shares: '1560', price: '31.61', acquired_disposed: 'A', shares_after: '8244', timeliness: null },
      { code: 'S', shares: '1560', price: '193.79', acquired_disposed: 'D', shares_after: '6684', footnote_refs: [{ column: 'price', ids: ['F1'] }] },
    ],
    derivative: [{ security_title: 'Employee Stock Option (right to buy)', exercise_price: '31.61', code: 'M' }],
  },
  [`${DATA}/1658470/0001127602-20-002163.txt`]: {
    report: [{ submission_type: '3', period: '2020-01-15', schema_version: 'X0206', no_securities_owned: false }],
    owner: [{ cik: '0001658470', name: 'Henry Alyssa', is_director: true }],
    security: [{ is_holding: true, shares_after: '0', ownership: 'D', footnote_refs: [] }],
    derivative: [],
    footnote: [],
    signature: [{ signature: '/s/ Brian Petirs, attorney-in-fact', signed: '2020-01-22' }],
  },
  'documents/4_A/0000080424-26-000034_0000080424-26-000034.xml': {
    report: [{ submission_type: '4/A', is_amendment: true, original_date: '2026-03-11', ticker: 'PG', foreign_ticker: null, plan_10b5_1: false }],
    owner: [{ cik: '0001973769', name: 'Portman Robert Jones', is_director: true }],
    security: [{ code: 'A', shares: '49', price: '0', shares_after: '5065.7148', footnote_refs: [{ column: 'shares', ids: ['F1'] }] }],
    signature: [{ signed: '2026-03-19' }],
  },
} // biome-ignore format: one row per line

export const NOTICES: Truth = {
  'documents/form144/1823951_sample_form_144/sample_form_144.xml': {
    notice: [{ seller_cik: '0001823951', issuer_cik: '0001321655', seller_name: 'ALEXANDER KARP', relationships: ['Director', 'Officer'], no_past_sales: true, notice_date: '2026-02-20' }],
    sale: [{ units: '90000', market_value: '12140100', units_outstanding: '2291470751', sale_date: '2026-02-20', exchange: 'NASDAQ', broker_street2: '8th Floor' }],
    acquisition: [{ acquired: '2026-02-20', nature: 'Restricted Stock Units', is_gift: false, units: '90000', payment: null }],
    past_sale: [],
    plan: [{ adopted: '2025-11-21' }],
  },
} // biome-ignore format: one row per line
