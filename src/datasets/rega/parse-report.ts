/** Reads Forms 1-K and 1-Z: proceeds of ended offerings, classes that end reporting, signatures. */

import type { Rows } from '../../declare/table.ts'
import type { Element } from '../../read/xml.ts'
import { services } from './parse-services.ts'
import { named, sum } from './parse-values.ts'
import type * as tables from './tables.ts'

/**
 * Yields the rows of `formData` that only a report has, and no offering statement. `reported` has the sales of the
 * report.
 */
export function* report(form: Element, reported: readonly Sale[]): Rows<typeof tables> {
  for (const [position, { element, row }] of reported.entries()) {
    yield ['sale', { ...row, position }]
    yield* services(element, position)
  }
  for (const [position, element] of form.filled('certificationSuspension').entries()) {
    yield [
      'suspension',
      {
        position,
        title: named(element.text('securitiesClassTitle')),
        file_numbers: element.texts('certificationFileNumber'),
        record_holders: element.bigint('approxRecordHolders'),
      },
    ]
  }
  for (const [position, element] of form.filled('signatureTab').entries()) {
    // This element repeats the issuer's name, in the certification above the signature.
    element.ignore('regulationIssuerName2')
    yield [
      'signature',
      {
        position,
        cik: element.cik('cik'),
        issuer_name: element.text('regulationIssuerName1'),
        signature: element.text('signatureBy'),
        title: element.text('title'),
        signed: element.date('date', 'mdy'),
      },
    ]
  }
}

interface Sale {
  element: Element
  row: ReturnType<typeof sale>
}

/**
 * Returns the reported offerings. A 1-K has `summaryInfo`, a 1-Z `summaryInfoOffering`; skips an element without any
 * value (0001193125-22-178335).
 */
export function reportedSales(form: Element): Sale[] {
  return form
    .all('summaryInfoOffering')
    .concat(form.all('summaryInfo'))
    .map((element) => ({ element, row: sale(element) }))
    .filter(({ row }) => Object.values(row).some((value) => value !== null))
}

function sale(element: Element) {
  return {
    file_number: element.text('commissionFileNumber'),
    qualified: element.date('offeringQualificationDate', 'mdy'),
    commenced: element.date('offeringCommenceDate', 'mdy'),
    securities_qualified:
      element.bigint('qualifiedSecuritiesSold') ?? element.bigint('offeringSecuritiesQualifiedSold'),
    securities_sold: element.bigint('offeringSecuritiesSold'),
    price_per_security: element.money('pricePerSecurity'),
    sold_for_issuer: element.money('aggregrateOfferingPrice') ?? element.money('portionSecuritiesSoldIssuer'),
    sold_for_holders:
      element.money('aggregrateOfferingPriceHolders') ?? element.money('portionSecuritiesSoldSecurityholders'),
    broker_crd: element.crd('crdNumberBrokerDealer'),
    net_proceeds: element.money('issuerNetProceeds'),
    note: element.text('clarificationResponses'),
  }
}

/**
 * Returns the proceeds of all reported offerings, in US dollars. Returns null if one of them has no amount, or has the
 * amount zero although securities were sold at a price (0001493152-23-014090: 1,783,250 sold at 250.0000 for 0.00).
 */
export function raised(reported: readonly Sale[]): string | null {
  const amounts = reported.map(({ element, row }) => {
    const stated = [row.sold_for_issuer, row.sold_for_holders].filter((amount) => amount !== null)
    if (stated.length === 0) return null
    const total = sum(stated)
    if (Number(total) !== 0 || !(Number(row.securities_sold) > 0 && Number(row.price_per_security) > 0)) return total
    element.problem(total, `contradicts ${row.securities_sold} securities sold at ${row.price_per_security}`)
    return null
  })
  const known = amounts.filter((amount) => amount !== null)
  return known.length > 0 && known.length === amounts.length ? sum(known) : null
}
