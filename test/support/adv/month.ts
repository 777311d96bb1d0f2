/** Monthly archives of Form ADV and ADV-W data, built from the filings of a world. */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { COLUMNS, WITHDRAWAL_COLUMNS } from './columns.ts'
import { MEMBERS, type SheetOptions, Sheets } from './csv.ts'
import type { Encoding } from './encoding.ts'
import type { Address, Firm, Line } from './firm.ts'
import { american } from './random.ts'
import { answersThen, type Filing } from './world.ts'
import { ZipWriter } from './zip.ts'

export interface Month {
  /** First and last day. */
  from: string
  to: string
  filings: readonly Filing[]
  encoding: Encoding
}

export interface MonthOptions extends Partial<SheetOptions> {
  /** Files to leave out, named with `IA_` or `ERA_`. */
  without?: readonly string[]
  /** If n is given, repeats the base line of every n-th filing in its file. */
  duplicateEvery?: number
  /** Writes regulatory assets as `1.10924E+11`, as some months have them. */
  scientific?: boolean
  level?: number
}

export interface MonthFacts {
  file: string
  from: string
  to: string
  encoding: Encoding
  /** Number of different FilingIDs. */
  filings: number
  /** Lines after the header, by file. */
  lines: Record<string, number>
  /** Number of fund lines whose gross asset value is `N`. */
  unreadableGross: number
  duplicates: number
  bytes: number
}

const compact = (day: string) => day.replaceAll('-', '')
/** Path of an archive below the site's root. */
export const archivePath = (category: string, prefix: string, from: string, to: string) =>
  `reports/foia/${category}/${from.slice(0, 4)}/${prefix}_${compact(from)}_${compact(to)}.zip`

const pad = (value: number) => String(value).padStart(2, '0')

/** Formats a moment in one of the three formats that occur, chosen by the number of the filing. */
export function submitted(day: string, id: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const [hour, minute, second] = [9 + (id % 9), id % 60, (id * 7) % 60]
  if (id % 3 === 0)
    return `${american(day)} ${pad(((hour + 11) % 12) + 1)}:${pad(minute)}:${pad(second)} ${hour < 12 ? 'AM' : 'PM'}`
  if (id % 3 === 1) return `${month}/${date}/${year}`
  return `${month}/${date}/${year} ${hour}:${pad(minute)}`
}

const office = (prefix: string, of: Address | null): Line => ({
  [`${prefix}-Street 1`]: of?.street1,
  [`${prefix}-Street 2`]: of?.street2,
  [`${prefix}-City`]: of?.city,
  [`${prefix}-State`]: of?.state,
  [`${prefix}-Country`]: of?.country,
  [`${prefix}-Postal`]: of?.postal,
})

function baseLayers(filing: Filing, scientific: boolean): readonly Line[] {
  const { id, day, firm } = filing
  const answers = answersThen(filing)
  const own: Line = {
    FilingID: id,
    FormVersion: firm.formVersion,
    DateSubmitted: submitted(day, id),
    '1A': firm.legal,
    '1B1': firm.business,
    '1D': firm.secNumber,
    '1E1': String(firm.crd),
    ...office('1F1', firm.office),
    '1F3': firm.phone,
    '1F4': firm.fax,
    ...office('1G', firm.mailing),
    'Execution Date': answers.some(({ Signatory }) => Signatory) ? american(day) : null,
  }
  if (scientific) {
    for (const name of ['5F2a', '5F2b', '5F2c']) {
      const amount = Number(answers.find((layer) => layer[name] !== undefined)?.[name])
      if (amount > 1e9) own[name] = amount.toExponential(5).replace('e+', 'E+')
    }
  }
  return [own, ...answers]
}

const TYPES = {
  IA: {
    initial: 'Initial SEC Registration Request',
    annual: 'Annual Updating Amendment for Registered Adviser',
    other: 'Other-Than Anual Amendment For Registered Adviser',
    final: '',
  },
  ERA: {
    initial: 'Initial SEC ERA Report',
    annual: 'Annual Updating Amendment for ERA',
    other: 'Other-Than-Annual Amendment for ERA',
    final: 'Final SEC ERA Report',
  },
}

