/** Reads one Form N-MFP from a data set: rebuilds the elements of the form, and parses them like the submission. */
import type { ParsedRow } from '../../../declare/dataset.ts'
import type { SetParts } from '../../../declare/sets.ts'
import { grown, heldLines, Lines, problemsOf } from '../../../read/made.ts'
import { documentRows } from '../parse.ts'
import { branchesOf } from './map.ts'

/** Members with lines of a filing, each with its required columns. */
export const MEMBERS = {
  NMFP_SUBMISSION: ['ACCESSION_NUMBER', 'FILING_DATE', 'SUBMISSIONTYPE', 'CIK', 'REPORTDATE', 'SERIESID'],
  NMFP_FUND: ['ACCESSION_NUMBER', 'FUND_TYPE'],
  NMFP_SERIESLEVELINFO: ['ACCESSION_NUMBER', 'MONEYMARKETFUNDCATEGORY', 'AVERAGEPORTFOLIOMATURITY', 'NETASSETOFSERIES'],
  NMFP_MASTERFEEDERFUND: ['ACCESSION_NUMBER', 'FUND_TYPE'],
  NMFP_ADVISER: ['ACCESSION_NUMBER', 'ADVISERNAME', 'ADVISERFILENUMBER', 'ADVISER_TYPE'],
  NMFP_ADMINISTRATOR: ['ACCESSION_NUMBER', 'ADMINISTRATORNAME'],
  NMFP_TRANSFERAGENT: ['ACCESSION_NUMBER', 'NAME'],
  NMFP_SERIESSHADOWPRICE_L: ['ACCESSION_NUMBER'],
  NMFP_CLASSLEVELINFO: ['ACCESSION_NUMBER', 'CLASSESID', 'NETASSETSOFCLASS'],
  NMFP_NETASSETVALUEPERSHARE_L: ['ACCESSION_NUMBER', 'CLASSESID', 'TYPE'],
  NMFP_SCHPORTFOLIOSECURITIES: [
    'ACCESSION_NUMBER',
    'SECURITY_ID',
    'NAMEOFISSUER',
    'CUSIP_NUMBER',
    'INVESTMENTCATEGORY',
    'INCLUDINGVALUEOFANYSPONSORSUPP',
  ],
  NMFP_COLLATERALISSUERS: ['ACCESSION_NUMBER', 'SECURITY_ID', 'NAMEOFCOLLATERALISSUER'],
  NMFP_NRSRO: ['ACCESSION_NUMBER', 'SECURITY_ID', 'IDENTITY', 'TYPE', 'NAMEOFNRSRO', 'RATING'],
  NMFP_DEMANDFEATURE: ['ACCESSION_NUMBER', 'SECURITY_ID', 'IDENTITYOFDEMANDFEATUREISSUER'],
  NMFP_GUARANTOR: ['ACCESSION_NUMBER', 'SECURITY_ID', 'IDENTITYOFTHEGUARANTOR'],
  NMFP_ENHANCEMENTPROVIDER: ['ACCESSION_NUMBER', 'SECURITY_ID', 'IDENTITYOFENHANCEMENTPROVIDER'],
  NMFP_LIQUIDASSETSDETAILS: ['ACCESSION_NUMBER', 'TOTLIQUIDASSETSNEARPCTDATE'],
  NMFP_SEVENDAYGROSSYIELD: ['ACCESSION_NUMBER', 'SEVENDAYGROSSYIELDVALUE'],
  NMFP_DLYNETASSETVALUEPERSHARS: ['ACCESSION_NUMBER', 'DLYNETASSETVALUEPERSHARESER'],
  NMFP_LIQUIDITYFEEREPORTINGPER: ['ACCESSION_NUMBER'],
  NMFP_DLYNETASSETVALUEPERSHARC: ['ACCESSION_NUMBER', 'CLASSESID', 'DLYNETASSETVALUEPERSHARECLASS'],
  NMFP_DLYSHAREHOLDERFLOWREPORT: ['ACCESSION_NUMBER', 'CLASSESID', 'DAILYGROSSSUBSCRIPTIONS'],
  NMFP_SEVENDAYNETYIELD: ['ACCESSION_NUMBER', 'CLASSESID', 'SEVENDAYNETYIELDVALUE'],
  NMFP_BENEFICIALRECORDOWNERCAT: ['ACCESSION_NUMBER', 'CLASSESID'],
  NMFP_CANCELLEDSHARESPERBUSDAY: ['ACCESSION_NUMBER', 'CLASSESID'],
  NMFP_DISPOSITIONOFPORTFOLIOSE: ['ACCESSION_NUMBER'],
} as const

/** Members that every filing has; the others came with a later generation, or are rare. */
const NEEDED = ['NMFP_SUBMISSION', 'NMFP_SERIESLEVELINFO', 'NMFP_CLASSLEVELINFO', 'NMFP_SCHPORTFOLIOSECURITIES']
export const OPTIONAL = Object.keys(MEMBERS).filter((member) => !NEEDED.includes(member))

/**
 * Yields the rows of one filing. Holds the whole filing in memory, like a document: the largest filing has about a
 * thousand securities.
 *
 * @throws Error if SERIESLEVELINFO lacks the filing, and whenever the form's parser does
 */
export async function* parseSet({ lines, records, tell }: SetParts): AsyncGenerator<ParsedRow> {
  const own = new Lines(await heldLines(lines, records, 'NMFP_SCHPORTFOLIOSECURITIES'))
  if (own.of('NMFP_SERIESLEVELINFO').length === 0) throw new Error('has no line in NMFP_SERIESLEVELINFO')
  const submission = own.one('NMFP_SUBMISSION')
  const type = submission.text('SUBMISSIONTYPE') ?? ''
  const document = grown('edgarSubmission', branchesOf(type), own).element()
  for (const rating of own.of('NMFP_NRSRO')) {
    if (!own.placed.has(rating))
      rating.problem('IDENTITY', rating.text('IDENTITY') ?? '', 'matches no rated security or firm of the filing')
  }
  yield* documentRows(document, {
    form: type,
    cik: submission.cik('FILER_CIK'),
    name: submission.text('REGISTRANTFULLNAME'),
    period: null,
  })
  tell({ problems: problemsOf(document, submission) })
  for (const row of own.of('NMFP_SCHPORTFOLIOSECURITIES')) tell({ problems: row.problems() })
}
