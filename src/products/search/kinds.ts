/** The kinds of things that the search finds, in the order in which equal matches are shown. */
export const KINDS = [
  'filing',
  'form',
  'company',
  'adviser',
  'fund',
  'money_market_fund',
  'private_company',
  'security',
  'manager',
  'broker',
  'portal',
  'insider',
  'representative',
] as const

export type Kind = (typeof KINDS)[number]

/** Kinds that are roles of a filer, the most specific first. A filer with a ticker is shown as a company. */
export const ROLES = ['broker', 'portal', 'manager', 'insider'] as const satisfies readonly Kind[]

/** Kinds whose names the product stores itself; filers, companies and advisers have tables of names already. */
export const STORED = [
  ...ROLES,
  'fund',
  'money_market_fund',
  'security',
  'private_company',
  'representative',
] as const satisfies readonly Kind[]

/** Ids of rows of `search.entity`: a kind and the key of a thing of that kind. */
export const entityId = (kind: Kind, key: string) => `${kind} ${key}`

/** The part of a thing that the typed text matches. */
export const MATCHED = [
  ...([
    'accession',
    'form',
    'cik',
    'crd',
    'file_number',
    'series',
    'class',
    'cusip',
    'isin',
    'figi',
    'lei',
    'company_id',
  ] as const),
  ...(['ticker', 'former_ticker', 'name', 'other_name', 'former_name'] as const),
] as const

/** A thing that was found, before its row is looked up. */
export interface Hit {
  kind: Kind
  key: string
  matched: (typeof MATCHED)[number]
}
