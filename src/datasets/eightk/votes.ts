/** Reads the votes of holders (item 5.07) for each nominee and on each proposal. */
import { type Sentence, type Span, sentencesOf } from '../../read/prose/sentences.ts'
import { countIn, countName } from './votes/counts.ts'
import { isAnother, isElection, nomineeIn, type Proposal, proposalIn, titleIn } from './votes/proposal.ts'
import { voteInSentence } from './votes/sentence.ts'
import { type TableRow, votesInTable } from './votes/table.ts'
import type { Above, ReadVotes, Vote } from './votes/vote.ts'

export type { Vote }

/** Maximum length of text that is read: the longest real item has about 20,000 characters. */
const READ_MAX = 80_000
const VOTES_MAX = 400
/** Maximum length of a heading that names a proposal without its number. */
const HEADING_MAX = 200

type Part =
  /** A table. Consecutive lines such as "For: 1,234,567" are read like the rows of a table. */
  | { kind: 'table'; rows: TableRow[]; isOfLines?: true }
  | { kind: 'text'; text: string; isHeading: boolean; start: number; end: number }

/**
 * Returns the votes in the order of the text. A vote whose proposal or columns are uncertain is left out and counted.
 */
export function votesOf(markdown: string, { start, end }: Span): ReadVotes {
  const votes: Vote[] = []
  let leftOut = 0
  const named = openContext()
  for (const part of partsOf(markdown, start, Math.min(end, start + READ_MAX))) {
    if (part.kind === 'table') {
      const read = votesInTable(part.rows, named.above())
      votes.push(...read.votes)
      leftOut += read.leftOut
      if (read.hasCounts) named.use()
      continue
    }
    named.read(part.text, part.isHeading)
    for (const sentence of sentencesIn(markdown, part)) {
      const vote = voteInSentence(sentence, named.above())
      if (vote === null) continue
      if (vote === 'uncertain') leftOut++
      else votes.push(vote)
      if (vote === 'uncertain' || vote.nominee === null) named.use()
      else named.elect()
    }
  }
  return { votes: votes.slice(0, VOTES_MAX), leftOut: leftOut + Math.max(0, votes.length - VOTES_MAX) }
}

const sentencesIn = (markdown: string, { start, end }: Span): readonly Sentence[] =>
  /\d,\d{3}|:\s?\d/.test(markdown.slice(start, end)) ? sentencesOf(markdown, { start, end }).sentences : []

/** Returns the nominee of a lettered or numbered paragraph with counts: "(a) Ada Sample: 9,100,200 votes for". */
function nomineeBefore(text: string): string | null {
  const [lead = ''] = /^(?:\(?[a-z]\)|\d{1,2}\(?[a-z]\)?\.?|\d{1,2}\.\d{1,2})\s[^:\d]{3,80}(?=:|\s\d)/.exec(text) ?? []
  return lead === '' ? null : nomineeIn(lead.replace(/[\s,–—-]{1,6}$/, ''))
}

