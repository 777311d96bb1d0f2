/** What the parsers of Form 13F read, whatever they read it from: XML, a text table, a quarterly set. */
import type { CusipFlag } from '../../read/securityid.ts'
import type { Problem } from '../../read/xml.ts'

/** One line of an information table as filed: nothing is scaled, added up or repaired. Whole numbers are digits. */
export interface Holding {
  issuer: string | null
  title: string | null
  /** As filed, also where it is no CUSIP; `cusipFlag` says so. */
  cusip: string | null
  cusipFlag: CusipFlag | null
  figi: string | null
  /** In the unit of the filing, which `scale.ts` decides. */
  value: string | null
  amount: string | null
  /** Shares, or principal of a debt security; null where the filing does not say. */
  kind: 'SH' | 'PRN' | null
  /** `Put`, `Call`, or what else stands there: whatever it is, the line is no plain holding. */
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
  /** To how many units it is rounded, where it is to more than one: 100 thousands for a total of `$6.2 million`. */
  declaredStep?: number
  confidentialOmitted: boolean | null
  managers: OtherManager[]
}

/** Cover list: a manager that reports for this one. Summary list: a manager for which this one reports. */
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

/** What was not understood of one filing's table, and what was counted while it was read. */
export interface Findings {
  /** The first 1,000. */
  problems: Problem[]
  unread: Set<string>
  /** Lines that look like holdings. For XML and sets, every record. */
  looked: number
  /** How many of them became a holding. */
  read: number
  /** Why the table ended before its end. */
  cutOff: string | null
}
