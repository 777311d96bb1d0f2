/**
 * Turns the SGML header of a submission into facts. It reads three notations as one: `KEY: value` with indented
 * sections, the angle tags of disseminated `.nc` files, and mixtures of both (ownership forms before 2003). Indentation
 * is ignored. Closing tags do not change how the next line is read, so the stray closing tags of 1998 to 2000 do no
 * harm.
 */

import { excerpt, storable } from '../text.ts'
import { cik as cikOf } from '../values.ts'
import { ALIASES, FIELDS, IGNORED, ROLES, SECTIONS } from './header-fields.ts'
import { linesOf, readLine, type SgmlLine } from './line.ts'
import { dayOf } from './moment.ts'
import { type HeaderSeries, SeriesReader } from './series.ts'

export interface Address {
  street1: string | null
  street2: string | null
  city: string | null
  /** EDGAR's code: `NY`, `K3`. */
  state: string | null
  zip: string | null
  phone: string | null
}

export interface HeaderFiler {
  /**
   * The role: `filer`, `subject company`, `filed by`, `filed for`, `issuer`, `reporting owner`, `serial company`,
   * `depositor`, …
   */
  role: string
  /** Ten digits. */
  cik: string | null
  name: string | null
  /** Standard industrial classification, in digits. */
  sic: string | null
  sicDescription: string | null
  /** Digits. Null if all digits are zero, which means that the filer has no number. */
  irsNumber: string | null
  stateOfIncorporation: string | null
  /** `MMDD`. Null if all digits are zero. */
  fiscalYearEnd: string | null
  formType: string | null
  /** The SEC ACT of the header, such as `33`, `34`, `40` or `DF`. */
  act: string | null
  fileNumber: string | null
  filmNumber: string | null
  businessAddress: Address | null
  mailAddress: Address | null
  formerNames: { name: string; changedDate: string | null }[]
}

/** Days are `YYYY-MM-DD`. */
export interface Header {
  /** Dashed. */
  accession: string | null
  form: string | null
  filedDate: string | null
  periodOfReport: string | null
  /** ISO 8601 with the New York offset of that moment. */
  acceptedAt: string | null
  changedDate: string | null
  effectiveDate: string | null
  documentCount: number | null
  /** Whether the submission was released late, since it was first filed as private. */
  privateToPublic: boolean
  /** Whether the submission is the electronic copy that confirms an earlier paper filing. */
  confirmingCopy: boolean
  /** ITEM INFORMATION as given: descriptions or codes; see `itemCode`. */
  items: string[]
  filers: HeaderFiler[]
  series: HeaderSeries[]
  /** Unreadable lines and values: none is dropped silently. */
  problems: string[]
  /** Byte offset at which the submission is cut off, if it is cut off. */
  cutOff?: string
}

/** Maximum number of recorded problems; further problems would add nothing. */
const PROBLEMS_MAX = 100

/** EDGAR's own limit for a value is 150 characters. */
const LINE_MAX = 4096

/** Maximum number of lines of a header. 469 filers, the most ever seen, take 15,000 lines. */
const LINES_MAX = 50_000

/**
 * The lines that open a header, with the kind of that header. A submission has one header of each kind. Microsoft's
 * report of 1995 has its header twice (0000891020-95-000433), and would get two filers without this rule.
 */
const OPENINGS: Readonly<Record<string, string>> = {
  'SEC HEADER': 'header',
  'IMS HEADER': 'header',
  SUBMISSION: 'submission',
}

const SCALARS = [
  ...(['accession', 'form', 'filedDate', 'periodOfReport', 'acceptedAt', 'changedDate'] as const),
  ...(['effectiveDate', 'documentCount'] as const),
]

/** Takes the lines in order. The entries of header-fields.ts handle them. */
export class HeaderReader {
  readonly header: Header = {
    ...{ accession: null, form: null, filedDate: null, periodOfReport: null, acceptedAt: null, changedDate: null },
    ...{
      effectiveDate: null,
      documentCount: null,
      privateToPublic: false,
      confirmingCopy: false,
      items: [],
      filers: [],
      problems: [],
    },
    series: [],
  }
  filer: HeaderFiler | null = null
  address: 'businessAddress' | 'mailAddress' | null = null
  /** Whether the current lines are inside MULTI-ACCESSION-NUMBERS, which lists other submissions. */
  others = false
  /** Whether the header groups items by rules, as that of Form SD does. */
  hasRules = false
  private readonly begun = new Set<string>()
  /** Reads the lines of a repeated header, and the lines of any header after it. */
  private second: HeaderReader | null = null
  private readonly isOther: boolean
  private role: string | null = null
  private file: string | null = null
  private readonly series = new SeriesReader((value, key) => this.cik(value, key))

  /**
   * @param isOther whether this reader is for the headers after the first header; there may be any number of such
   * headers
   */
  constructor(isOther = false) {
    this.isOther = isOther
  }