/** Keeps the proposal that the last paragraphs named. */
function openContext() {
  let proposal: Proposal | null = null
  let said = ''
  /** Number of proposals named since the last votes. Votes below several proposals may belong to any of them. */
  let pending = 0
  let isUsed = false
  return {
    read(text: string, isHeading: boolean) {
      said = text
      // The name above the counts of one nominee does not end the election.
      if (proposal !== null && isElection(proposal.title ?? '') && (nomineeIn(text) ?? nomineeBefore(text)) !== null)
        return
      const own = proposalIn(text)
      const isTitle = (isHeading && text.length <= HEADING_MAX) || /:\s*$/.test(text)
      if (own) {
        proposal = own
        pending = isUsed ? 1 : pending + 1
        isUsed = false
      } else if (proposal !== null && proposal.title === null && !isUsed) {
        proposal = { ...proposal, title: titleIn(text) }
      } else if (isUsed || proposal === null) {
        // Words after the votes on a proposal may introduce another proposal.
        proposal =
          isTitle && /\b(?:approv|ratif|elect|adopt|amend|advisory|adjourn|frequency)/i.test(text)
            ? { number: null, title: titleIn(text) }
            : null
        pending = 0
        isUsed = false
      } else if (isTitle && isAnother(text, proposal.title ?? '')) {
        // No votes were found between the proposal above and this title, so the votes below may belong to either of the
        // two.
        pending = 2
      }
    },
    above: (): Above => {
      const isCertain = pending <= 1
      const isOfPersons = isElection(isCertain && proposal?.title ? proposal.title : '') || isElection(said)
      // An election may have several tables. Any other proposal has only one, so the proposal no longer applies after
      // its votes.
      return {
        proposal: isCertain && (!isUsed || isOfPersons) ? proposal : null,
        isElection: isOfPersons,
        nominee: isOfPersons ? nomineeIn(said) : null,
      }
    },
    use() {
      isUsed = true
    },
    /**
     * Records votes on a nominee. The election is then no longer a proposal without votes, but votes on more nominees
     * may follow.
     */
    elect() {
      pending = 0
    },
  }
}

/** Splits the text into tables and paragraphs. */
function partsOf(markdown: string, from: number, to: number): Part[] {
  const parts: Part[] = []
  let isFence = false
  for (let start = from; start < to; ) {
    const next = markdown.indexOf('\n', start)
    const end = next < 0 || next > to ? to : next
    const line = markdown.slice(start, end)
    const last = parts.at(-1)
    if (/^`{3,}/.test(line)) isFence = !isFence
    else if (line.startsWith('|') || isFence) {
      const cells = isFence ? columnsOf(line) : cellsOf(line)
      if (!/^\|[\s|:-]*$/.test(line) && cells.some((cell) => cell !== '')) {
        const row = { cells, start, end }
        if (last?.kind === 'table') last.rows.push(row)
        else parts.push({ kind: 'table', rows: [row] })
      }
    } else if (line.trim() !== '') {
      const text = plainOf(line)
      const entry = entryIn(text)
      if (entry !== null) {
        const row = { cells: entry, start, end }
        if (last?.kind === 'table' && last.isOfLines) last.rows.push(row)
        else parts.push({ kind: 'table', rows: [row], isOfLines: true })
        start = end + 1
        continue
      }
      parts.push({
        kind: 'text',
        text,
        isHeading: /^#{1,6}\s|^\*\*[^*]{1,400}\*\*[^\p{L}\d]{0,20}$/u.test(line),
        start,
        end,
      })
    } else if (last?.kind === 'table' && !last.isOfLines && !isFence)
      parts.push({ kind: 'text', text: '', isHeading: false, start, end: start })
    start = end + 1
  }
  return parts.filter((part) => part.kind === 'table' || part.text !== '')
}

/** Returns the kind of vote and the count of a line that has nothing else: "For: 1,234,567", "Withheld 1,234 votes". */
function entryIn(text: string): string[] | null {
  const [, kind = '', count = ''] =
    /^(\p{L}[\p{L}\s-]{2,30}?)\s?[:.–—-]{0,9}\s(\d[\d,]{0,19})(?:\s(?:votes|shares))?$/u.exec(text) ?? []
  return countName(kind) !== null && countIn(count) !== null ? [kind, count] : null
}

const plainOf = (line: string): string =>
  line
    .replace(/^(?:#{1,6}|[-*+]|>)\s+/, '')
    .replace(/\\(.)/g, '$1')
    .replace(/[*_`]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const cellsOf = (line: string): string[] =>
  line
    .slice(1, line.endsWith('|') ? -1 : undefined)
    .split('|')
    .map(plainOf)

/** Returns the cells of a line whose columns are separated by blanks. */
const columnsOf = (line: string): string[] =>
  line
    .trim()
    .split(/\s{2,}|\.{3,}/)
    .map(plainOf)
