/**
 * Reads the cover of Form 13F in XML (`primary_doc.xml`, since 2013): the manager, the quarter, the kind of amendment,
 * the other managers, and the declared totals. Other managers report for this one, or this one reports for them.
 */
import { address } from '../../../read/values.ts'
import type { Element } from '../../../read/xml.ts'
import type { Cover, OtherManager } from './types.ts'
import { AMENDMENT_TYPES, digitsOf, fileNumber, REPORT_TYPES, word } from './values.ts'

/**
 * Reads the cover of one 13F-HR, 13F-NT, 13F-CTR or an amendment of them. The document collects unread leaves
 * (`unread()`) and unreadable values (`problems()`).
 *
 * @throws Error if the document is not a Form 13F
 */
export function parseCover(doc: Element): Cover {
  const submissionType = doc.text('headerData/submissionType')
  if (doc.name !== 'edgarSubmission' || !/^13F-(HR|NT|CTR)(\/A)?$/.test(submissionType ?? '')) {
    throw new Error(`not a Form 13F: <${doc.name}> with submissionType ${submissionType}`)
  }
  // These leaves only serve the submission to EDGAR. EDGAR removes contacts, passwords and the packed documents before
  // it publishes the document.
  doc.ignore('schemaVersion', 'documents')
  const info = doc.one('headerData/filerInfo')
  info.ignore('liveTestFlag', 'denovoRequest', 'flags', 'contact', 'notifications', 'filer/credentials/ccc')
  // Where the form requires a file number, the cover states it too, and the parser reads it there.
  info.ignore('filer/fileNumber')
  const cover = doc.one('formData/coverPage')
  const isAmendment = submissionType!.endsWith('/A')
  return {
    submissionType: submissionType!,
    cik: info.cik('filer/credentials/cik'),
    period: periodOf(info, cover),
    reportType: word(cover, 'reportType', REPORT_TYPES),
    ...amendment(cover, isAmendment),
    managerName: cover.text('filingManager/name'),
    ...address((part) => cover.text(`filingManager/address/${part}`)),
    ...identifiers(cover),
    instruction5: cover.flag('provideInfoForInstruction5'),
    additionalInformation: cover.text('additionalInformation'),
    ...signature(doc.maybe('formData/signatureBlock')),
    ...summary(doc.maybe('formData/summaryPage')),
    managers: [
      ...cover.all('otherManagersInfo/otherManager').map((other) => manager('reports_for_this', other, null)),
      ...doc
        .all('formData/summaryPage/otherManagers2Info/otherManager2')
        .map((entry) => manager('included_here', entry.one('otherManager'), entry.count('sequenceNumber'))),
    ],
  }
}

/** Prefers the cover's period to the header's, because the manager signs the cover. */
function periodOf(info: Element, cover: Element): string | null {
  const header = info.date('periodOfReport', 'mdy')
  const period = cover.date('reportCalendarOrQuarter', 'mdy')
  if (header !== null && period !== null && header !== period) {
    cover.problem(period, `reportCalendarOrQuarter differs from periodOfReport ${header}`)
  }
  return period ?? header
}

function amendment(cover: Element, isAmendment: boolean) {
  const stated = cover.flag('isAmendment')
  if (stated !== null && stated !== isAmendment)
    cover.problem(String(stated), 'isAmendment contradicts the submission type')
  return {
    isAmendment,
    amendmentNo: cover.count('amendmentNo'),
    amendmentType: word(cover, 'amendmentInfo/amendmentType', AMENDMENT_TYPES),
    confidentialEnded: cover.flag('amendmentInfo/confDeniedExpired'),
    dateEnded: cover.date('amendmentInfo/dateDeniedExpired', 'mdy'),
    dateReported: cover.date('amendmentInfo/dateReported', 'mdy'),
    reasonEnded: cover.text('amendmentInfo/reasonForNonConfidentiality'),
  }
}

const identifiers = (of: Element) => ({
  fileNumber: fileNumber(of.text('form13FFileNumber')),
  crd: of.crd('crdNumber'),
  secFileNumber: fileNumber(of.text('secFileNumber')),
})

const manager = (list: OtherManager['list'], other: Element, sequence: number | null): OtherManager => ({
  list,
  sequence,
  cik: other.cik('cik'),
  ...identifiers(other),
  name: other.text('name'),
})

const signature = (block: Element | null) => ({
  signer: block?.text('name') ?? null,
  signerTitle: block?.text('title') ?? null,
  signerPhone: block?.text('phone') ?? null,
  signature: block?.text('signature') ?? null,
  signedCity: block?.text('city') ?? null,
  signedState: block?.text('stateOrCountry') ?? null,
  signed: block?.date('signatureDate', 'mdy') ?? null,
})

/** A notice has no summary, or an empty one (0001178913-20-000417). */
const summary = (page: Element | null) => ({
  managersCount: page?.count('otherIncludedManagersCount') ?? null,
  declaredEntries: page?.count('tableEntryTotal') ?? null,
  declaredValue: page?.value('tableValueTotal', digitsOf, 'is not a valid amount') ?? null,
  confidentialOmitted: page?.flag('isConfidentialOmitted') ?? null,
})
