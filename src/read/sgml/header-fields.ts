/**
 * Defines what each line of a header means, by key. The fields of `.nc` files get the names that full submissions use.
 */
import { accession as accessionOf } from '../values.ts'
import type { Address, HeaderFiler, HeaderReader } from './header.ts'
import { dayOf, newYorkMoment } from './moment.ts'
import { industryOf } from './sic.ts'

const ACTS: Readonly<Record<string, string>> = {
  '1933 Act': '33',
  '1934 Act': '34',
  '1935 Act': '35',
  '1939 Act': '39',
  '1940 Act': '40',
  'Dodd Frank Act': 'DF',
}

/** Labels of lines that announce a company; these lines have no value. */
export const ROLES = new Set([
  ...['FILER', 'SUBJECT COMPANY', 'FILED BY', 'FILED FOR', 'ISSUER', 'REPORTING OWNER', 'SERIAL COMPANY'],
  ...['DEPOSITOR', 'SECURITIZER', 'ISSUING ENTITY', 'UNDERWRITER'],
])

/**
 * Keys that are ignored. They only group other keys, or have facts that the documents themselves state in full.
 */
export const IGNORED = new Set([
  ...[
    'SEC HEADER',
    'IMS HEADER',
    'SUBMISSION',
    'ORGANIZATION NAME',
    'RELATIONSHIP',
    'GROUP MEMBERS',
    'SROS',
    'ABS RULE',
  ],
  ...['ABS ASSET CLASS', 'PERIOD START', 'DEPOSITOR CIK', 'SPONSOR CIK', 'REGISTERED ENTITY', 'NO QUARTERLY ACTIVITY'],
  ...[
    'NO ANNUAL ACTIVITY',
    'PREVIOUS ACCESSION NUMBER',
    'WITHDRAWN ACCESSION NUMBER',
    'REFERENCE 462B',
    'REFERENCES 429',
  ],
  // Keys about asset-backed securities, and marks that EDGAR's own processing adds.
  ...['NO INITIAL PERIOD ACTIVITY', 'ABS SUB ASSET CLASS', 'DEPOSITOR FILE NUMBER', 'SPONSOR FILE NUMBER'],
  ...[
    'ISSUING ENTITY CIK',
    'ISSUING ENTITY FILE NUMBER',
    'RECEIVED DATE',
    'TIMESTAMP',
    'PAPER',
    'PUBLIC REFERENCE ACC',
  ],
  ...['PUBLIC REFERENCE ACCESSION NUMBER', 'PUBLIC REL DATE', 'CATEGORY', 'IS FILER A NEW REGISTRANT', 'ACTION DATE'],
  ...['IS FILER A WELL KNOWN SEASONED ISSUER', 'FILED PURSUANT TO GENERAL INSTRUCTION A2', 'IS FUND 24F2 ELIGIBLE'],
  // Keys of foreign addresses. EDGAR's code in the line PROVINCE COUNTRY shows the place.
  ...['ADDRESS IS A NON US LOCATION', 'NON US STATE TERRITORY'],
])

/** Other names of fields, mostly those of `.nc` files, each with the name of the same field in FIELDS. */
export const ALIASES: Readonly<Record<string, string>> = {
  TYPE: 'CONFORMED SUBMISSION TYPE',
  PERIOD: 'CONFORMED PERIOD OF REPORT',
  'FILING DATE': 'FILED AS OF DATE',
  'DATE OF FILING DATE CHANGE': 'DATE AS OF CHANGE',
  ITEMS: 'ITEM INFORMATION',
  ITEM: 'ITEM INFORMATION',
  'OWNER DATA': 'COMPANY DATA',
  'CONFORMED NAME': 'COMPANY CONFORMED NAME',
  CIK: 'CENTRAL INDEX KEY',
  'ASSIGNED SIC': 'STANDARD INDUSTRIAL CLASSIFICATION',
  EIN: 'IRS NUMBER',
  ACT: 'SEC ACT',
  'FILE NUMBER': 'SEC FILE NUMBER',
  STREET1: 'STREET 1',
  STREET2: 'STREET 2',
  // In headers of 2026, a foreign address has its code in this line: 0000929638-26-003625.
  'PROVINCE COUNTRY': 'STATE',
  PHONE: 'BUSINESS PHONE',
  'FORMER NAME': 'FORMER COMPANY',
  'DATE CHANGED': 'DATE OF NAME CHANGE',
}

type Field = (reader: HeaderReader, value: string, key: string) => void

const ofHeader =
  (name: 'filedDate' | 'changedDate' | 'effectiveDate'): Field =>
  (reader, value, key) =>
    reader.put(reader.header, name, reader.day(value, key), key)

const ofFiler =
  (put: (filer: HeaderFiler, reader: HeaderReader, value: string, key: string) => unknown): Field =>
  (reader, value, key) => {
    if (reader.filer) put(reader.filer, reader, value, key)
    else reader.problem(`${key} outside a company: ${value}`)
  }

const filerText = (name: 'name' | 'stateOfIncorporation' | 'formType' | 'fileNumber' | 'filmNumber'): Field =>
  ofFiler((filer, reader, value, key) => reader.put(filer, name, value, key))

/** Tests for a day of any year, since a fiscal year may end on February 29. */
const isMonthAndDay = (value: string) => dayOf(`2000${value}`) !== null

