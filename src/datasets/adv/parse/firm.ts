/**
 * Turns a `Firm` of the daily feeds into its row. The feeds of the SEC (`IAPDFirmSECReport`) and of the states
 * (`IAPDFirmStateReport`) differ only in how they show registrations.
 */
import { isAmong } from '../../../read/values.ts'
import type { Element } from '../../../read/xml.ts'
import { type Answers, figuresOf } from './figures.ts'
import type { Row } from './values.ts'
import { isSocialMedia } from './web.ts'

/** A row without the column `feed`, which the series adds. */
type FirmRow = Omit<Row<'firm'>, 'feed'>

/**
 * Returns the CRD number, which identifies the firm across feeds.
 *
 * @throws Error if it is missing
 */
export function firmKey(firm: Element): string {
  const info = firm.one('Info')
  const crd = info.crd('@FirmCrdNb')
  if (crd === null) throw new Error('Info/@FirmCrdNb is missing or not a valid CRD number')
  return crd
}

/** If a firm occurs twice in a feed (CRD 361 in the feed of 2026-07-23), the record with the newer filing is used. */
export const firmVersion = (firm: Element): string => firm.date('Filing/@Dt') ?? ''

/** Yields the row of one firm. */
export function* firmRows(firm: Element): Generator<readonly ['firm', FirmRow]> {
  const crd = firmKey(firm)
  const formVersion = firm.text('Filing/@FormVrsn')
  const form = firm.maybe('FormInfo/Part1A')
  const items = form?.maybeEach(ITEM_ELEMENTS) ?? []
  // Part 1B of the state feed is not read, because its attributes are undocumented.
  const webAddresses = form?.texts('Item1/WebAddrs/WebAddr') ?? []
  const areSocial = webAddresses.map(isSocialMedia)
  yield [
    'firm',
    {
      crd,
      ...names(firm.one('Info')),
      ...office(firm.maybe('MainAddr')),
      mailing: mailing(firm.maybe('MailingAddr')),
      ...registration(firm.maybe('Rgstn')),
      state_registrations: standing(firm.filled('StateRgstn/Rgltrs/Rgltr'), 'Cd'),
      era_states: standing(firm.filled('ERA/Rgltrs/Rgltr'), 'Cd'),
      notice_filings: standing(firm.filled('NoticeFiled/States'), 'RgltrCd'),
      filing_date: firm.date('Filing/@Dt'),
      form_version: formVersion,
      web_addresses: webAddresses,
      social_addresses: webAddresses.filter((_, at) => areSocial[at]),
      primary_website: webAddresses[areSocial.indexOf(false)] ?? null,
      as_filed: asFiled(items),
      ...figuresOf(answersOf(items), formVersion),
    },
  ]
}

function names(info: Element) {
  return {
    sec_number: info.attribute('SECNb'),
    sec_region: info.attribute('SECRgnCD'),
    business_name: info.attribute('BusNm'),
    legal_name: info.attribute('LegalNm'),
    umbrella: info.attribute('UmbrRgstn'),
  }
}

function place(address: Element | null) {
  return {
    street1: address?.attribute('Strt1') ?? null,
    street2: address?.attribute('Strt2') ?? null,
    city: address?.attribute('City') ?? null,
    state: address?.attribute('State') ?? null,
    country: address?.attribute('Cntry') ?? null,
    postal_code: address?.attribute('PostlCd') ?? null,
  }
}

function office(address: Element | null) {
  return { ...place(address), phone: address?.attribute('PhNb') ?? null, fax: address?.attribute('FaxNb') ?? null }
}

function mailing(address: Element | null): FirmRow['mailing'] {
  const found = place(address)
  return Object.values(found).every((part) => part === null) ? null : found
}

const FIRM_TYPES = new Map(['Registered', 'ERA'].map((type) => [type.toLowerCase(), type]))

