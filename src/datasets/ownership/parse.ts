/**
 * Reads one Form 3, 4 or 5 from its XML document, in every version of the schema since X0101. Without such a document,
 * makes a row from EDGAR's header.
 */
import type { Filing, FilingHeader } from '../../declare/documents.ts'
import type { Rows } from '../../declare/table.ts'
import { address, stated } from '../../read/values.ts'
import type { Element } from '../../read/xml.ts'
import { foundBy } from '../../stored-names.ts'
import { type Context, derivativeLine, securityLine } from './parse-line.ts'
import type * as tables from './tables.ts'

/**
 * Yields the rows of one filing. XML became mandatory on 2003-06-30: an older filing yields one row that marks the
 * filing as text, and nothing of its text.
 *
 * @throws Error if the document is not a Form 3, 4 or 5
 */
export function* parse({ documents, header }: Filing<{ form: Element | null }>): Rows<typeof tables> {
  if (documents.form === null) yield ['report', textOnly(header)]
  else yield* documentRows(documents.form, header, 'xml')
}

/** The facts about a filing that its document does not state. */
type Outside = Pick<FilingHeader, 'form' | 'cik' | 'filedDate'>

/**
 * Yields the rows of a document.
 *
 * @param source `xml` if the document was filed, `set` if it was rebuilt from lines of a quarterly set
 * @throws Error if the document is not a Form 3, 4 or 5
 */
export function* documentRows(doc: Element, header: Outside, source: 'xml' | 'set'): Rows<typeof tables> {
  const submissionType = doc.text('documentType')
  if (doc.name !== 'ownershipDocument' || submissionType === null || !/^[345](\/A)?$/.test(submissionType)) {
    throw new Error(`not a Form 3, 4 or 5: <${doc.name}> with documentType ${submissionType}`)
  }
  if (submissionType !== header.form) doc.problem(submissionType, `differs from the form of the filing, ${header.form}`)
  const owners = doc.all('reportingOwner').map((element, position) => owner(element, position, header.filedDate))
  const footnotes = footnotesOf(doc)
  const issuer = doc.maybe('issuer')
  const issuerCik = issuer?.cik('issuerCik') ?? null

  yield ['report', { ...report(doc, issuer, header), source, issuer_cik: issuerCik, ...ownersOf(owners, source) }]
  for (const row of owners) yield ['owner', row]
  const context: Context = {
    filed_date: header.filedDate,
    issuer_cik: issuerCik,
    footnotes: new Set(footnotes.map(({ id }) => id)),
    isRounded: source === 'set',
  }
  yield* numbered('security', doc, 'nonDerivative', (element, isHolding) => securityLine(element, isHolding, context))
  yield* numbered('derivative', doc, 'derivative', (element, isHolding) => derivativeLine(element, isHolding, context))
  for (const row of footnotes) yield ['footnote', row]
  for (const [position, element] of doc.filled('ownerSignature').entries()) {
    yield [
      'signature',
      { position, signature: element.text('signatureName'), signed: element.date('signatureDate', 'iso') },
    ]
  }
}

/** If several footnotes have the same id, the id identifies none of them. Such footnotes are stored without an id. */
function footnotesOf(doc: Element) {
  const elements = doc.all('footnotes/footnote')
  const counts = Map.groupBy(elements, (element) => element.attribute('id'))
  return elements.map((element, position) => {
    const id = element.attribute('id')
    const isOne = id !== null && counts.get(id)!.length === 1
    if (id !== null && !isOne) element.problem(id, 'several footnotes have this id')
    return { position, id: isOne ? id : null, footnote: element.text() }
  })
}

/** Yields lines in the order of the document, where a holding may precede a transaction (0001179706-14-000057). */
function* numbered<K extends string, R>(
  key: K,
  doc: Element,
  kind: 'derivative' | 'nonDerivative',
  read: (element: Element, isHolding: boolean) => R,
): Generator<readonly [K, R & { line: number }]> {
  const table = doc.maybe(`${kind}Table`)
  if (table === null) return
  const [transaction, holding] = [`${kind}Transaction`, `${kind}Holding`]
  const transactions = table.all(transaction).values()
  const holdings = table.all(holding).values()
  let line = 0
  for (const name of table.childNames()) {
    // Other elements are not read, so they are reported as unread.
    if (name !== transaction && name !== holding) continue
    const element = (name === holding ? holdings : transactions).next().value!
    line++
    yield [key, { line, ...read(element, name === holding) }] as const
  }
}