const addressText = (name: keyof Address): Field =>
  ofFiler((filer, reader, value, key) => {
    const which = reader.address
    if (which === null) {
      reader.problem(`${key} outside an address: ${value}`)
      return
    }
    filer[which] ??= { street1: null, street2: null, city: null, state: null, zip: null, phone: null }
    reader.put(filer[which], name, value, key)
  })

/** Lines with a value, by key. */
export const FIELDS: Readonly<Record<string, Field>> = {
  'SEC DOCUMENT': (reader, value) => reader.name(value),
  'IMS DOCUMENT': (reader, value) => reader.name(value),
  'ACCESSION NUMBER': (reader, value, key) => {
    const accession = accessionOf(value)
    if (accession) reader.put(reader.header, 'accession', accession, key)
    else reader.problem(`${key} is not a valid accession number: ${value}`)
  },
  'CONFORMED SUBMISSION TYPE': (reader, value, key) => reader.put(reader.header, 'form', value, key),
  'PUBLIC DOCUMENT COUNT': (reader, value, key) => {
    if (/^\d{1,6}$/.test(value)) reader.put(reader.header, 'documentCount', Number(value), key)
    else reader.problem(`${key} is not a number: ${value}`)
  },
  'CONFORMED PERIOD OF REPORT': (reader, value, key) => {
    const day = reader.day(value, key)
    // Each rule of a Form SD has its own period; the first one stays.
    if (!reader.hasRules || reader.header.periodOfReport === null) reader.put(reader.header, 'periodOfReport', day, key)
  },
  'FILED AS OF DATE': ofHeader('filedDate'),
  'DATE AS OF CHANGE': ofHeader('changedDate'),
  'EFFECTIVENESS DATE': ofHeader('effectiveDate'),
  'ACCEPTANCE DATETIME': (reader, value, key) => {
    const moment = newYorkMoment(value)
    if (moment) reader.put(reader.header, 'acceptedAt', moment, key)
    else reader.problem(`${key} is not a valid time: ${value}`)
  },
  // 0001745524-18-000001 has `<ITEMS>06b` inside the line.
  'ITEM INFORMATION': (reader, value) => reader.header.items.push(value.replace(/^<ITEMS>/, '')),
  'COMPANY CONFORMED NAME': filerText('name'),
  'CENTRAL INDEX KEY': ofFiler((filer, reader, value, key) => reader.put(filer, 'cik', reader.cik(value, key), key)),
  // Usually `MOTOR VEHICLES [3711]`. In 1994 and in .nc files only `3711`. Without a code, `[]`. In 2000 `[6211`, with
  // the `]` on the next line.
  'STANDARD INDUSTRIAL CLASSIFICATION': ofFiler((filer, reader, value, key) => {
    const { index, 1: digits } = /\[?(?<!\d)(\d*)\]?$/.exec(value)!
    const description = value.slice(0, index).trimEnd()
    if (digits) reader.put(filer, 'sic', digits, key)
    const industry = description || industryOf(digits ?? '')
    if (industry) reader.put(filer, 'sicDescription', industry, key)
  }),
  'IRS NUMBER': ofFiler(
    (filer, reader, value, key) => /^0+$/.test(value) || reader.put(filer, 'irsNumber', value, key),
  ),
  'STATE OF INCORPORATION': filerText('stateOfIncorporation'),
  'FISCAL YEAR END': ofFiler((filer, reader, value, key) => {
    if (isMonthAndDay(value)) reader.put(filer, 'fiscalYearEnd', value, key)
    else if (!/^0+$/.test(value)) reader.problem(`${key} is not a valid MMDD: ${value}`)
  }),
  'FORM TYPE': filerText('formType'),
  'SEC ACT': ofFiler((filer, reader, value, key) => reader.put(filer, 'act', ACTS[value] ?? value, key)),
  'SEC FILE NUMBER': filerText('fileNumber'),
  'FILM NUMBER': filerText('filmNumber'),
  'STREET 1': addressText('street1'),
  'STREET 2': addressText('street2'),
  CITY: addressText('city'),
  STATE: addressText('state'),
  ZIP: addressText('zip'),
  'BUSINESS PHONE': addressText('phone'),
  'FORMER CONFORMED NAME': ofFiler((filer, _, value) => filer.formerNames.push({ name: value, changedDate: null })),
  'DATE OF NAME CHANGE': ofFiler((filer, reader, value, key) => {
    const last = filer.formerNames.at(-1)
    if (last) reader.put(last, 'changedDate', reader.day(value, key), key)
    else reader.problem(`${key} without a former name: ${value}`)
  }),
}

/** Lines that begin a section. If a line of this kind has a value, the value has no meaning. */
export const SECTIONS: Readonly<Record<string, (reader: HeaderReader) => void>> = {
  'PRIVATE TO PUBLIC': (reader) => {
    reader.header.privateToPublic = true
  },
  // Occurs in 0000950150-00-000118, which has an information table of 1998.
  'CONFIRMING COPY': (reader) => {
    reader.header.confirmingCopy = true
  },
  // Form SD: groups an item and its period, once for each rule that the form answers.
  RULE: (reader) => {
    reader.hasRules = true
  },
  'MULTI ACCESSION NUMBERS': (reader) => {
    reader.others = true
  },
  'COMPANY DATA': (reader) => reader.company(),
  'FILING VALUES': (reader) => reader.enter(null),
  'BUSINESS ADDRESS': (reader) => reader.enter('businessAddress'),
  'MAIL ADDRESS': (reader) => reader.enter('mailAddress'),
  'FORMER COMPANY': (reader) => reader.enter(null),
}
