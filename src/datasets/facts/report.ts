/** Formats a statement for answers. */
import type { FinancialPeriod } from './answers.ts'
import type { Fact } from './fact.ts'
import type { FigureValue } from './figure.ts'
import { FIGURES, type Figure } from './parse-tags.ts'
import type { Line } from './statement.ts'

/**
 * Returns the address of a filing's page at the SEC. The page exists under the CIK of each filer; this address uses the
 * CIK of the company itself.
 */
export const filingUrl = (cik: string, accession: string): string =>
  `https://www.sec.gov/Archives/edgar/data/${Number(cik)}/${accession.replaceAll('-', '')}/${accession}-index.htm`

export function shown(cik: string, { figures, ...line }: Line): FinancialPeriod {
  const values = FIGURES.map((figure) => [figure, figures[figure].value] as const)
  const details = FIGURES.map((figure) => [figure, detailOf(cik, figures[figure])] as const)
  const { accession, form, filed_date, ...period } = line
  return {
    ...period,
    ...(Object.fromEntries(values) as Record<Figure, string | null>),
    ...{ accession, form, filed_date, filing_url: filingUrl(cik, accession) },
    figures: Object.fromEntries(details) as FinancialPeriod['figures'],
  }
}

type Detail = FinancialPeriod['figures'][Figure]

function detailOf(cik: string, { fact, first, parts, ...found }: FigureValue): Detail {
  const none = {
    taxonomy: null,
    tag: null,
    unit: null,
    accession: null,
    form: null,
    filed_date: null,
    filing_url: null,
  }
  const { value, basis, change, reason } = found
  return {
    ...{ value, basis },
    ...(fact ? { taxonomy: fact.taxonomy, tag: fact.tag, unit: fact.unit, ...filed(cik, fact) } : none),
    change,
    first: first && { value: first.value, tag: first.tag, ...filed(cik, first) },
    parts: parts.map(({ sign, fact: part }) => ({
      sign: sign === 1 ? '+' : '-',
      ...{ taxonomy: part.taxonomy, tag: part.tag, start_date: part.start, end_date: part.end, value: part.value },
      ...filed(cik, part),
    })),
    reason,
  }
}

const filed = (cik: string, { accession, form, filed }: Fact) => ({
  ...{ accession, form, filed_date: filed },
  filing_url: filingUrl(cik, accession),
})
