/** Finds items of Form ADV Part 2A by the headings of a brochure. */
import type { Markdown } from '../../read/made-markdown.ts'
import { numeralOf, ROMANS, wordsTo } from '../../read/prose/numerals.ts'

/** An item: its number, and its beginning and end in the Markdown. */
interface Item {
  id: string
  start: number
  end: number
}

/** The titles of the items in the order of Part 2A; Part 2A has 19 items for firms that register with states. */
const TITLES: readonly RegExp[] = [
  'cover page',
  '(?:summary of )?material changes',
  'table of contents',
  'advisory business',
  'fees (?:and|&) compensation',
  'performance[- ]based fees(?:(?: and|,? &)? side[- ]by[- ]side management)?',
  'types of clients(?: and account requirements)?',
  'methods of analysis(?:,? investment strategies,?(?: and|,? &)? risks? of loss)?',
  'disciplinary information',
  'other financial industry activities(?: (?:and|&) affiliations)?',
  'code of ethics(?:,? participation or interest in client transactions,?(?: and|,? &)? personal trading)?',
  'brokerage practices',
  'reviews? of accounts',
  'client referrals(?: (?:and|&) other compensation)?',
  'custody',
  'investment discretion',
  'voting client securities(?: \\(?proxy voting\\)?)?',
  'financial information',
  'requirements for state[- ]registered advis[eo]rs',
].map((title) => new RegExp(`^(?:${title})$`, 'i'))
/**
 * Titles of the supplement about persons (Part 2B) and of the brochure about wrap fees (Part 2A, Appendix 1). Their
 * items have the same numbers as items of Part 2A.
 */
const OTHER_PARTS = new RegExp(
  `^(?:${[
    'educational background (?:and|&) business experience|other business activities|additional compensation|supervision',
    'services,? fees,?(?: and|,? &) compensation|account requirements (?:and|&) types of clients',
    'portfolio manager selection (?:and|&) evaluation|client information provided to portfolio managers?',
    'client contact with portfolio managers?|additional information',
  ].join('|')})$`,
  'i',
)

/**
 * Maps items of the supplement to the items of Part 2A that have the same title and another number. Any other number
 * that a heading states is used as filed, even if the filer gave an item the number of the next one.
 */
const OTHER_NUMBERS: ReadonlyMap<number, number> = new Map([
  [3, 9],
  [7, 19],
])

const NUMBER = `(?:\\d{1,2}|${wordsTo(19)}|${ROMANS.join('|')}|xvii|xviii|xix)`
/**
 * Matches the beginning of "Item 5 – Fees and Compensation", "ITEM 5: FEES", "Item5. Fees", "Item No. Five", "Part 2A,
 * Item V". The number and the title are groups.
 */
const ITEM = new RegExp(
  `^[(]?(?:[a-z][.)] {1,3})?(?:(?:form adv\\W{1,3})?(?:part )?2a\\W{1,4})?item\\s{0,3}(?:#|no\\.?|number)?\\s{0,3}(${NUMBER})(?![a-z0-9])(.*)$`,
  'i',
)
/** A heading of several items, whose text has no single number: "Items 5 and 6". */
const SEVERAL = /^items\s{1,3}\d{1,2}\b/i
/** "5. Fees and Compensation", "Section 5", "Fees and Compensation (Item 5)": these count only with the title of the item. */
const BARE = /^(?:section )?(\d{1,2})[.):]?\s{1,3}(?:[-–—]\s{0,3})?(\D.*)$/i
const AFTER = /^(.*?)[\s,–—-]{1,3}[([]?item\s{0,3}(\d{1,2})[)\]]?$/i

interface Heading {
  /** 0 if the heading is not that of an item of Part 2A, and ends the item above. */
  number: number
  start: number
}

const numberOf = (text: string): number =>
  /^\d/.test(text) ? Number(text) : numeralOf(text) || ['xvii', 'xviii', 'xix'].indexOf(text.toLowerCase()) + 17

const titleOf = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/^[ .:,;)‐‑–—-]+|(?<![ .:‐‑–—-])[ .:‐‑–—-]+$/g, '')
    .replaceAll('’', "'")
const numberOfTitle = (title: string): number => TITLES.findIndex((pattern) => pattern.test(title)) + 1

/** Returns the number that a heading states, 0 for the heading of another part, and null for any other heading. */
function statedNumber(text: string): number | null {
  const [, written, rest = ''] = ITEM.exec(text) ?? []
  if (written !== undefined) {
    const number = numberOf(written)
    const title = titleOf(rest)
    if (OTHER_PARTS.test(title) || numberOfTitle(title) === OTHER_NUMBERS.get(number)) return 0
    return number >= 1 && number <= TITLES.length ? number : null
  }
  if (SEVERAL.test(text)) return 0
  const [, digits, bare = ''] = BARE.exec(text) ?? []
  if (digits !== undefined) return numberOfTitle(titleOf(bare)) === Number(digits) ? Number(digits) : null
  const [, before = '', after] = AFTER.exec(text) ?? []
  return after !== undefined && numberOfTitle(titleOf(before)) === Number(after) ? Number(after) : null
}

/**
 * Minimum number of titles without item numbers that count as items: a part of another document may contain one such
 * title.
 */
const TITLES_MIN = 3

function headingsIn({ headings }: Markdown): Heading[] {
  const numbered = headings.flatMap(({ text, start }): Heading[] => {
    const number = statedNumber(text.trim())
    return number === null ? [] : [{ number, start }]
  })
  if (numbered.some(({ number }) => number > 0)) return numbered
  const titled = headings.flatMap(({ text, start }): Heading[] => {
    const number = numberOfTitle(titleOf(text))
    return number === 0 ? [] : [{ number, start }]
  })
  return new Set(titled.map(({ number }) => number)).size >= TITLES_MIN ? titled : []
}

/**
 * Returns the items in their order. Several headings may name one item, for example one in the table of contents and
 * one in the text. The heading with more text after it is used. If such headings follow each other, they are one item.
 * If no heading of a brochure has the number of an item, the titles of items count. If there are fewer than three, the
 * brochure has no items.
 */
export function itemsOf(markdown: Markdown): Item[] {
  const found = headingsIn(markdown).filter(({ number }, at, all) => number === 0 || number !== all[at - 1]?.number)
  const items = found.map(
    ({ number, start }, at): Item => ({
      id: String(number),
      start,
      end: found[at + 1]?.start ?? markdown.text.length,
    }),
  )
  const longest = new Map<string, Item>()
  for (const item of items) {
    const other = longest.get(item.id)
    if (!other || lengthOf(item) > lengthOf(other)) longest.set(item.id, item)
  }
  return items.filter((item) => item.id !== '0' && longest.get(item.id) === item)
}

const lengthOf = ({ start, end }: Item) => end - start
