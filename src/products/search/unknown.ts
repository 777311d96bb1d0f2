/** Says that an identifier is in no loaded data, and how to load data that may have it. */
import type { TypedIds } from './read-typed.ts'

export interface Unknown {
  kind: string
  id: string
  note: string
}

/**
 * For each prefix of file numbers: the command that loads data with such numbers, or the reason why none are stored.
 */
const FILES: Readonly<Record<string, string>> = {
  '21': 'Notices of Form D are stored without their file number: search for the name or the CIK of the issuer',
  '7': '`ingest cfportal` loads funding portals',
  '8': '`ingest x17a5` loads annual reports of broker-dealers',
  '20': '`ingest crowdfunding` loads offerings with these numbers',
  '24': '`ingest rega` loads offerings with these numbers',
  '28': '`ingest thirteenf` loads reports of managers',
  ...Object.fromEntries(['801', '802', '805'].map((kind) => [kind, '`ingest adv` loads advisers and private funds'])),
  '811': '`ingest ncen` and `ingest nport` load reports of funds with these numbers',
  ...Object.fromEntries(
    ['2', '33', '333'].map((kind) => [
      kind,
      '`ingest offerings` and `ingest fundreg` load registrations with these numbers',
    ]),
  ),
  ...Object.fromEntries(
    ['0', '1'].map((kind) => [
      kind,
      'These numbers of companies are stored only from Forms 144 and 25 (`ingest form144`, `ingest form25`): search for the name or the CIK of the company',
    ]),
  ),
}

const SECURITIES = '`ingest thirteenf` and `ingest nport` load holdings, from which securities are known'

/**
 * For each member of `TypedIds`: the kind of its identifier, the name of this kind, and a way to load or find such an
 * identifier.
 */
const KINDS = [
  ['accession', 'accession', 'accession number', '`ingest --from DAY` loads the indexes of filings from that day on'],
  ['series', 'series', 'series', '`ingest ncen` and `ingest nport` load funds'],
  [
    'classId',
    'class',
    'class',
    '`ingest companies` loads the list of classes with tickers; `ingest ncen` loads others',
  ],
  ['isin', 'isin', 'ISIN', SECURITIES],
  [
    'figi',
    'figi',
    'FIGI',
    'FIGIs are known from lines of Form 13F, few of which state one (`ingest thirteenf`): search for the CUSIP, the ticker or the name',
  ],
  ['lei', 'lei', 'LEI', 'LEIs are known from filings of funds, lists of companies and Form ADV: search for the name'],
  ['company', 'company_id', 'company id', '`ingest nport` loads securities of private companies: search for the name'],
  ['cusip', 'cusip', 'CUSIP', SECURITIES],
  ['crd', 'crd', 'CRD number', '`ingest adv` loads advisers and representatives'],
  ['cik', 'cik', 'CIK', '`ingest --cik CIK --from DAY` loads the filings of one filer'],
] as const satisfies readonly (readonly [keyof TypedIds, string, string, string])[]

/** Describes a typed number for which nothing was found; null if the text cannot be a number. */
export function unknownOf(ids: TypedIds): Unknown | null {
  const [file] = ids.files
  if (file !== undefined && ids.crd === undefined) {
    const way = FILES[file.slice(0, file.indexOf('-'))] ?? 'search for the name of the filer'
    return { kind: 'file_number', id: file, note: noteOf('file number', file, way) }
  }
  for (const [member, kind, label, way] of KINDS) {
    const id = ids[member]
    if (id === undefined) continue
    if (ids.isMistyped) {
      const note = `${id} is not a valid ${label}: its check digits are wrong. Compare it with its source, or search for the name`
      return { kind, id, note }
    }
    return { kind, id, note: noteOf(label, id, way) }
  }
  return null
}

const noteOf = (label: string, id: string, way: string) => `no loaded data has the ${label} ${id}. ${way}`
