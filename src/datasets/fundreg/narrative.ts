/** Reads the prose of a prospectus from tagged text blocks, or from sections that it finds by their headings. */
import { markdownOfHtml } from '../../read/html.ts'
import type { InlineFact } from '../../read/ixbrl.ts'
import type { Markdown } from '../../read/made-markdown.ts'
import { sectionsOf } from '../../read/sections.ts'
import type { BLOCKS } from './tables-words.ts'

export interface Block {
  kind: (typeof BLOCKS)[number]
  series_id: string | null
  title: string | null
  /** Markdown, cut at `TEXT_MAX`. */
  text: string
  is_cut: boolean
  /** Start of the section in the Markdown of the document; null for tagged blocks. */
  start: number | null
  end: number | null
}

/**
 * Maximum length of a block. The text on risks of some funds has about 60,000 characters; /doc-text has the full text.
 */
const TEXT_MAX = 20_000
const BLOCKS_MAX = 600

const TAGS: Readonly<Record<string, Block['kind']>> = {
  ObjectivePrimaryTextBlock: 'objective',
  ExpenseNarrativeTextBlock: 'expenses',
  PortfolioTurnoverTextBlock: 'turnover',
  StrategyNarrativeTextBlock: 'strategies',
  RiskTextBlock: 'risks',
  RiskNarrativeTextBlock: 'risks',
  PerformanceNarrativeTextBlock: 'performance',
}
const local = (name: string) => name.slice(name.indexOf(':') + 1)

export const isBlockTag = (name: string): boolean => /^(?:rr|oef):/.test(name) && local(name) in TAGS

/** Returns tagged blocks. Each risk has its own tag; the function joins the risks of a series to one block. */
export function taggedBlocks(html: string, facts: readonly InlineFact[]): Block[] {
  const parts = new Map<string, { kind: Block['kind']; series_id: string | null; html: string[]; spans: string[] }>()
  for (const { name, context, spans } of facts.filter((fact) => isBlockTag(fact.name))) {
    const kind = TAGS[local(name)]!
    const series_id =
      Object.entries(context.members).flatMap(([axis, member]) =>
        axis.endsWith(':LegalEntityAxis') ? (/S\d{9}/.exec(member) ?? []) : [],
      )[0] ?? null
    const key = `${kind} ${series_id}`
    const block = parts.get(key) ?? { kind, series_id, html: [], spans: [] }
    parts.set(key, block)
    for (const { start, end } of spans) {
      // A single risk may be tagged a second time, within the block of all risks.
      const isWithin = block.spans.some(
        (span) => Number(span.split(' ')[0]) <= start && end <= Number(span.split(' ')[1]),
      )
      if (isWithin) continue
      block.spans.push(`${start} ${end}`)
      block.html.push(html.slice(start, end))
    }
  }
  return [...parts.values()].slice(0, BLOCKS_MAX).flatMap(({ kind, series_id, html: pieces }) => {
    const { text } = markdownOfHtml(pieces.join('\n').slice(0, TEXT_MAX * 20))
    return text.trim() === '' ? [] : [{ kind, series_id, title: null, ...cut(text), start: null, end: null }]
  })
}

const SECTIONS: Readonly<Record<string, Block['kind']>> = {
  objective: 'objective',
  turnover: 'turnover',
  strategies: 'strategies',
  risks: 'risks',
  performance: 'performance',
}

/**
 * Returns sections by their headings, in the order of the document.
 *
 * @param idAt returns the series that an offset is about
 */
export function writtenBlocks(markdown: Markdown, idAt: (offset: number) => string | null): Block[] {
  const found = sectionsOf(markdown, 'fund').filter(({ id, confidence }) => id in SECTIONS && confidence >= 0.6)
  return found.slice(0, BLOCKS_MAX).flatMap(({ id, title, start, end }): Block[] => {
    const whole = markdown.text.slice(start, end)
    const body = whole.slice(whole.indexOf('\n') + 1)
    if (!whole.includes('\n') || body.trim() === '') return []
    return [{ kind: SECTIONS[id]!, series_id: idAt(start), title, ...cut(body), start, end }]
  })
}

const cut = (text: string) => ({ text: text.trim().slice(0, TEXT_MAX), is_cut: text.trim().length > TEXT_MAX })
