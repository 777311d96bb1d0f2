/**
 * The XBRL tags from which each of the eight figures is read, in a table that people review. To correct a figure,
 * change a line here and give the reason. Only facts under the tags named here are stored, so a new tag has facts only
 * after the next rebuild.
 *
 * The ways of a figure are tried in order, and the first way for which the period has values is used. The tags of one
 * way are names of one thing, so the latest filing decides among them. For example, `SalesRevenueNet` of 2016 was
 * reported again as `RevenueFromContractWithCustomerExcludingAssessedTax` under the new standard. Tags of different
 * ways mean different things (equity with and without other owners). So a value from a later filing never replaces the
 * value of another way.
 */

export const FIGURES = [
  'revenue',
  'net_income',
  'eps_diluted',
  'operating_cash_flow',
  'assets',
  'liabilities',
  'equity',
  'cash',
] as const
export type Figure = (typeof FIGURES)[number]

export type Taxonomy = 'us-gaap' | 'ifrs-full'

export interface Reported {
  taxonomy: Taxonomy
  /** The most specific tag comes first, because it is preferred if a filing has several of these tags. */
  names: readonly Name[]
  why: string
}

export interface Name {
  tag: string
  /** Tags that prove that this tag is only a part, if the same filing has them for the same period. */
  unless?: readonly string[]
}

/** Terms to add and subtract, all from one filing and one period. */
export interface Computed {
  taxonomy: Taxonomy
  parts: readonly Part[]
  why: string
}

export interface Part {
  sign: 1 | -1
  /** The first of these tags that the filing has is used. */
  tags: readonly string[]
  /**
   * An optional term counts as zero if the filing has no such line. If a term that is not optional is missing, the
   * figure is not computed.
   */
  optional?: true
  /**
   * A tag that already includes this part. If the filing has that tag, the part is left out: Tesla gives one line both
   * tags.
   */
  unless?: string
}

export type Way = Reported | Computed

const us = (names: readonly (string | Name)[], why: string): Reported => way('us-gaap', names, why)
const ifrs = (names: readonly (string | Name)[], why: string): Reported => way('ifrs-full', names, why)
const way = (taxonomy: Taxonomy, names: readonly (string | Name)[], why: string): Reported => ({
  taxonomy,
  names: names.map((name) => (typeof name === 'string' ? { tag: name } : name)),
  why,
})
const without = (unless: readonly string[], ...tags: string[]): Name[] => tags.map((tag) => ({ tag, unless }))
const plus = (...tags: string[]): Part => ({ sign: 1, tags })
const minus = (...tags: string[]): Part => ({ sign: -1, tags })
const lessAny = (...tags: string[]): Part => ({ sign: -1, tags, optional: true })

/** Tags that only banks have. The tag of net interest income is not one of them: Advanced Micro Devices has it too. */
const BANK = ['NoninterestIncome', 'InterestAndDividendIncomeOperating']

/** Dividends of preferred shares: the difference between net income and the income for common shares. */
const PREFERRED = [
  'PreferredStockDividendsIncomeStatementImpact',
  'PreferredStockDividendsAndOtherAdjustments',
  'DividendsPreferredStock',
]

/** Lines between liabilities and equity in a balance sheet. */
const ALL_BETWEEN = 'TemporaryEquityCarryingAmountIncludingPortionAttributableToNoncontrollingInterests'
const BETWEEN: readonly Part[] = [
  lessAny(ALL_BETWEEN),
  { ...lessAny('TemporaryEquityCarryingAmountAttributableToParent'), unless: ALL_BETWEEN },
  {
    ...lessAny(
      'RedeemableNoncontrollingInterestEquityCarryingAmount',
      'RedeemableNoncontrollingInterestEquityCommonCarryingAmount',
      'RedeemableNoncontrollingInterestEquityPreferredCarryingAmount',
    ),
    unless: ALL_BETWEEN,
  },
]

