/**
 * Reads EDGAR's feed of current filings: Atom, with one entry for each filer of a filing, newest first. An unreadable
 * entry is reported, and the others are returned.
 */
import { type IndexEntry, type IndexProblem, parseLine } from './master-index.ts'
import { excerpt } from './text.ts'
import { type Element, type Limits, parse, XmlError } from './xml.ts'

export interface CurrentEntry extends IndexEntry {
  /** Time at which EDGAR accepted the filing, ISO 8601; null if the entry does not state it. */
  acceptedAt: string | null
}

export interface CurrentPage {
  entries: CurrentEntry[]
  /** `line` counts the entries of the page, from 1. */
  problems: IndexProblem[]
  /** Number of entries on the page, including entries that cannot be read. */
  listed: number
}

/** Limits of a page. For comparison, real pages of 100 entries have up to 60 KB and 1,100 elements. */
export const PAGE_LIMITS: Limits & { sizeMax: number } = { sizeMax: 2 * 1024 * 1024, nodesMax: 20_000 }

/**
 * Maximum time from the acceptance of a filing to its date. A filing that is accepted in the evening gets the date of
 * the next business day, which may come only after a weekend and holidays.
 */
const FILED_AFTER_MAX_MS = 10 * 86_400_000

/**
 * Reads one page. If the page is not well-formed, its entries are read one by one, so that the others are read in spite
 * of a bad entry.
 *
 * @throws XmlError if the page is not a feed, is cut off or too large, or has no entry that is well-formed
 */
export async function readCurrent(bytes: AsyncIterable<Uint8Array>): Promise<CurrentPage> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > PAGE_LIMITS.sizeMax) throw new XmlError(`the page has more than ${PAGE_LIMITS.sizeMax} bytes`)
    chunks.push(chunk)
  }
  const whole = Buffer.concat(chunks)
  const page: CurrentPage = { entries: [], problems: [], listed: 0 }
  for (const entry of entriesOf(whole)) {
    page.listed++
    const problem = (content: string, reason: string) => page.problems.push({ line: page.listed, content, reason })
    if (entry.read === undefined) {
      problem(contentOf(/accession-number=(\d{10}-\d{2}-\d{6})</.exec(entry.text)?.[1], entry.text), entry.reason)
      continue
    }
    const read = entryOf(entry.read)
    if (typeof read !== 'string') page.entries.push(read)
    else problem(contentOf(accessionOf(entry.read), entry.read.text('title') ?? ''), read)
  }
  return page
}

type FeedEntry = { read: Element } | { read: undefined; text: string; reason: string }

function entriesOf(whole: Buffer): FeedEntry[] {
  try {
    const feed = parse(whole, PAGE_LIMITS)
    if (feed.name !== 'feed') throw new NotFeed(`<${excerpt(feed.name, 100)}> is not a feed`)
    return feed.all('entry').map((read) => ({ read }))
  } catch (error) {
    if (!(error instanceof XmlError) || error instanceof NotFeed) throw error
    const apart = entriesApart(whole)
    if (!apart.some(({ read }) => read)) throw error
    return apart
  }
}

class NotFeed extends XmlError {}

/** Maximum number of entries; EDGAR's pages have half as many, so a page with more entries is not from EDGAR. */
const ENTRIES_MAX = 200

/** Returns the entries of a page that is complete but not well-formed; returns no entries for any other page. */
function entriesApart(whole: Buffer): FeedEntry[] {
  const text = whole.toString('latin1')
  const [head, ...parts] = text.split('<entry>', ENTRIES_MAX + 2)
  if (!/<feed[\s>]/.test(head!.slice(0, 2_000)) || !text.trimEnd().endsWith('</feed>') || parts.length > ENTRIES_MAX)
    return []
  const declaration = /^<\?xml [^>]{1,200}\?>/.exec(head!)?.[0] ?? ''
  return parts.map((part) => {
    const end = part.indexOf('</entry>')
    const own = end < 0 ? part : part.slice(0, end)
    try {
      if (end < 0) throw new XmlError('its end tag is missing')
      return { read: parse(Buffer.from(`${declaration}<entry>${own}</entry>`, 'latin1'), PAGE_LIMITS) }
    } catch (error) {
      if (!(error instanceof XmlError)) throw error
      return { read: undefined, text: own, reason: `it is not well-formed: ${error.message}` }
    }
  })
}

const accessionOf = (entry: Element) =>
  /accession-number=(\d{10}-\d{2}-\d{6})$/.exec((entry.text('id') ?? '').slice(0, 2_000))?.[1]

/**
 * The part of an unreadable entry that is kept. The accession comes first, so that it is always kept: an index will
 * list the filing by its accession.
 */
const contentOf = (accession: string | undefined, text: string) => excerpt(`${accession ?? ''} ${text}`.trim(), 500)

/**
 * Reads an entry as if it were the index line that will later list the same filing, with the same limits. Returns the
 * reason if the entry is unreadable.
 */
function entryOf(entry: Element): CurrentEntry | string {
  const text = (path: string) => (entry.text(path) ?? '').slice(0, 2_000)
  const accession = accessionOf(entry)
  if (!accession) return 'its id names no accession'
  const form = entry.maybe('category')?.attribute('term') ?? ''
  if (form.includes('|')) return 'its form contains a "|", which no form contains'
  const title = text('title')
  // In the title, the role comes last, and the CIK comes before the role. The name is between the form and the CIK.
  const named = /^(.*) \((\d{10})\) \([^()]{1,40}\)$/s.exec(title)
  if (!named || !title.startsWith(`${form} - `)) return 'its title is not form, name, CIK and role'
  const name = named[1]!.slice(form.length + 3)
  const filed = /Filed:<\/b> {0,4}(\d{4}-\d{2}-\d{2})/.exec(text('summary'))?.[1]
  if (!filed) return 'its summary has no filing date'
  const cik = String(Number(named[2]))
  const line = parseLine([cik, name, form, filed, `edgar/data/${cik}/${accession}.txt`].join('|'))
  if (typeof line === 'string') return line
  const acceptedAt = momentOf(text('updated'))
  if (acceptedAt && Date.parse(line.filedDate) - Date.parse(acceptedAt) > FILED_AFTER_MAX_MS)
    return `its day of filing, ${line.filedDate}, is long after its acceptance, ${acceptedAt}`
  return { ...line, acceptedAt }
}

function momentOf(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:Z|[+-]\d{2}:\d{2})$/.test(text)) return null
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}
