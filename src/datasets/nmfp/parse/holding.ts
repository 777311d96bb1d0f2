/** Reads portfolio securities of N-MFP1, N-MFP2 and N-MFP3, Part C. */
import { cusipFlag, securityId } from '../../../read/securityid.ts'
import type { Element } from '../../../read/xml.ts'
import { maturity, type Row, textAt } from './values.ts'

/** Yields the rows of one security, the n-th of the filing. */
export function* security(of: Element, n: number): Generator<Row> {
  yield ['holding', holding(of, n)]
  for (const [at, each] of of.filled('repurchaseAgreement/collateralIssuers').entries()) {
    yield ['collateral', collateral(each, n, at + 1)]
  }
  yield* supported(of, n)
}

function holding(of: Element, n: number) {
  const repo = of.maybe('repurchaseAgreement')
  const numbers = {
    cusip: textAt(of, 'CUSIPMember'),
    isin: textAt(of, 'ISINId'),
    issuer_name: textAt(of, 'nameOfIssuer'),
    title: textAt(of, 'titleOfIssuer'),
  }
  return {
    n,
    ...idOf(numbers),
    lei: textAt(of, 'LEIID'),
    cik: of.cik('cik'),
    rssd: textAt(of, 'RSSDID'),
    other_id: textAt(of, 'otherUniqueId'),
    category: textAt(of, 'investmentCategory'),
    description: textAt(of, 'briefDescription'),
    coupon: textAt(of, 'coupon'),
    is_look_through: of.flag('fundAcqstnUndrlyngSecurityFlag'),
    repo_open: repo?.flag('repurchaseAgreementOpenFlag') ?? null,
    repo_cleared: repo?.flag('repurchaseAgreementClearedFlag') ?? null,
    repo_ccp: repo && textAt(repo, 'nameOfCCP'),
    repo_triparty: repo?.flag('repurchaseAgreementTripartyFlag') ?? null,
    is_eligible: of.flag('securityEligibilityFlag'),
    tier: textAt(of, 'securityRated'),
    maturity: of.date('investmentMaturityDateWAM'),
    life_maturity: of.date('investmentMaturityDateWAL'),
    final_maturity: of.date('finalLegalInvestmentMaturityDate'),
    has_demand_feature: of.flag('securityDemandFeatureFlag'),
    has_guarantee: of.flag('securityGuaranteeFlag'),
    has_enhancement: of.flag('securityEnhancementsFlag'),
    principal: null,
    amortized_cost: null,
    yield: of.money('yieldOfTheSecurityAsOfReportingDate'),
    value: of.money('includingValueOfAnySponsorSupport'),
    value_unsupported: of.money('excludingValueOfAnySponsorSupport'),
    net_assets_ratio: of.money('percentageOfMoneyMarketFundNetAssets'),
    is_level3: of.flag('securityCategorizedAtLevel3Flag'),
    is_daily_liquid: of.flag('dailyLiquidAssetSecurityFlag'),
    is_weekly_liquid: of.flag('weeklyLiquidAssetSecurityFlag'),
    is_illiquid: of.flag('illiquidSecurityFlag'),
    explanatory_notes: textAt(of, 'explanatoryNotes'),
  }
}

interface Numbers {
  cusip: string | null
  isin: string | null
  issuer_name: string | null
  title: string | null
}

/** Adds the identifier of a security, and the flag of its CUSIP. */
export const idOf = (of: Numbers) => ({
  ...of,
  sec_id: securityId({ cusip: of.cusip, isin: of.isin, name: of.issuer_name, title: of.title }),
  cusip_flag: cusipFlag(of.cusip),
})

const collateral = (of: Element, n: number, position: number) => ({
  n,
  position,
  issuer_name: textAt(of, 'nameOfCollateralIssuer'),
  lei: textAt(of, 'LEIID'),
  cusip: textAt(of, 'CUSIPMember'),
  maturity: maturity(of, 'maturityDate/date') ?? maturity(of, 'maturityDate/dateRange/from'),
  maturity_to: maturity(of, 'maturityDate/dateRange/to'),
  coupon: textAt(of, 'couponOrYield') ?? textAt(of, 'coupon'),
  yield: textAt(of, 'yield'),
  principal: of.money('principalAmountToTheNearestCent'),
  value: of.money('valueOfCollateralToTheNearestCent'),
  category: textAt(of, 'ctgryInvestmentsRprsntsCollateral'),
  description: textAt(of, 'otherInstrumentBriefDesc'),
})

/**
 * Kinds of support in N-MFP1 and later. Each has the paths of the support's elements, of the firm's name, of the part
 * that the firm supports, and of the firm's ratings.
 */
const SUPPORTS = [
  {
    kind: 'demand_feature',
    path: 'demandFeature',
    name: 'identityOfDemandFeatureIssuer',
    part: 'amountProvidedByDemandFeatureIssuer',
    ratings: ['designatedNRSRODemandFeature', 'demandFeatureRatingOrNRSRO'],
  },
  {
    kind: 'guarantee',
    path: 'guarantor',
    name: 'identityOfTheGuarantor',
    part: 'amountProvidedByGuarantor',
    ratings: ['designatedNRSROGuarantor', 'guarantorRatingOrNRSRO'],
  },
  {
    kind: 'enhancement',
    path: 'enhancementProvider',
    name: 'identityOfTheEnhancementProvider',
    part: 'amountProvidedByEnhancement',
    ratings: ['designatedNRSROEnhancement', 'enhancementRatingOrNRSRO'],
  },
] as const

/** N-MFP1, N-MFP2 and N-MFP3 name the ratings of the security itself differently. */
const OWN_RATINGS = ['designatedNrsro', 'NRSRO', 'assigningNRSRORating'] as const

function* supported(of: Element, n: number): Generator<Row> {
  const ratings: (readonly [of: number | null, element: Element])[] = ratingsOf(of, OWN_RATINGS).map((one) => [
    null,
    one,
  ])
  let position = 0
  for (const { kind, path, name, part, ratings: paths } of SUPPORTS) {
    for (const each of of.filled(path)) {
      position++
      yield [
        'support',
        {
          n,
          position,
          kind,
          name: textAt(each, name),
          ratio: each.money(part),
          type: textAt(each, 'typeOfEnhancement'),
          remaining: each.count('remainingPeriodDemandFeature'),
          is_conditional: each.flag('demandFeatureConditionalFlag'),
        },
      ]
      const at = position
      ratings.push(...ratingsOf(each, paths).map((one) => [at, one] as const))
    }
  }
  for (const [at, [support, each]] of ratings.entries()) {
    const agency = textAt(each, 'nameOfDesignatedNRSRO') ?? textAt(each, 'nameOfNRSRO')
    const rating = textAt(each, 'creditRatingDesignatedNRSRO') ?? textAt(each, 'rating')
    yield ['rating', { n, position: at + 1, support, agency, rating }]
  }
}

const ratingsOf = (of: Element, paths: readonly string[]): Element[] => paths.flatMap((path) => of.filled(path))
