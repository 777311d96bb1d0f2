/** Results of the parsers of Form 13F, the same for XML, text tables and quarterly sets. */
import type { CusipFlag } from '../../../read/securityid.ts'
import type { Problem } from '../../../read/xml.ts'

/**
 * One line of an information table as filed: nothing is scaled, added up or repaired. Whole numbers are strings of
 * digits.
 */
export interface Holding {
  issuer: string | null
  title: string | null
  /** As filed, even if it is not a CUSIP; then `cusipFlag` is set. */
  cusip: string | null
  cusipFlag: CusipFlag | null
  figi: string | null
  /** Value in the unit of the filing, which `report/scale.ts` decides. */
  value: string | null
  amount: string | null
  /** Shares, or principal of a debt security; null if the filing does not state it. */
  kind: 'SH' | 'PRN' | null
  /** `Put`, `Call` or other text as filed: any text shows that the line is not a plain holding. */
  putCall: string | null
  discretion: 'SOLE' | 'DFND' | 'OTR' | null
  /** Numbers of the summary's list, or names, joined by commas. */
  managers: string | null
  sole: string | null
  shared: string | null
  none: string | null
}

/** The cover, signature and summary of one filing. */
export interface Cover {
  submissionType: string
  cik: string | null
  period: string | null
  reportType: 'holdings' | 'notice' | 'combination' | null
  isAmendment: boolean
  amendmentNo: number | null
  amendmentType: 'restatement' | 'new_holdings' | null
  confidentialEnded: boolean | null
  dateEnded: string | null
  dateReported: string | null
  reasonEnded: string | null
  managerName: string | null
  street1: string | null
  street2: string | null
  city: string | null
  state: string | null
  zip: string | null
  fileNumber: string | null
  crd: string | null
  secFileNumber: string | null
  instruction5: boolean | null
  additionalInformation: string | null
  signer: string | null
  signerTitle: string | null
  signerPhone: string | null
  signature: string | null
  signedCity: string | null
  signedState: string | null
  signed: string | null
  managersCount: number | null
  declaredEntries: number | null
  /** In the unit of the filing. */
  declaredValue: string | null
  /**
   * Step to which the declared value is rounded, in the unit of the filing; absent if the step is one unit. In
   * thousands, the step of a total of `$6.2 million` is 100.
   */
  declaredStep?: number
  confidentialOmitted: boolean | null
  managers: OtherManager[]
}

/**
 * A manager that reports for the filing's manager (cover list), or for which the filing's manager reports (summary
 * list).
 */
export interface OtherManager {
  list: 'reports_for_this' | 'included_here'
  /** Number in the summary's list, by which lines of the table name the manager. */
  sequence: number | null
  cik: string | null
  fileNumber: string | null
  crd: string | null
  secFileNumber: string | null
  name: string | null
}

/** Faults and counts from reading one filing's table. */
export interface Findings {
  /** The first 1,000 problems. */
  problems: Problem[]
  unread: Set<string>
  /** Number of lines that look like holdings. In XML and in the quarterly sets, every record counts. */
  looked: number
  /** Number of the lines counted by `looked` that became a holding. */
  read: number
  /** Reason why the rest of the table was not read; null if the table was read to its end. */
  cutOff: string | null
}
