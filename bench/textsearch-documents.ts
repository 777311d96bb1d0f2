/** Generated documents for the search: words by Zipf's law, each document about some words and phrases of its own. */
import type { MadeDocument } from '../test/support/textsearch-world.ts'
import { Random } from './random.ts'

/** Size of the vocabulary. */
const VOCABULARY = 60_000
const CIKS = 4000
const DAYS = 3650
const LAST_DAY = Date.UTC(2024, 11, 31)
const FORMS: readonly (readonly [form: string, corpus: string])[] = [
  ['8-K', 'eightk'],
  ['10-Q', 'tenx'],
  ['EX-99.1', 'exhibits'],
  ['10-K', 'tenx'],
  ['485BPOS', 'fundreg'],
  ['DEF 14A', 'proxies'],
  ['SC 13G', 'sc13'],
  ['S-1', 's1'],
  ['N-CSR', 'ncsr'],
]

/** Returns the word of a rank, 0 for the most common. It has no plural ending. */
export function wordAt(rank: number): string {
  let word = ''
  for (let rest = rank + 400; rest > 0; rest = Math.floor(rest / 85)) {
    word += 'bcdfghjklmnpqrtvw'[rest % 17]! + 'aeiou'[Math.floor(rest / 17) % 5]!
  }
  return `${word}n`
}

/** Returns ranks by Zipf's law: the smaller the rank, the more common the word. */
export const zipf = (random: Random, words = VOCABULARY) => Math.floor(Math.exp(random.next() * Math.log(words))) - 1

/**
 * Yields documents, newest first, as ingest reads waiting filings.
 *
 * @param words average number of words of a document, from a quarter of it to 1.75 times as many, in paragraphs of 20 to
 *   140 words and sections of twelve paragraphs. Undefined: 5 to 30 paragraphs of some 10 words, each its own section
 */
export function* generatedDocuments(
  count: number,
  { seed = 5, words }: { seed?: number; words?: number | undefined } = {},
): Generator<MadeDocument> {
  const random = new Random(seed)
  for (let i = 0; i < count; i++) {
    const topics = [zipf(random), zipf(random), 200 + random.below(20_000)].map(wordAt)
    const { text, sections } = words === undefined ? shortText(random, topics) : longText(random, topics, words)
    const [form, corpus] = random.pick(FORMS, 1.7)
    const day = new Date(LAST_DAY - Math.floor((i / count) * DAYS) * 86_400_000).toISOString().slice(0, 10)
    const cik = Math.floor(CIKS * random.next() ** 1.5)
    yield {
      accession: `0000${String(i).padStart(6, '0')}-${day.slice(2, 4)}-${String(i % 1_000_000).padStart(6, '0')}`,
      sequence: 1,
      ...{ corpus, form, filed_date: day, cik: String(cik + 1).padStart(10, '0') },
      company_name: `${wordAt(1000 + cik)} ${wordAt(3)}`,
      text,
      sections,
    }
  }
}

type Text = Pick<MadeDocument, 'text'> & { sections: { id: string; start: number; end: number }[] }

function shortText(random: Random, topics: readonly string[]): Text {
  const parts: string[][] = []
  for (let n = 5 + Math.floor(25 * random.next() ** 3); n > 0; n--) {
    parts.push([paragraph(random, topics, 4 + random.below(12))])
  }
  return inSections(parts)
}

function longText(random: Random, topics: readonly string[], words: number): Text {
  const parts: string[][] = []
  for (let left = words * (0.25 + 1.5 * random.next()); left > 0; ) {
    const part: string[] = []
    while (part.length < 12 && left > 0) {
      const length = 20 + random.below(121)
      part.push(paragraph(random, topics, length))
      left -= length
    }
    parts.push(part)
  }
  return inSections(parts)
}

/** Joins paragraphs to a text, and states where each section begins and ends. */
function inSections(parts: readonly (readonly string[])[]): Text {
  const sections: Text['sections'] = []
  let start = 0
  const texts = parts.map((part) => part.join('\n\n'))
  for (const { length } of texts) {
    sections.push({ id: String(sections.length), start, end: start + length })
    start += length + 2
  }
  return { text: texts.join('\n\n'), sections }
}

function paragraph(random: Random, topics: readonly string[], length: number): string {
  const words: string[] = []
  for (let n = length; n > 0; n--) {
    if (random.below(40) === 0) words.push(...topics)
    else if (random.below(12) === 0) words.push(random.pick(topics))
    else words.push(wordAt(zipf(random)))
  }
  return words.join(' ')
}