/** The ways to obtain each figure, under US GAAP and under IFRS. No filing uses both taxonomies. */
export const WAYS: Readonly<Record<Figure, readonly Way[]>> = {
  revenue: [
    us(
      ['RevenuesNetOfInterestExpense'],
      'Net revenue of banks and brokers. It comes before Revenues, because some of them use Revenues for the sum before interest expense; JPMorgan Chase reports the same amount under both',
    ),
    us(
      [
        'Revenues',
        ...without(
          [...BANK, 'PremiumsEarnedNet'],
          'RevenueFromContractWithCustomerExcludingAssessedTax',
          'RevenueFromContractWithCustomerIncludingAssessedTax',
          'SalesRevenueNet',
        ),
      ],
      'The total comes first: Walmart’s Revenues include membership fees, its revenue from contracts does not. The other tags come from the standard of 2018 (ASC 606) and from the years before it. If a bank or an insurer has no Revenues, its revenue from contracts is fees alone',
    ),
    {
      taxonomy: 'us-gaap',
      parts: [plus('InterestIncomeExpenseNet'), plus('NoninterestIncome')],
      why: 'Banks without a total: the sum of net interest income and other income is what RevenuesNetOfInterestExpense means',
    },
    {
      taxonomy: 'us-gaap',
      parts: [plus('InterestAndDividendIncomeOperating'), minus('InterestExpense'), plus('NoninterestIncome')],
      why: 'Banks that tag neither a total nor net interest income',
    },
    {
      taxonomy: 'us-gaap',
      parts: [plus('SalesRevenueGoodsNet'), plus('SalesRevenueServicesNet')],
      why: 'Goods and services before 2018, if no total is reported',
    },
    us(without(['SalesRevenueServicesNet'], 'SalesRevenueGoodsNet'), 'Sellers of goods alone, before 2018'),
    us(without(['SalesRevenueGoodsNet'], 'SalesRevenueServicesNet'), 'Sellers of services alone, before 2018'),
    us(['RegulatedAndUnregulatedOperatingRevenue', 'UtilityRevenue'], 'Utilities'),
    us(['RealEstateRevenueNet'], 'Real estate trusts before 2018'),
    us(['HealthCareOrganizationRevenue'], 'Hospitals before 2018'),
    us(['OilAndGasRevenue'], 'Producers of oil and gas before 2018'),
    us(['GrossInvestmentIncomeOperating'], 'Business development companies and funds: total investment income'),
    ifrs(
      ['Revenue'],
      'The total, of which revenue from contracts with customers may be a part, for example if there are rents',
    ),
    ifrs(['RevenueFromContractsWithCustomers'], 'Used if no other revenue is reported'),
  ],
  net_income: [
    us(['NetIncomeLoss'], 'The share of the owners of the parent'),
    us(
      without(PREFERRED, 'NetIncomeLossAvailableToCommonStockholdersBasic'),
      'Equal to net income if there are no preferred shares: Amphenol’s reports of 2010 to 2016 have net income under this tag alone',
    ),
    us(['ProfitLoss'], 'Includes non-controlling interests: used if there are none, or if nothing else is reported'),
    us(
      ['NetIncomeLossAvailableToCommonStockholdersBasic'],
      'After dividends of preferred shares, where nothing else is reported',
    ),
    ifrs(['ProfitLossAttributableToOwnersOfParent'], 'The share of the owners of the parent'),
    ifrs(['ProfitLoss'], 'Includes non-controlling interests: used if there are none, or if nothing else is reported'),
  ],
  eps_diluted: [
    us(['EarningsPerShareDiluted'], 'From continuing and discontinued operations'),
    us(
      ['EarningsPerShareBasicAndDiluted'],
      'One line for basic and diluted, of companies whose options would reduce a loss (Snowflake to 2021)',
    ),
    ifrs(['DilutedEarningsLossPerShare'], 'From continuing and discontinued operations'),
    ifrs(['BasicAndDilutedEarningsLossPerShare'], 'One line for basic and diluted'),
  ],
  operating_cash_flow: [
    us(['NetCashProvidedByUsedInOperatingActivities'], 'With discontinued operations'),
    us(
      ['NetCashProvidedByUsedInOperatingActivitiesContinuingOperations'],
      'Continuing operations alone, where no total is reported',
    ),
    ifrs(['CashFlowsFromUsedInOperatingActivities'], 'After interest and taxes'),
    ifrs(
      ['CashFlowsFromUsedInOperations'],
      'By definition before interest and taxes. Logistic Properties of the Americas uses it for the total (CIK 0001997711, 20-F for 2024: with investing, financing and exchange rates it adds up to the change of cash), so it is used if no total is reported',
    ),
  ],
  assets: [us(['Assets'], 'Total assets'), ifrs(['Assets'], 'Total assets')],
  liabilities: [
    us(['Liabilities'], 'Total liabilities'),
    {
      taxonomy: 'us-gaap',
      parts: [plus('LiabilitiesCurrent'), plus('LiabilitiesNoncurrent')],
      why: 'Current and noncurrent liabilities are reported, but no total',
    },
    {
      taxonomy: 'us-gaap',
      parts: [
        plus('LiabilitiesAndStockholdersEquity', 'Assets'),
        minus('StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest'),
        ...BETWEEN,
      ],
      why: 'Many balance sheets have no total of liabilities (Walmart, Kimberly-Clark): assets less the equity of all owners and less the lines between liabilities and equity',
    },
    {
      taxonomy: 'us-gaap',
      parts: [
        plus('LiabilitiesAndStockholdersEquity', 'Assets'),
        minus('StockholdersEquity', 'PartnersCapital', 'MembersEquity'),
        lessAny('MinorityInterest'),
        ...BETWEEN,
      ],
      why: 'The same if equity has a single line (Advanced Micro Devices)',
    },
    ifrs(['Liabilities'], 'Total liabilities'),
    {
      taxonomy: 'ifrs-full',
      parts: [plus('Assets'), minus('Equity')],
      why: 'Balance sheets without a total of liabilities',
    },
  ],
  equity: [
    us(['StockholdersEquity'], 'The share of the owners of the parent'),
    us(
      ['StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest'],
      'With non-controlling interests, if it is the only total (Procter & Gamble)',
    ),
    us(['PartnersCapital', 'MembersEquity'], 'Partnerships and limited liability companies'),
    us(['AssetsNet'], 'Funds'),
    ifrs(['EquityAttributableToOwnersOfParent'], 'The share of the owners of the parent'),
    ifrs(['Equity'], 'Includes non-controlling interests: used if there are none, or if nothing else is reported'),
  ],
  cash: [
    us(['CashAndCashEquivalentsAtCarryingValue'], 'The line of the balance sheet, without restricted cash'),
    us(
      [
        'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents',
        'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsIncludingDisposalGroupAndDiscontinuedOperations',
      ],
      'With restricted cash: the last line of the cash flow statement, where the balance sheet has no such line (JPMorgan Chase since 2019: cash, and deposits with banks)',
    ),
    us(['CashAndDueFromBanks'], 'Banks: without deposits at other banks'),
    us(['Cash'], 'Cash without equivalents, where nothing else is reported'),
    ifrs(['CashAndCashEquivalents'], 'The line of the balance sheet'),
  ],
}

/** Figures of a single day, as in a balance sheet, and not of a period. */
export const ofDay: ReadonlySet<Figure> = new Set(['assets', 'liabilities', 'equity', 'cash'])

/** Returns all tags that a way reads. */
export const tagsOf = (way: Way): readonly string[] =>
  'parts' in way ? way.parts.flatMap(({ tags }) => tags) : way.names.flatMap(({ tag, unless = [] }) => [tag, ...unless])

/** Taxonomy and tag of every fact that is stored. */
export const STORED: ReadonlySet<string> = new Set([
  ...Object.values(WAYS).flatMap((ways) => ways.flatMap((way) => tagsOf(way).map((tag) => `${way.taxonomy}:${tag}`))),
  'dei:EntityCommonStockSharesOutstanding',
])