function addFiling(sheets: Sheets, filing: Filing, has: (member: string) => boolean, scientific: boolean): number {
  const { id, firm, type, day } = filing
  const kind = firm.kind === 'ERA' ? 'ERA' : 'IA'
  const add = (member: string, ...layers: readonly Line[]) => {
    if (has(member)) sheets.add(member, ...layers)
  }
  const named = (name: string) => (/^(?:IA|ERA)_/.test(name) ? name : `${kind}_${name}`)
  const fiscal = type === 'annual' ? Number(day.slice(0, 4)) - 1 : null
  if (type !== null) {
    add('ADV_Filing_Types', { FilingID: id, [TYPES[kind][type]]: 'Y', 'Annual Updating Amendment Fiscal Year': fiscal })
  }
  const base = baseLayers(filing, scientific)
  for (const member of kind === 'ERA' ? ['ERA_ADV_Base'] : ['IA_ADV_Base_A', 'IA_ADV_Base_B']) add(member, ...base)
  const { lines, funds } = firm.schedules()
  for (const [name, all] of Object.entries(lines)) {
    for (const line of all) add(named(name), { FilingID: id, 'Filing ID': id }, line)
  }
  let unreadable = 0
  for (const [at, { fund, of }] of funds.entries()) {
    // References of funds are new in every filing; different funds of one filing have different references.
    const key = { FilingID: id, ReferenceID: 500_000 + ((id * 31 + at) % 400_000) }
    add(named('Schedule_D_7B1'), key, fund)
    if (fund['Gross Asset Value'] === 'N') unreadable++
    for (const [name, all] of Object.entries(of)) {
      for (const line of all) add(named(name), key, line)
    }
  }
  return unreadable
}

/** Writes the archive of a month below `root`. */
export async function writeMonth(root: string, month: Month, options: MonthOptions = {}): Promise<MonthFacts> {
  const { without = [], duplicateEvery = 1_000, scientific = false, level = 1, header } = options
  const encoding = options.encoding ?? month.encoding
  const members = MEMBERS.filter((member) => !without.includes(member))
  const has = (member: string) => !without.includes(member)
  const sheets = new Sheets(COLUMNS, members, { encoding, header })
  let unreadableGross = 0
  let duplicates = 0
  for (const [at, filing] of month.filings.entries()) {
    unreadableGross += addFiling(sheets, filing, has, scientific)
    if (at % duplicateEvery !== duplicateEvery - 1) continue
    const member = filing.firm.kind === 'ERA' ? 'ERA_ADV_Base' : 'IA_ADV_Base_A'
    if (has(member)) sheets.add(member, ...baseLayers(filing, scientific))
    duplicates++
  }
  const file = archivePath('advFilingData', 'ADV_Filing_Data', month.from, month.to)
  const bytes = await writeSheets(path.join(root, file), sheets, month, level)
  const filings = new Set(month.filings.map(({ id }) => id)).size
  const { from, to } = month
  return { file, from, to, encoding, filings, lines: sheets.lines(), unreadableGross, duplicates, bytes }
}

async function writeSheets(
  file: string,
  sheets: Sheets,
  { from, to }: Pick<Month, 'from' | 'to'>,
  level: number,
): Promise<number> {
  await mkdir(path.dirname(file), { recursive: true })
  const zip = await ZipWriter.create(file, to, level)
  for (const [member, chunks] of sheets.files()) await zip.add(`${member}_${compact(from)}_${compact(to)}.csv`, chunks)
  return zip.close()
}

/** A full withdrawal of an adviser's registration, on Form ADV-W. */
export interface Withdrawal {
  id: number
  firm: Firm
  day: string
}

/**
 * Writes the archive of a month's withdrawals below `root`; returns the path of the archive below `root`, and its size.
 */
export async function writeWithdrawals(
  root: string,
  { from, to, encoding }: Omit<Month, 'filings'>,
  all: readonly Withdrawal[],
  level = 1,
) {
  const sheets = new Sheets(WITHDRAWAL_COLUMNS, Object.keys(WITHDRAWAL_COLUMNS), { encoding })
  for (const { id, firm, day } of all) {
    const key: Line = {
      'Filing ID': id,
      'CRD Number': firm.crd,
      'SEC File Number': firm.secNumber,
      'Primary Business Name': firm.business,
      'Full Legal Name': firm.legal,
      'Form Type': 'ADV-W',
      'Filing Type': 'FULL',
      'Form Version': '10/2021',
      'Filing Date': submitted(day, id),
    }
    const { street1, street2, city, state, country, postal } = firm.office
    const at: Line = {
      'Office Street 1': street1,
      'Office Street 2': street2,
      'Office City': city,
      'Office State': state,
      'Office Country': country,
      'Office Postal Code': postal,
    }
    sheets.add('ADVW', {
      ...key,
      ...at,
      'Private Residence': 'N',
      'Business Ceased': 'Y',
      'Date Ceased': american(day),
      'Reasons for Withdrawal': 'NO LONGER IN BUSINESS',
      'Custody of Client Assets': 'N',
      'Signature Date': american(day),
      'Signature Name': 'SAMPLE PERSON',
      'Signature Title': 'MANAGING MEMBER',
    })
    sheets.add('ADVW_W1_5', {
      ...key,
      Name: 'SAMPLE ARCHIVE 01 INC.',
      'Street 1': '1 VAULT ROAD',
      City: 'RENO',
      State: 'NV',
      Country: 'United States',
      'Postal Code': '89501',
      'Private Residence': 'N',
      'Phone Number': '775-555-0100',
    })
  }
  const file = archivePath('advW', 'ADVW', from, to)
  return {
    file,
    from,
    to,
    lines: all.length,
    bytes: await writeSheets(path.join(root, file), sheets, { from, to }, level),
  }
}
