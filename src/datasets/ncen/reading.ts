/** Makes the rows of one Form N-CEN from its parts, which come from its submission or are rebuilt from a set. */
import type { ParsedRow } from '../../declare/dataset.ts'
import { fundKey, NO_SERIES, type Series } from '../../read/fund.ts'
import type { Element } from '../../read/xml.ts'
import { fundParts } from './parse/fund.ts'
import { attachments, header, period, registrant, registrantLists, signature } from './parse/registrant.ts'
import { closedEnd, exchangeTraded, unitTrust } from './parse/rest.ts'
import type { Part } from './parse/values.ts'
import type { SOURCES } from './tables/columns.ts'
import { fund as table } from './tables/fund.ts'

/** Tables with one row per filing. The row has no number. */
const SINGLE = new Set(['report', 'closed_end', 'unit_trust'])

/**
 * Collects facts about a filing while its parts arrive, in the order of the schema: header, registrant, funds, the
 * rest.
 */
export class Reading {
  readonly #source: (typeof SOURCES)[number]
  readonly #numbers = new Map<string, number>()
  #header: ReturnType<typeof header> | null = null
  #registrant: ReturnType<typeof registrant> | null = null
  #cik: string | null = null
  #period = { period: null as string | null, is_short_period: null as boolean | null }
  #attachments: string[] = []
  #signature: ReturnType<typeof signature> | null = null
  #funds = 0
  #isEtf = false
  readonly #fundOf = (series: Series) => fundKey(this.#cik, series)

  constructor(source: (typeof SOURCES)[number]) {
    this.#source = source
  }

  #report() {
    const head = this.#header
    const body = this.#registrant
    if (head === null || !/^N-CEN(\/A)?$/.test(head.submissionType ?? '')) {
      throw new Error(`not a Form N-CEN: submissionType ${head?.submissionType ?? null}`)
    }
    if (body === null) throw new Error('registrantInfo is missing')
    const report = {
      submission_type: head.submissionType,
      ...this.#period,
      ...head.rows,
      ...body,
      cik: this.#cik,
      file_number: body.file_number ?? head.fileNumber,
      classification: body.classification ?? head.classification,
      attachments: this.#attachments,
      source: this.#source,
      ...(this.#signature ?? UNSIGNED),
    }
    return { report, registrant: body }
  }

  /** Yields the rows of the next part. */
  *read(part: Element): Generator<ParsedRow> {
    for (const row of this.#partsOf(part)) yield this.#numbered(row)
  }

  #numbered([table, row]: Part): ParsedRow {
    if (SINGLE.has(table)) return [table, row]
    const n = (this.#numbers.get(table) ?? 0) + 1
    this.#numbers.set(table, n)
    return [table, { n, ...row }]
  }

  *#partsOf(part: Element): Generator<Part> {
    switch (part.name) {
      case 'headerData':
        this.#header = header(part)
        this.#cik = this.#header.cik
        break
      case 'generalInfo':
        this.#period = period(part)
        break
      case 'registrantInfo':
        yield* this.#readRegistrant(part)
        break
      case 'managementInvestmentQuestion':
        this.#funds++
        yield* fundParts(part, this.#fundOf, this.#cik)
        break
      case 'closedEndManagementInvestment':
        yield* closedEnd(part, this.#fundOf(NO_SERIES))
        break
      case 'exchangeTradedFund':
        this.#isEtf = true
        yield* exchangeTraded(part, this.#fundOf)
        break
      case 'unitInvestmentTrust':
        yield* unitTrust(part)
        break
      case 'attachmentsTab':
        this.#attachments = attachments(part)
        break
      case 'signature':
        this.#signature = signature(part)
        break
      case 'schemaVersion':
        part.text()
        break
      case 'documents':
        // This element has attachments as text. EDGAR removes them from the form and publishes them separately.
        part.ignore('document')
    }
  }

  *#readRegistrant(part: Element): Generator<Part> {
    this.#registrant = registrant(part)
    const { cik } = this.#registrant
    // If the CIKs differ, uses the CIK of the filer in the form's header, because funds have that CIK in all other
    // forms.
    if (this.#cik !== null && cik !== null && cik !== this.#cik) {
      part.problem(cik, `differs from the filer's CIK, ${this.#cik}, which is used`)
    }
    this.#cik ??= cik
    yield* registrantLists(part, this.#fundOf)
  }

  /**
   * Yields the report. If the report names no fund, also yields the registrant as a fund.
   *
   * @throws Error if the header of an N-CEN or the registrant is missing
   */
  *end(): Generator<ParsedRow> {
    const { report, registrant: body } = this.#report()
    if (this.#funds === 0) {
      const { registrant_name: name, lei } = body
      yield this.#numbered(registrantAsFund(this.#fundOf(NO_SERIES), { cik: this.#cik, name, lei, isEtf: this.#isEtf }))
    }
    yield ['report', report]
  }
}

const UNSIGNED = { signed_by: null, signature: null, signer_title: null, signed: null }

/**
 * Makes the row of a registrant that does not answer part C, such as a unit investment trust. The registrant is itself
 * the fund. Only the name of the fund, its LEI, and whether it answers part E are known.
 */
function registrantAsFund(
  fund: string | null,
  { cik, name, lei, isEtf }: { cik: string | null; name: string | null; lei: string | null; isEtf: boolean },
): Part {
  const empty = Object.keys(table.columns).map((column) => [column, LISTS.includes(column) ? [] : null])
  const { n: _, ...rest } = Object.fromEntries(empty)
  return ['fund', { ...rest, fund, cik, fund_name: name, lei, is_etf: isEtf }]
}

const LISTS = ['fund_types', 'lending_payments', 'rules']
