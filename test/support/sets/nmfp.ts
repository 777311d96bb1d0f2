/** Writes Forms N-MFP as lines of the SEC's data sets, for tests. */
import { branchesOf } from '../../../src/datasets/nmfp/sets/map.ts'
import type { Element } from '../../../src/read/xml.ts'
import { type Line, setDay, Written, write } from './written.ts'

/** Columns of ratings in each generation: ratings of the security, and of the firms that support it. */
const RATED: readonly (readonly [type: string, firms: string, identity: string, ratings: readonly string[]])[] = [
  ['SECURITY', '', '', ['designatedNrsro', 'NRSRO', 'assigningNRSRORating', 'designatedNRSROList/designatedNRSRO']],
  [
    'DEMANDFEATURE',
    'demandFeature',
    'identityOfDemandFeatureIssuer',
    ['designatedNRSRODemandFeature', 'demandFeatureRatingOrNRSRO'],
  ],
  ['GUARANTOR', 'guarantor', 'identityOfTheGuarantor', ['designatedNRSROGuarantor', 'guarantorRatingOrNRSRO']],
  [
    'ENHANCEMENT',
    'enhancementProvider',
    'identityOfTheEnhancementProvider',
    ['designatedNRSROEnhancement', 'enhancementRatingOrNRSRO'],
  ],
  [
    'DEMANDFEATURE',
    'demandFeatureIssuerList/demandFeatureIssuer',
    'InvestmentIssuer',
    ['NRSRORatingList/NRSROSRating'],
  ],
  ['GUARANTOR', 'guarantorList/guarantor', 'O', ['NRSRORatingList/NRSRORating']],
  [
    'ENHANCEMENT',
    'enhancementsList/enhancement',
    'enhancementProviderList/Provider/enhancementProvider',
    ['enhancementProviderList/Provider/NRSRORatingList/NRSRORating'],
  ],
]

const ratings = (written: Written, accession: string) => (of: Element, line: Line) => {
  for (const [type, firms, identity, paths] of RATED) {
    for (const firm of firms === '' ? [of] : of.all(firms)) {
      for (const one of paths.flatMap((path) => firm.all(path))) {
        const [agency] = one.texts('nameOfDesignatedNRSRO', 'nameOfNRSRO', 'RAN')
        const [rating] = one.texts('creditRatingDesignatedNRSRO', 'rating', 'R')
        written.add('NMFP_NRSRO', {
          ACCESSION_NUMBER: accession,
          SECURITY_ID: line.SECURITY_ID!,
          TYPE: type,
          IDENTITY: identity === '' ? '' : (firm.text(identity) ?? ''),
          NAMEOFNRSRO: agency ?? '',
          RATING: rating ?? '',
        })
      }
    }
  }
}

/** The lines of one document. */
export function linesOf(document: Element, accession: string, form: string, filed: string): Written {
  const written = new Written()
  const branches = branchesOf(form)
  write(
    written,
    document,
    branches,
    { ACCESSION_NUMBER: accession },
    {
      NMFP_SUBMISSION: (_, line) => Object.assign(line, { FILING_DATE: setDay(filed) }),
      NMFP_SCHPORTFOLIOSECURITIES: ratings(written, accession),
      // It is unknown how a set separates several categories.
      NMFP_SERIESLEVELINFO(of, line) {
        const several = of.texts('moneyMarketFundCategory')
        if (several.length > 1) line.MONEYMARKETFUNDCATEGORY = several.join(', ')
      },
      NMFP_ADMINISTRATOR(of, line) {
        const name = of.text()
        if (name !== null) line.ADMINISTRATORNAME = name
      },
    },
  )
  return written
}
