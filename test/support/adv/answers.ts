/** Invented answers to Part 1A: sums are consistent, and sizes are as skewed as those of real firms. */
import { type Answers, CLIENTS, type Firm } from './firm.ts'
import type { Random } from './random.ts'

/** The facts about a firm that decide its answers. */
export interface Character {
  kind: Firm['kind']
  raum: number | null
  /** Assets of its private funds, for firms that have any. */
  fundAssets: number
  funds: number
  /** Whether the firm advises only its own private funds. */
  fundsOnly: boolean
  disciplinary: boolean
  webs: number
}

const range = (prefix: string, last: number) => Array.from({ length: last }, (_, i) => `${prefix}${i + 1}`)

/** Questions answered by yes or no, with the share of firms that say yes. */
const OFTEN = new Map<string, number>([
  ...range('5G', 12).map((name) => [name, 0.2] as const),
  ...range('6A', 14).map((name) => [name, 0.04] as const),
  ...range('6B', 3).map((name) => [name, 0.05] as const),
  ...range('7A', 16).map((name) => [name, 0.08] as const),
  ...['5L1a', '5L1b', '5L1c', '5L1d', '5L1e', '5L2', '5L3', '5L4'].map((name) => [name, 0.15] as const),
  ...['8A1', '8A2', '8A3', '8B1', '8B2', '8B3'].map((name) => [name, 0.3] as const),
  ...['8C1', '8C2', '8C3', '8C4'].map((name) => [name, 0.85] as const),
  ...['8D', '8E', '8F', '8G1', '8G2', '8H1', '8H2', '8I'].map((name) => [name, 0.4] as const),
  ...['9A1a', '9A1b', '9B1a', '9B1b', '9C1', '9C2', '9C3', '9C4', '9D1', '9D2'].map((name) => [name, 0.25] as const),
  ...['5I1', '5J1', '5J2', '5K1', '5K2', '5K3', '5K4', '10A'].map((name) => [name, 0.3] as const),
])

const ELEVEN = [
  '11A1',
  '11A2',
  '11B1',
  '11B2',
  ...range('11C', 5),
  ...range('11D', 5),
  ...range('11E', 4),
  '11F',
  '11G',
]
const DISCIPLINARY = [...ELEVEN, '11H1a', '11H1b', '11H1c', '11H2']

/** Questions of registered advisers whose answer is Y or N. */
export const YES_OR_NO: readonly string[] = ['5F1', '7B', '11', ...range('5E', 7), ...OFTEN.keys(), ...DISCIPLINARY]

/**
 * Types of clients of firms that serve the public (Item 5.D); each with the share of firms that have such clients, and
 * the usual number of clients.
 */
const PUBLIC: readonly (readonly [letter: string, share: number, usual: number])[] = [
  ['a', 0.75, 120],
  ['b', 0.85, 60],
  ['c', 0.02, 2],
  ['d', 0.08, 4],
  ['e', 0.01, 1],
  ['f', 0.2, 3],
  ['g', 0.4, 8],
  ['h', 0.4, 9],
  ['i', 0.08, 5],
  ['j', 0.06, 3],
  ['k', 0.08, 6],
  ['l', 0.01, 1],
  ['m', 0.35, 7],
  ['n', 0.05, 3],
]