function report(doc: Element, issuer: Element | null, { form, cik }: Outside) {
  const name = issuer?.text('issuerName') ?? null
  const found = foundBy(name === null ? [] : [name])
  return {
    ...kindOf(form),
    schema_version: doc.text('schemaVersion'),
    cik,
    period: doc.date('periodOfReport', 'iso'),
    original_date: doc.date('dateOfOriginalSubmission', 'iso'),
    issuer_name: name,
    name_key: found.key,
    name_words: found.words,
    ticker: stated(issuer?.text('issuerTradingSymbol') ?? null),
    foreign_ticker: stated(issuer?.texts('issuerForeignTradingSymbol').join(', ') || null),
    plan_10b5_1: doc.flag('aff10b5One'),
    not_subject_to_section_16: doc.flag('notSubjectToSection16'),
    no_securities_owned: doc.flag('noSecuritiesOwned'),
    form3_holdings_reported: doc.flag('form3HoldingsReported'),
    form4_transactions_reported: doc.flag('form4TransactionsReported'),
    remarks: doc.text('remarks'),
  }
}

/** Makes the row of a filing without XML, from EDGAR's header. */
export function textOnly({ form, cik, period }: Pick<FilingHeader, 'form' | 'cik' | 'period'>) {
  return {
    ...kindOf(form),
    source: 'text',
    schema_version: null,
    cik,
    period,
    original_date: null,
    issuer_cik: null,
    issuer_name: null,
    name_key: null,
    name_words: null,
    ticker: null,
    foreign_ticker: null,
    ...ownersOf([], 'text'),
    plan_10b5_1: null,
    not_subject_to_section_16: null,
    no_securities_owned: null,
    form3_holdings_reported: null,
    form4_transactions_reported: null,
    remarks: null,
  }
}

const kindOf = (form: string) => ({
  submission_type: form,
  form: form.slice(0, 1),
  is_amendment: form.endsWith('/A'),
})

function ownersOf(owners: readonly { cik: string | null; name: string | null }[], source: 'xml' | 'set' | 'text') {
  const found = foundBy(owners.flatMap(({ name }) => name ?? []))
  // A set does not say which of several owners comes first.
  const first = source === 'set' && owners.length > 1 ? undefined : owners[0]
  return {
    owner_name: first?.name ?? null,
    owner_key: found.key,
    owner_words: found.words,
    owner_ciks: [...new Set(owners.flatMap(({ cik }) => cik ?? []))].sort(),
    owner_count: owners.length,
  }
}

const ADDRESS = {
  street1: 'rptOwnerStreet1',
  street2: 'rptOwnerStreet2',
  city: 'rptOwnerCity',
  stateOrCountry: 'rptOwnerState',
  zipCode: 'rptOwnerZipCode',
} as const

function owner(element: Element, position: number, filed_date: string) {
  // Ignores EDGAR's password of the owner, and the flag that says whether EDGAR could post a letter to the address.
  element.ignore('reportingOwnerId/rptOwnerCcc', 'reportingOwnerAddress/rptOwnerGoodAddress')
  const place = element.maybe('reportingOwnerAddress')
  // The flag only says which kind of address follows.
  place?.ignore('rptOwnerNonUSAddressFlag')
  const is = element.maybe('reportingOwnerRelationship')
  return {
    position,
    filed_date,
    cik: element.cik('reportingOwnerId/rptOwnerCik'),
    name: element.text('reportingOwnerId/rptOwnerName'),
    ...address((part) => place?.text(ADDRESS[part]) ?? null),
    state_description: stated(
      place?.texts('rptOwnerStateDescription', 'rptOwnerNonUSStateTerritory').join(', ') || null,
    ),
    // The SEC's own sample documents of version X0600 misspell the element.
    country: stated(place?.texts('rptOwnerCountry', 'rptOwnerCounrty')[0] ?? null),
    is_director: is === null ? false : is.ticked('isDirector'),
    is_officer: is === null ? false : is.ticked('isOfficer'),
    is_ten_percent_owner: is === null ? false : is.ticked('isTenPercentOwner'),
    is_other: is === null ? false : is.ticked('isOther'),
    officer_title: is?.text('officerTitle') ?? null,
    other_relationship: is?.text('otherText') ?? null,
  }
}
