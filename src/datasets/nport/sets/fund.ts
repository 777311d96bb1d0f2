/**
 * Rebuilds the form's elements about the fund from the SEC's data sets of Form N-PORT (since 2019 Q4). `fund.tsv` says
 * which element each column becomes.
 *
 * The sets lack the following, so rows from them have null: the header (classes, kind of company, confidentiality); the
 * signature; the liquidity and derivatives programs of Part B (B.7 to B.12) except the index of a VaR test; terms of
 * the names rule.
 */
import { readFileSync } from 'node:fs'
import type { CsvRow } from '../../../read/csv.ts'
import type { Branch, Made } from '../../../read/made.ts'
import { once, SetMap } from '../../../read/set-map.ts'

const FILE = new URL('fund.tsv', import.meta.url)

/** Contracts and instruments of Item B.5.c, by the beginnings of their names. */
const CONTRACTS: readonly (readonly [RegExp, string])[] = [
  [/^comm/i, 'commodityContracts'],
  [/^cred/i, 'creditContracts'],
  [/^equi/i, 'equityContracts'],
  [/^(foreign|fx)/i, 'foreignExchgContracts'],
  [/^inter/i, 'interestRtContracts'],
  [/^other/i, 'otherContracts'],
]
const INSTRUMENTS: readonly (readonly [RegExp, string])[] = [
  [/^forward/i, 'forwardCategory'],
  [/^future/i, 'futureCategory'],
  [/^option/i, 'optionCategory'],
  [/^swaption/i, 'swaptionCategory'],
  [/^swap/i, 'swapCategory'],
  [/^warrant/i, 'warrantCategory'],
  [/^other/i, 'otherCategory'],
]

const found = (text: string, of: readonly (readonly [RegExp, string])[]) => of.find(([name]) => name.test(text))?.[1]

/** The branches for all data of a filing except its holdings. The map is read when it is first needed. */
export const fundBranches = once((): readonly Branch[] => {
  const map = new SetMap([['nport/sets/fund.tsv', readFileSync(FILE, 'utf8')]])
  const more = { BORROW_AGGREGATE: aggregate, MONTHLY_RETURN_CAT_INSTRUMENT: gains }
  // FUND_REPORTED_INFO fills elements of `genInfo` and of `fundInfo`. So the map has a second root, `formData`, for the
  // branch of `fundInfo`.
  const ofForm = map.branches('formData', more).map((branch) => ({ ...branch, at: `formData/${branch.at}` }))
  return [...map.branches('edgarSubmission'), ...ofForm]
})

function aggregate(made: Made, row: CsvRow): void {
  const other = row.text('OTHER_DESC')
  made.put(other === null ? 'invstCat' : 'invstCatConditional/@invstCat', row.text('INVESTMENT_CAT'))
  made.put('invstCatConditional/@otherDesc', other)
}

function gains(made: Made, row: CsvRow): void {
  const [contract, kind] = [row.text('ASSET_CAT'), row.text('INSTRUMENT_KIND')]
  const [of, instrument] = [found(contract ?? '', CONTRACTS), found(kind ?? '', INSTRUMENTS)]
  // If a line names a kind of contract but no instrument, its gains are those of all instruments.
  if (of === undefined) row.problem('ASSET_CAT', contract ?? '', 'is not a type of contract that the form lists')
  else if (kind !== null && instrument === undefined)
    row.problem('INSTRUMENT_KIND', kind, 'is not a type of instrument that the form lists')
  else {
    const at = instrument === undefined ? `${of}/mon` : `${of}/${instrument}/instrMon`
    for (const month of [1, 2, 3]) {
      made.put(`${at}${month}/@netRealizedGain`, row.text(`NET_REALIZED_GAIN_MON${month}`))
    }
    for (const month of [1, 2, 3]) {
      made.put(`${at}${month}/@netUnrealizedAppr`, row.text(`NET_UNREALIZED_AP_MON${month}`))
    }
  }
}