export function answersOf(random: Random, { kind, raum, funds, fundAssets, ...firm }: Character): Answers {
  const answers: Answers = {
    '1I': firm.webs > 0 ? 'Y' : 'N',
    '1M': random.yes(0.03),
    '1N': random.yes(0.02),
    '1O': (raum ?? 0) > 2e11 ? 'Y' : 'N',
    '1F5': random.chance(0.2) ? random.int(1, 12) : 0,
    '7B': funds > 0 ? 'Y' : 'N',
    '3A': random.pick(['Limited Liability Company', 'Limited Liability Company', 'Corporation', 'Limited Partnership']),
    '3B': random.chance(0.94) ? 'DECEMBER' : random.pick(['MARCH', 'JUNE', 'SEPTEMBER']),
    '3C-State': random.pick(['DE', 'DE', 'NY', 'CA', 'TX', 'FL']),
    '3C-Country': 'United States',
    '11': firm.disciplinary ? 'Y' : 'N',
    '1F2-M-F': 'Monday - Friday',
    '1F2-Hours': '9:00AM TO 5:00PM',
    'Execution Type': 'Domestic',
    Signatory: 'SAMPLE PERSON',
    Title: 'CHIEF COMPLIANCE OFFICER',
  }
  if (answers['1O'] === 'Y') answers['1OAmount'] = (raum ?? 0) > 1e12 ? '>=50B' : '1-10B'
  if (random.chance(0.35)) answers['1P'] = `SAMPLE${random.int(1e6, 9e6)}`.padEnd(20, '0')
  for (const name of DISCIPLINARY) answers[name] = 'N'
  if (firm.disciplinary) for (let i = 0; i < 2; i++) answers[random.pick(DISCIPLINARY)] = 'Y'
  for (const [name, share] of OFTEN) {
    if (kind !== 'ERA' || /^(?:6|7|10)/.test(name)) answers[name] = random.yes(share)
  }
  if (kind === 'ERA') {
    const venture = random.chance(0.5)
    return { ...answers, '2B1': venture ? 'Y' : 'N', '2B2': venture ? 'N' : 'Y', '2B3': 'N', '2B-Assets': fundAssets }
  }
  for (let i = 1; i <= 13; i++) answers[`2A${i}`] = 'N'
  answers[kind === 'SEC' ? '2A1' : '2A13'] = 'Y'
  const staff = Math.min(40_000, Math.max(1, Math.round(random.skewed(8, 1) * Math.max(1, (raum ?? 0) / 4e9) ** 0.4)))
  Object.assign(answers, {
    '5A': staff,
    '5B1': Math.ceil(staff * 0.6),
    '5B2': Math.floor(staff * 0.2),
    '5B3': Math.floor(staff * 0.3),
    '5B4': 0,
    '5B5': 0,
    '5B6': random.chance(0.1) ? random.int(1, 20) : 0,
    '5C1': 0,
    '5C2': random.int(0, 100),
    '5E1': random.yes(0.95),
    '5E2': random.yes(0.25),
    '5E3': random.yes(0.02),
    '5E4': random.yes(0.4),
    '5E5': random.yes(0.03),
    '5E6': funds > 0 ? random.yes(0.8) : random.yes(0.05),
    '5E7': random.yes(0.12),
    '5F1': raum === null ? 'N' : 'Y',
    '5H': random.pick(['0', '1-10', '11-25', '26-50', '51-100']),
    '9F': random.int(0, 6),
  })
  if (answers['5E7'] === 'Y') answers['5E7-Other'] = 'PERCENTAGE OF "COMMITTED" CAPITAL, MANAGEMENT & SERVICE FEES'
  if (answers['9C2'] === 'Y') answers['9E'] = `${String(random.int(1, 12)).padStart(2, '0')}/2025`
  if (raum === null) return answers
  const accounts = clients(random, answers, raum, firm.fundsOnly, funds)
  const discretionary = random.chance(0.7) ? raum : Math.floor(raum * random.next())
  const managed = discretionary === raum ? accounts : Math.floor(accounts * 0.8)
  return Object.assign(answers, {
    '5F2a': discretionary,
    '5F2b': raum - discretionary,
    '5F2c': raum,
    '5F2d': managed,
    '5F2e': accounts - managed,
    '5F2f': accounts,
    '5F3': random.chance(0.15) ? Math.floor(raum * 0.1) : 0,
  })
}

/** Fills Item 5.D so that its assets add up to `raum`; returns the number of accounts. */
function clients(random: Random, answers: Answers, raum: number, fundsOnly: boolean, funds: number): number {
  for (const letter of CLIENTS) {
    answers[`5D1${letter}`] = 0
    answers[`5D3${letter}`] = 0
    if (!['d', 'e', 'f'].includes(letter)) answers[`5D2${letter}`] = 'N'
  }
  let accounts = 0
  let weights = 0
  const chosen: [letter: string, weight: number][] = []
  for (const [letter, share, usual] of PUBLIC) {
    if (fundsOnly ? letter !== 'f' : letter === 'f' ? funds === 0 : !random.chance(share)) continue
    const count = letter === 'f' ? Math.max(1, funds) : Math.max(1, Math.round(random.skewed(usual, 0.9)))
    // Item 5.D(2): a firm with fewer than five clients of a type need not say how many.
    if (count < 5 && !['d', 'e', 'f'].includes(letter) && random.chance(0.5)) answers[`5D2${letter}`] = 'Y'
    else answers[`5D1${letter}`] = count
    accounts += Math.ceil(count * 1.4)
    const weight = random.skewed(1, 1)
    weights += weight
    chosen.push([letter, weight])
  }
  if (chosen.length === 0) chosen.push(['b', 1])
  let left = raum
  for (const [letter, weight] of chosen.slice(1)) {
    const assets = Math.floor((raum * weight) / weights)
    answers[`5D3${letter}`] = assets
    left -= assets
  }
  answers[`5D3${chosen[0]![0]}`] = left
  if (answers['5D3n'] !== 0) answers['5D1n Other'] = 'FAMILY OFFICES'
  return Math.max(1, accounts)
}
