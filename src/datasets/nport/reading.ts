/**
 * Makes the rows of one report from the parsed parts of an XML document or of a set. Holdings are streamed and summed
 * up.
 */
import { storedQuarter } from '../../declare/quarter.ts'
import { cusipFlag, isPrivate, securityId } from '../../read/securityid.ts'
import { stated } from '../../read/values.ts'
import type { Head, Signature } from './parse/head.ts'
import type { Findings, Line, Row, RowOf } from './parse/types.ts'
import { cusipOf } from './parse/values.ts'
import { securityKey } from './security.ts'

export const nothingFound = (): Findings => ({ problems: [], unread: new Set(), lines: 0, read: 0, cutOff: null })

/**
 * Maximum number of securities that are remembered, so that each is yielded once. If a report has more, the loader
 * removes the repetitions.
 */
const SECURITIES_MAX = 50_000

/** Collects facts about a report while its holdings stream through. */
export class Reading {
  #head: Head
  readonly #source: RowOf<'quality'>['source']
  readonly #quarter: string
  #netAssets: number
  readonly #known = new Set<string>()
  readonly #value = new Sum()
  readonly #percent = new Sum()
  readonly #counts = { values: 0, balances: 0, cusips: 0, unnamed: 0, private: 0, percents: 0 }
  #lines = 0

  constructor(head: Head, source: RowOf<'quality'>['source']) {
    this.#head = head
    this.#source = source
    this.#quarter = storedQuarter(head.period)
    this.#netAssets = Number(head.net_assets ?? Number.NaN)
  }

  /**
   * Adds figures of the fund that follow the holdings in the document. In the order that the form prescribes, no
   * figures follow the holdings.
   */
  amend(fund: Partial<Head>): void {
    this.#head = { ...this.#head, ...fund }
    this.#netAssets = Number(this.#head.net_assets ?? Number.NaN)
  }

  /** Returns the rows of one holding. */
  take({ security: key, holding, more }: Line): Row[] {
    const placed = { n: ++this.#lines, quarter: this.#quarter }
    const { cusip, isin, ticker } = key
    const sec_id = securityId({ cusip, isin, name: key.issuer_name, title: key.title_of_class })
    const is_private = isPrivate({
      ...{ cusip, isin, ticker, assetCat: key.asset_cat, issuerCat: key.issuer_cat },
      ...{ isRestricted: holding.is_restricted, level: holding.fair_value_level },
    })
    const flag = stated(cusip) === null ? 'missing' : cusipFlag(cusip)
    this.#count(holding, { isFlagged: flag !== null && flag !== 'missing', isUnnamed: sec_id === null, is_private })
    const security = securityKey(key)
    const rows: Row[] = [
      ['holding', { ...holding, n: placed.n, quarter: placed.quarter, sec_id, security, is_private }],
      ...more(placed),
    ]
    if (this.#known.has(security)) return rows
    if (this.#known.size >= SECURITIES_MAX) this.#known.clear()
    this.#known.add(security)
    rows.push(['security', { ...key, security, sec_id, cusip: cusipOf(cusip), cusip_flag: flag }])
    return rows
  }

  #count(
    { value, balance, percent }: Line['holding'],
    { isFlagged, isUnnamed, is_private }: { isFlagged: boolean; isUnnamed: boolean; is_private: boolean },
  ): void {
    const counts = this.#counts
    if (value === null) counts.values++
    else this.#value.add(value)
    if (percent !== null) this.#percent.add(percent)
    if (balance === null) counts.balances++
    if (isFlagged) counts.cusips++
    if (isUnnamed) counts.unnamed++
    if (is_private) counts.private++
    if (value === null || percent === null || !(Math.abs(this.#netAssets) > 0)) return
    const differs = Math.abs((Number(value) / this.#netAssets) * 100 - Number(percent))
    if (differs > PERCENT_TOLERANCE) counts.percents++
  }

  /**
   * Returns the report and its quality, after all holdings.
   *
   * @param signature the signature, which follows the holdings in the document
   */
  end({ lines, read, cutOff }: Findings, signature: Signature): Row[] {
    const head = this.#head
    const held = this.#value.toString()
    const net = head.net_assets
    const netDiffer = net === null ? null : new Sum(held).subtract(net)
    const all = [held, head.cash_not_reported, head.miscellaneous_securities]
    const totalDiffer = head.total_assets === null ? null : new Sum(...all).subtract(head.total_assets)
    const share = (differs: Sum | null, of: string | null) =>
      differs === null || of === null || Number(of) === 0 ? 0 : Number(differs.toString()) / Math.abs(Number(of))
    const notes: [string, boolean][] = [
      ['cut_off', cutOff !== null],
      ['lines_unread', read < lines],
      ['no_fund_info', net === null],
      ['above_total_assets', share(totalDiffer, head.total_assets) > TOLERANCE],
      ['below_net_assets', share(netDiffer && new Sum(netDiffer.toString(), ...all.slice(1)), net) < -TOLERANCE],
      ['percent_differs', this.#counts.percents > 0],
    ]
    const quality: RowOf<'quality'> = {
      source: this.#source,
      line_count: lines,
      lines_read: read,
      cut_off: cutOff,
      values_missing: this.#counts.values,
      balances_missing: this.#counts.balances,
      cusips_flagged: this.#counts.cusips,
      unnamed: this.#counts.unnamed,
      private: this.#counts.private,
      percent_total: this.#lines === 0 ? null : this.#percent.toString(),
      percent_differ: this.#counts.percents,
      net_assets_differ: netDiffer?.toString() ?? null,
      total_assets_differ: totalDiffer?.toString() ?? null,
      notes: notes.filter(([, holds]) => holds).map(([what]) => what),
    }
    return [
      ['report', { ...head, ...signature, holding_count: this.#lines, holdings_value: held }],
      ['quality', quality],
    ]
  }
}

/**
 * Tolerance in percentage points. Percentages have at least two decimals. So a larger difference than this means that
 * the stated percentage does not fit the value of the holding and the net assets.
 */
const PERCENT_TOLERANCE = 0.01
/**
 * Tolerance above total assets and below net assets, as a share of these. Holdings never equal either: cash and
 * receivables are not holdings, and assets that liabilities or short positions finance are not net assets. So
 * differences of up to a twentieth get no note.
 */
const TOLERANCE = 0.05

/** An exact sum of numbers with at most twelve decimals, as the form allows; further decimals are cut off. */
class Sum {
  #total = 0n
  constructor(...amounts: (string | null)[]) {
    for (const amount of amounts) if (amount !== null) this.add(amount)
  }

  add(amount: string): void {
    this.#total += scaled(amount)
  }

  subtract(amount: string): this {
    this.#total -= scaled(amount)
    return this
  }

  toString(): string {
    const sign = this.#total < 0n ? '-' : ''
    const digits = `${this.#total < 0n ? -this.#total : this.#total}`.padStart(DIGITS + 1, '0')
    const fraction = digits.slice(-DIGITS).replace(/(?<!0)0+$/, '')
    return `${sign}${digits.slice(0, -DIGITS)}${fraction === '' ? '' : `.${fraction}`}`
  }
}

const DIGITS = 12

function scaled(amount: string): bigint {
  const point = amount.indexOf('.')
  if (point < 0) return BigInt(amount) * 10n ** 12n
  return BigInt(amount.slice(0, point) + amount.slice(point + 1, point + 1 + DIGITS).padEnd(DIGITS, '0'))
}
