/** Streams the table of votes in XML (since July 2024), matter by matter. Only a piece of the table is in memory. */
import { seriesAt } from '../../read/fund.ts'
import { type Element, each, type Problem, XmlError } from '../../read/xml.ts'

/** Findings from reading a table, besides its lines. */
export interface Findings {
  lines: number
  /** Reason why the table was truncated. */
  cutOff: string | null
  unread: Set<string>
  note(problem: Problem): void
}

interface Filing {
  cik: string | null
  filedDate: string
}

/**
 * Limits of a record. A matter may have 999 votes in different ways, 25 managers and a description of 5,000 characters.
 */
const LIMITS = { nodesMax: 20_000, recordSizeMax: 2 * 2 ** 20 }

/**
 * Yields a row for each matter. An unreadable value becomes null, with a problem that names the line. A broken or
 * truncated table ends at the fault, which `cutOff` reports.
 */
export async function* parseVotes(stream: AsyncIterable<Uint8Array>, filing: Filing, found: Findings) {
  try {
    for await (const record of each(stream, 'proxyTable', LIMITS)) {
      found.lines++
      const at = (path: string) =>
        `/proxyVoteTable/proxyTable[${found.lines}]${path.replace('/proxyVoteTable/proxyTable', '')}`
      yield rowOf(record, found.lines, filing)
      for (const problem of record.problems()) found.note({ ...problem, path: at(problem.path) })
      for (const path of record.unread()) found.unread.add(path)
    }
  } catch (error) {
    // Any other error is a failure of the source; a retry may read the same table whole.
    if (!(error instanceof XmlError)) throw error
    found.cutOff = error.message
    found.note({ path: `/proxyVoteTable/proxyTable[${found.lines + 1}]`, value: '', reason: error.message })
  }
}

const NONE = /^(?:n\/?a|none|-+|0+)$/i

function rowOf(record: Element, line: number, { cik, filedDate }: Filing) {
  const meeting = record.date('meetingDate', 'mdy')
  const votes = record.filled('vote/voteRecord').map((each) => ({
    how: each.text('howVoted'),
    shares: each.money('sharesVoted'),
    management: each.text('managementRecommendation'),
  }))
  const numbers = record.all('voteManager/otherManagers/otherManager').flatMap((each) => each.text() ?? [])
  return {
    line,
    cik,
    issuer_name: inOneLine(record.text('issuerName')),
    cusip: idOf(record, 'cusip'),
    isin: idOf(record, 'isin'),
    figi: idOf(record, 'figi'),
    meeting_date: meeting,
    listed_day: meeting ?? filedDate,
    description: inOneLine(record.text('voteDescription')),
    categories: record.texts('voteCategories/voteCategory/categoryType'),
    other_category: record.text('otherVoteDescription'),
    proposed_by: record.text('voteSource'),
    shares_voted: record.money('sharesVoted'),
    shares_on_loan: record.money('sharesOnLoan'),
    votes,
    how: [...new Set(votes.flatMap(({ how }) => how?.toUpperCase() ?? []))],
    managers: numbers,
    series_id: seriesAt(record, 'voteSeries').id,
    other_info: record.text('voteOtherInfo'),
  }
}

/** Joins lines, since programs of filers wrap names and matters: BIGCOMMERCE HOLDINGS, INC. */
const inOneLine = (text: string | null) => text?.replace(/\s+/g, ' ') ?? null

/** Returns an identifier, in capitals; null if the filer writes a word for none. */
function idOf(record: Element, path: string): string | null {
  const text = record.text(path)
  return text === null || NONE.test(text) ? null : text.toUpperCase()
}
