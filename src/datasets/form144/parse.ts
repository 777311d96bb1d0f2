/** Reads one Form 144 from its XML document or, without such a document, from EDGAR's header. */
import type { Filing, FilingHeader } from '../../declare/documents.ts'
import type { Rows } from '../../declare/table.ts'
import { accession, address, stated } from '../../read/values.ts'
import type { Element } from '../../read/xml.ts'
import { foundBy } from '../../stored-names.ts'
import type * as tables from './tables.ts'

/**
 * Yields the rows of one filing. XML became mandatory on 2023-04-13: an older notice yields one row that marks the
 * notice as text, and nothing of its text.
 *
 * @throws Error if the document is not a Form 144
 */
export function* parse({ documents, header }: Filing<{ form: Element | null }>): Rows<typeof tables> {
  if (documents.form === null) yield ['notice', textOnly(header)]
  else yield* documentRows(documents.form, header)
}

function* documentRows(doc: Element, header: FilingHeader): Rows<typeof tables> {
  const submissionType = doc.text('headerData/submissionType')
  if (doc.name !== 'edgarSubmission' || submissionType === null || !/^144(\/A)?$/.test(submissionType)) {
    throw new Error(`not a Form 144: <${doc.name}> with submissionType ${submissionType}`)
  }
  if (submissionType !== header.form) doc.problem(submissionType, `differs from the form of the filing, ${header.form}`)
  // The envelope: instructions to EDGAR for the transmission, and elements that EDGAR removes before publication.
  doc.ignore('schemaVersion', 'headerData/filerInfo/liveTestFlag', 'headerData/filerInfo/contact')
  doc.ignore('headerData/filerInfo/flags', 'headerData/filerInfo/notifications')
  doc.ignore('headerData/filerInfo/filer/filerCredentials/ccc')
  // Attachments as sent to EDGAR, which publishes them as separate documents.
  doc.ignore('documents')
  const data = doc.one('formData')
  yield ['notice', notice(doc, data, header)]
  for (const [position, element] of data.filled('securitiesInformation').entries())
    yield ['sale', sale(element, position)]
  for (const [position, element] of data.filled('securitiesToBeSold').entries()) {
    yield ['acquisition', acquisition(element, position)]
  }
  for (const [position, element] of data.filled('securitiesSoldInPast3Months').entries()) {
    yield ['past_sale', pastSale(element, position)]
  }
  for (const [position, element] of data.filled('noticeSignature/planAdoptionDates/planAdoptionDate').entries()) {
    yield ['plan', { position, adopted: element.date(undefined, 'mdy') }]
  }
}

function notice(doc: Element, data: Element, { form, cik }: Pick<FilingHeader, 'form' | 'cik'>) {
  const issuer = data.maybe('issuerInfo')
  const name = issuer?.text('issuerName') ?? null
  const seller = issuer?.text('nameOfPersonForWhoseAccountTheSecuritiesAreToBeSold') ?? null
  const [found, foundSeller] = [name, seller].map((each) => foundBy(each === null ? [] : [each]))
  return {
    ...kindOf(form),
    source: 'xml',
    previous_accession: doc.value('headerData/previousAccessionNumber', accession, 'is not an accession'),
    cik,
    seller_cik: doc.cik('headerData/filerInfo/filer/filerCredentials/cik'),
    seller_name: seller,
    seller_key: foundSeller!.key,
    seller_words: foundSeller!.words,
    relationships: issuer?.texts('relationshipsToIssuer/relationshipToIssuer') ?? [],
    issuer_cik: issuer?.cik('issuerCik') ?? null,
    issuer_name: name,
    name_key: found!.key,
    name_words: found!.words,
    issuer_file_number: issuer?.text('secFileNumber') ?? null,
    ...place('issuer_', issuer?.maybe('issuerAddress') ?? null),
    issuer_phone: issuer?.text('issuerContactPhone') ?? null,
    no_past_sales: data.flag('nothingToReportFlagOnSecuritiesSoldInPast3Months'),
    remarks: data.text('remarks'),
    notice_date: data.date('noticeSignature/noticeDate', 'mdy'),
    signature: data.text('noticeSignature/signature'),
  }
}

/** Makes the row of a notice without XML, from EDGAR's header. */
export function textOnly({ form, cik }: Pick<FilingHeader, 'form' | 'cik'>) {
  return {
    ...kindOf(form),
    source: 'text',
    previous_accession: null,
    cik,
    seller_cik: null,
    seller_name: null,
    seller_key: null,
    seller_words: null,
    relationships: [],
    issuer_cik: null,
    issuer_name: null,
    name_key: null,
    name_words: null,
    issuer_file_number: null,
    ...place('issuer_', null),
    issuer_phone: null,
    no_past_sales: null,
    remarks: null,
    notice_date: null,
    signature: null,
  }
}

const kindOf = (form: string) => ({ submission_type: form, is_amendment: form.endsWith('/A') })

function sale(element: Element, position: number) {
  const broker = element.maybe('brokerOrMarketmakerDetails')
  return {
    position,
    security_class: element.text('securitiesClassTitle'),
    broker_name: broker?.text('name') ?? null,
    ...place('broker_', broker?.maybe('address') ?? null),
    units: element.bigint('noOfUnitsSold'),
    market_value: element.money('aggregateMarketValue'),
    units_outstanding: element.bigint('noOfUnitsOutstanding'),
    sale_date: element.date('approxSaleDate', 'mdy'),
    exchange: element.text('securitiesExchangeName'),
  }
}

function acquisition(element: Element, position: number) {
  return {
    position,
    security_class: element.text('securitiesClassTitle'),
    acquired: element.date('acquiredDate', 'mdy'),
    nature: element.text('natureOfAcquisitionTransaction'),
    acquired_from: stated(element.text('nameOfPersonfromWhomAcquired')),
    is_gift: element.flag('isGiftTransaction'),
    donor_acquired: element.date('donarAcquiredDate', 'mdy'),
    units: element.bigint('amountOfSecuritiesAcquired'),
    paid: element.date('paymentDate', 'mdy'),
    payment: stated(element.text('natureOfPayment')),
  }
}

function pastSale(element: Element, position: number) {
  const seller = element.maybe('sellerDetails')
  return {
    position,
    seller_name: seller?.text('name') ?? null,
    ...place('seller_', seller?.maybe('address') ?? null),
    security_class: element.text('securitiesClassTitle'),
    sold: element.date('saleDate', 'mdy'),
    units: element.bigint('amountOfSecuritiesSold'),
    proceeds: element.money('grossProceeds'),
  }
}

function place<P extends 'issuer_' | 'broker_' | 'seller_'>(prefix: P, element: Element | null) {
  const parts = Object.entries(address((part) => element?.text(part) ?? null))
  return Object.fromEntries(parts.map(([name, value]) => [prefix + name, value])) as {
    [K in keyof ReturnType<typeof address> as `${P}${K}`]: string | null
  }
}
