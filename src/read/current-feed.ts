/**
 * EDGAR's feed of current filings: Atom, one entry for each filer of a filing, the newest first. An entry that cannot be
 * read is reported, and the others are given.
 */
import { type IndexEntry, type IndexProblem, parseLine } from './master-index.ts'
import { excerpt } from './text.ts'
import { type Element, type Limits, parseStream, XmlError } from './xml.ts'

export interface CurrentEntry extends IndexEntry {
  /** When EDGAR accepted the filing, ISO 8601; null where the entry does not tell it. */
  acceptedAt: string | null
}

export interface CurrentPage {
  entries: CurrentEntry[]
  /** `line` counts the entries of the page, from 1. */
  problems: IndexProblem[]
  /** How many entries the page has, with those that cannot be read. */
  listed: number
}

/** Pages of 100 entries have up to 60 KB and 1,100 elements. */
export const PAGE_LIMITS: Limits & { sizeMax: number } = { sizeMax: 2 * 1024 * 1024, nodesMax: 20_000 }

/** What is accepted in the evening has the next business day, behind a weekend and holidays at most. */
const FILED_AFTER_MAX_MS = 10 * 86_400_000

/**
 * Reads one page.
 *
 * @throws XmlError for what is not well-formed, too large, or no feed
 */
export async function readCurrent(bytes: AsyncIterable<Uint8Array>): Promise<CurrentPage> {
  const feed = await parseStream(bytes, PAGE_LIMITS)
  if (feed.name !== 'feed') throw new XmlError(`<${excerpt(feed.name, 100)}> is no feed`)
  const page: CurrentPage = { entries: [], problems: [], listed: 0 }
  for (const entry of feed.all('entry')) {
    page.listed++
    const read = entryOf(entry)
    if (typeof read !== 'string') page.entries.push(read)
    else page.problems.push({ line: page.listed, content: excerpt(entry.text('title') ?? '', 500), reason: read })
  }
  return page
}

/** An entry as the line of an index that will name the same, which has the same bounds; or why it cannot be read. */
function entryOf(entry: Element): CurrentEntry | string {
  const text = (path: string) => (entry.text(path) ?? '').slice(0, 2_000)
  const accession = /accession-number=(\d{10}-\d{2}-\d{6})$/.exec(text('id'))?.[1]
  if (!accession) return 'its id names no accession'
  const form = entry.maybe('category')?.attribute('term') ?? ''
  const title = text('title')
  // The role stands last, the CIK before it, and the name between the form and these.
  const named = /^(.*) \((\d{10})\) \([^()]{1,40}\)$/s.exec(title)
  if (!named || !title.startsWith(`${form} - `)) return 'its title is not form, name, CIK and role'
  const name = named[1]!.slice(form.length + 3)
  const filed = /Filed:<\/b> {0,4}(\d{4}-\d{2}-\d{2})/.exec(text('summary'))?.[1]
  if (!filed) return 'its summary has no day of filing'
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
