/** Reads the guides of docs/guides, one for each purpose. */
import { readFileSync } from 'node:fs'

/** The guides, in the order in which they are listed. */
export const GUIDE_NAMES = [
  'who-bought-a-stock',
  'follow-new-filings',
  'download-everything',
  'only-some-companies',
  'what-a-fund-costs',
  'private-marks',
  'directors-who-left',
  'an-advisers-file',
  'run-it-for-a-team',
  'agents',
] as const

export interface Guide {
  name: string
  /** The address of the page: `/docs/guides/private-marks`. */
  href: string
  title: string
  /** The first paragraph, which states the purpose of the guide. */
  lead: string
  /** Markdown after the first paragraph. */
  text: string
  /** Phrases that people may search for, beyond the words of the guide itself. */
  phrases: readonly string[]
}

/** The start of the comment at the end of a guide, which readers do not see. */
const PHRASES = '<!-- Found by: '

const FOLDER = new URL('../../../docs/guides/', import.meta.url)

export const readGuides = (): Guide[] =>
  GUIDE_NAMES.map((name) => guideOf(name, readFileSync(new URL(`${name}.md`, FOLDER), 'utf8')))

export function guideOf(name: string, file: string): Guide {
  const at = file.lastIndexOf(PHRASES)
  const [body, phrases] = at < 0 ? [file, ''] : [file.slice(0, at), file.slice(at + PHRASES.length).split(' -->')[0]!]
  const [title, lead, ...rest] = body.trimEnd().split(/\n{2,}/)
  return {
    name,
    href: `/docs/guides/${name}`,
    title: title!.replace(/^# /, ''),
    lead: lead!.replaceAll('\n', ' '),
    text: rest.join('\n\n').trim(),
    phrases: phrases.split(',').flatMap((phrase) => phrase.trim() || []),
  }
}
