/** Prompts for three common tasks. */
import { beginning } from './render/plain.ts'

interface Declared {
  name: string
  title: string
  description: string
  arguments: readonly { name: string; description: string; required: boolean }[]
  text: (args: Readonly<Record<string, string>>) => string
}

const SOURCES = 'State the accession and the address of the filing for each fact, and say what is not loaded.'

const PROMPTS: readonly Declared[] = [
  {
    name: 'who_bought',
    title: 'Who bought a stock',
    description: 'The largest buyers and sellers of a security in the newest quarter',
    arguments: [{ name: 'security', description: 'Ticker, name or CUSIP', required: true }],
    text: ({ security }) =>
      `Which holders bought and which sold the most shares of ${security} in the newest quarter? Call holders with sort=bought, and with sort=sold. Give a table of each group with the shares bought or sold. ${SOURCES}`,
  },
  {
    name: 'company_brief',
    title: 'A company in one page',
    description: 'Who a company is, its figures, its insiders and its newest reports',
    arguments: [{ name: 'company', description: 'Ticker, name or CIK', required: true }],
    text: ({ company }) =>
      `Write one page about ${company}: who it is (get_entity), its figures of the newest years (financials), what insiders traded (events kind=insider_transactions), and its newest 8-K events (events kind=eightk_events). ${SOURCES}`,
  },
  {
    name: 'adviser_check',
    title: 'Check an investment adviser',
    description: 'Registration, assets, owners, disclosures and funds of an adviser',
    arguments: [{ name: 'adviser', description: 'Name or CRD number', required: true }],
    text: ({ adviser }) =>
      `Check the investment adviser ${adviser}: registration, regulatory assets and disclosures (get_entity kind=adviser), what it holds (holdings), and its funds by the links of its record (call). ${SOURCES}`,
  },
]

export const listPrompts = () =>
  PROMPTS.map(({ name, title, description, arguments: args }) => ({
    ...{ name, title, description },
    arguments: args.map((each) => ({ ...each })),
  }))

/** Maximum length of an argument's value: a name has at most 200 characters. */
const VALUE_MAX = 200

/** Returns the message of a prompt, or the reason if there is no such prompt or an argument is missing. */
export function promptOf(name: string, args: Readonly<Record<string, string>>): { text: string } | { reason: string } {
  const prompt = PROMPTS.find((each) => each.name === name)
  if (!prompt) return { reason: `unknown prompt; available: ${PROMPTS.map((each) => each.name).join(', ')}` }
  const missing = prompt.arguments.find((each) => !args[each.name]?.trim())
  if (missing) return { reason: `the argument ${missing.name} is required: ${missing.description}` }
  const short = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, beginning(value, VALUE_MAX)]))
  return { text: prompt.text(short) }
}