  line(given: string): void {
    // In 2000 the `]` of an industry code often begins the next line.
    const text = storable(given.replace(/^\]/, ''))
    if (text.length < given.length && given.includes('\0')) this.problem(`NUL removed from: ${text.trim()}`)
    if (/^\s*$/.test(text)) return
    const line = text.length > LINE_MAX ? null : readLine(text)
    if (line && !line.close && !this.isOther && this.isSecond(line.key)) this.second ??= new HeaderReader(true)
    if (this.second) this.second.line(text)
    else if (!line) this.problem(`unreadable line: ${text.trim()}`)
    else if (!line.close) this.open(ALIASES[line.key] ?? line.key, line)
    else if (line.key === 'MULTI ACCESSION NUMBERS') this.others = false
    else this.series.close(line.key)
  }

  finish(): Header {
    this.header.series = this.series.found
    if (this.file !== null) this.put(this.header, 'accession', this.file, 'accession in the first line')
    if (this.second) this.compare(this.second.finish())
    return this.header
  }

  /** Whether this line opens another header after the first. */
  private isSecond(key: string): boolean {
    const opened = OPENINGS[key]
    if (opened === undefined) return false
    const isSecond = this.begun.has(opened)
    this.begun.add(opened)
    return isSecond
  }

  /** Adds facts that only the second header has. A fact that differs between the two is a problem. */
  private compare(second: Header): void {
    const { header } = this
    this.problem('the header appears twice')
    for (const problem of second.problems) this.problem(`second header: ${problem}`)
    for (const name of ['items', 'filers', 'series'] as const) {
      const [own, other]: [unknown[], unknown[]] = [header[name], second[name]]
      const known = new Set(own.map((part) => JSON.stringify(part)))
      if (known.size === 0) own.push(...other)
      else for (const part of other) if (!known.has(JSON.stringify(part))) this.differs(name, part)
    }
    for (const name of ['privateToPublic', 'confirmingCopy'] as const) header[name] ||= second[name]
    for (const name of SCALARS) {
      const value = second[name]
      if (header[name] === null) Object.assign(header, { [name]: value })
      else if (value !== null && value !== header[name]) this.differs(name, value)
    }
  }

  private differs(name: string, value: unknown): void {
    this.problem(`second header: another ${name}: ${JSON.stringify(value)}`)
  }

  private open(key: string, line: SgmlLine): void {
    const { value } = line
    if (IGNORED.has(key) || (this.others && key === 'ACCESSION NUMBER') || this.series.open(line.key, value)) return
    if (Object.hasOwn(SECTIONS, key)) SECTIONS[key]!(this)
    else if (Object.hasOwn(FIELDS, key)) {
      if (value !== '') FIELDS[key]!(this, value, key)
    } else {
      if (!ROLES.has(key) || value !== '') this.problem(`unknown line: ${key}${value && `: ${value}`}`)
      // A line without a value before COMPANY DATA is a role, even if that role is unknown.
      if (value === '') this.role = key.toLowerCase()
    }
  }

  enter(address: HeaderReader['address']): void {
    this.address = address
  }

  company(): void {
    if (this.role === null) this.problem('company data without a role')
    const role = this.role ?? this.filer?.role ?? 'filer'
    this.role = null
    this.address = null
    this.filer = {
      ...{ role, cik: null, name: null, sic: null, sicDescription: null, irsNumber: null, stateOfIncorporation: null },
      ...{ fiscalYearEnd: null, formType: null, act: null, fileNumber: null, filmNumber: null },
      ...{ businessAddress: null, mailAddress: null, formerNames: [] },
    }
    this.header.filers.push(this.filer)
  }

  /** `<SEC-DOCUMENT>0001012325-98-000004.txt : 19981123` */
  name(value: string): void {
    this.file = /(\d{10}-\d{2}-\d{6})\.txt/.exec(value)?.[1] ?? null
  }

  /** Sets a field. The first value stays; a second value that differs is a problem. */
  put<T, K extends keyof T>(target: T, name: K, value: T[K], key: string): void {
    if (target[name] === null) target[name] = value
    else if (value !== null && target[name] !== value) this.problem(`another ${key}: ${value}`)
  }

  day(value: string, key: string): string | null {
    const day = dayOf(value)
    if (day === null) this.problem(`${key} is not a valid day: ${value}`)
    return day
  }

  cik(value: string, key: string): string | null {
    const cik = cikOf(value)
    // A filer always has a CIK, so zeros are as invalid as letters.
    if (!cik) this.problem(`${key} is not a valid CIK: ${value}`)
    return cik ?? null
  }

  problem(what: string): void {
    const { problems } = this.header
    if (problems.length < PROBLEMS_MAX) problems.push(excerpt(what))
    else if (problems.length === PROBLEMS_MAX) problems.push('and more problems')
  }
}

/**
 * Returns the facts of a header.
 *
 * @param text from the container's tag, or from the first line of the header, up to the first document
 * @throws Error if the header has more lines than any header can have
 */
export function readHeader(text: string): Header {
  const reader = new HeaderReader()
  const lines = linesOf(text)
  if (lines.length > LINES_MAX) throw new Error(`the header has more than ${LINES_MAX} lines`)
  for (const line of lines) reader.line(line)
  return reader.finish()
}
