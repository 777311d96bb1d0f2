import type { Rows } from '../../declare/table.ts'
import type { Element } from '../../read/xml.ts'
import { named } from './parse-values.ts'
import type * as tables from './tables.ts'

/**
 * For each service, the elements of its name and of its fees. The elements of a 1-A come first, then those of a 1-K or
 * 1-Z.
 */
const SERVICES = Object.entries({
  underwriter: ['underwritersServiceProviderName', 'underwritersFees', 'underwrittenSpName', 'underwriterFees'],
  sales_commission: [
    'salesCommissionsServiceProviderName',
    'salesCommissionsServiceProviderFees',
    'salesCommissionsSpName',
    'salesCommissionsFee',
  ],
  finder: ['findersFeesServiceProviderName', 'finderFeesFee', 'findersSpName', 'findersFees'],
  audit: ['auditorServiceProviderName', 'auditorFees', 'auditorSpName', 'auditorFees'],
  legal: ['legalServiceProviderName', 'legalFees', 'legalSpName', 'legalFees'],
  promoter: ['promotersServiceProviderName', 'promotersFees', 'promoterSpName', 'promotersFees'],
  blue_sky: ['blueSkyServiceProviderName', 'blueSkyFees', 'blueSkySpName', 'blueSkyFees'],
} as const).map(([role, [name, fee, reportedName, reportedFee]]) => ({ role, name, fee, reportedName, reportedFee }))

/**
 * Yields rows of the services that one offering names or pays.
 *
 * @param element the offering's summary
 * @param sale position of the offering among the offerings of the filing
 */
export function* services(element: Element, sale: number): Rows<typeof tables> {
  for (const { role, name, fee, reportedName, reportedFee } of SERVICES) {
    const names = element.texts(name, reportedName).filter((text) => named(text) !== null)
    const paid = element.money(fee) ?? element.money(reportedFee)
    if (names.length > 0 || paid !== null) yield ['service', { sale, role, names, fee: paid }]
  }
}