function registration(element: Element | null) {
  const filed = element?.attribute('FirmType') ?? null
  const type = filed === null ? null : (FIRM_TYPES.get(filed.toLowerCase()) ?? null)
  if (filed !== null && type === null) element?.problem(filed, 'is not a FirmType, which is Registered or ERA')
  return {
    registration_type: type,
    registration_status: element?.attribute('St') ?? null,
    registration_date: element?.date('@Dt') ?? null,
  }
}

/**
 * Reads the US states in which a firm made notice filings, or registered, or reports as an exempt adviser. Sorts the
 * states, since their order in the feed changes from day to day.
 */
function standing(elements: readonly Element[], code: string): FirmRow['notice_filings'] {
  return elements
    .map((element) => ({ state: element.attribute(code), status: element.attribute('St'), date: element.date('@Dt') }))
    .sort((one, other) => compare(one.state, other.state) || compare(one.date, other.date))
}

const compare = (one: string | null, other: string | null) => {
  const [a, b] = [one ?? '', other ?? '']
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * Items of Part 1A that the feeds show. An item that a new version of the form adds is reported as unread until it is
 * added here.
 */
const ITEMS = [
  ...['1', '2A', '2B', '3A', '3B', '3C', '4', '5A', '5B', '5C', '5D', '5E', '5F', '5G', '5H', '5I', '5J', '5K', '5L'],
  ...['6A', '6B', '7A', '7B', '8A', '8B', '8C', '8D', '8E', '8F', '8G', '8H', '8I', '9A', '9B', '9C', '9D', '9E', '9F'],
  ...['10A', '11', '11A', '11B', '11C', '11D', '11E', '11F', '11G', '11H', '12A', '12B', '12C'],
]

const ITEM_ELEMENTS = ITEMS.map((item) => `Item${item}`)

/** The firm's items, in the order of ITEMS. */
type Items = readonly (Element | null)[]

/**
 * Returns all attributes of the items, except blank ones. The names of the attributes are not checked, since questions
 * change with the version of the form.
 */
function asFiled(items: Items): FirmRow['as_filed'] {
  const all: FirmRow['as_filed'] = {}
  for (let at = 0; at < items.length; at++) {
    const answers = items[at]?.attributes()
    if (answers) all[ITEMS[at]!] = answers
  }
  return all
}

/** Item and attribute of an answer in the feed: `5F2c` is Q5F2C of item 5F, `5D1a` is Q5DA1 of 5D. */
interface Place {
  /** Index of the item in ITEMS. */
  item: number
  attribute: string
}

const places = new Map<string, Place>([['5A', { item: ITEMS.indexOf('5A'), attribute: '@TtlEmp' }]])

function placeOf(question: string): Place {
  const known = places.get(question)
  if (known) return known
  const [, part, letter = ''] = /^5D(\d)([a-n])$/.exec(question) ?? []
  const attribute = part ? `5D${letter.toUpperCase()}${part}` : question.toUpperCase()
  const found = { item: ITEMS.indexOf(/^\d+[A-Z]?/.exec(question)![0]), attribute: `@Q${attribute}` }
  places.set(question, found)
  return found
}

const FEWER = ['Fewer than 5 clients'] as const

function answersOf(items: Items): Answers {
  function ask<T>(question: string, read: (item: Element, attribute: string) => T | null): T | null {
    const { item: at, attribute } = placeOf(question)
    const item = items[at]
    return item ? read(item, attribute) : null
  }
  return {
    money: (question) => ask(question, (item, attribute) => item.money(attribute)),
    count: (question) => ask(question, (item, attribute) => item.count(attribute)),
    flag: (question) => ask(question, (item, attribute) => item.flag(attribute)),
    fewerThan5: (question) =>
      // The attribute is present only if the box is ticked.
      ask(question, (item, attribute) => {
        const text = item.text(attribute)
        const isFewer = text !== null && isAmong(text, FEWER)
        if (text !== null && !isFewer) item.problem(text, `${attribute} is not "${FEWER[0]}"`)
        return isFewer ? true : null
      }),
  }
}
