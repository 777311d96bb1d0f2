/** Truth for tests of text extraction: documents of the corpus, and data that a person typed about them. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Markdown } from '../../src/read/made-markdown.ts'
import { corpus } from './corpus.ts'

/** Location of a document: a submission with the sequence of the document, or a file that is the document. */
export interface Place {
  /** Path in the corpus. */
  place: string
  /** Sequence of the document in its submission; null if the file is the document. */
  sequence: string | null
}

/** Reads a hand-typed file of the folder text-truth. */
export function typed<T>(file: string): T {
  return JSON.parse(readFileSync(new URL(`text-truth/${file}`, import.meta.url), 'utf8')) as T
}

/**
 * Returns the differences that are not yet known. The beginnings of the messages about known differences are listed
 * next to the typed data. A known difference may disappear, but no new difference may appear.
 */
export function unknown(differences: string[], known: string[] = []): string[] {
  return differences.filter((each) => !known.some((beginning) => each.startsWith(beginning)))
}

const sources = new Map<string, string>()

/**
 * Returns the text of a document of the corpus. The document is cut out of its submission here, not by the project's
 * reader, so that a test of one reader does not depend on another.
 */
export function source({ place, sequence }: Place): string {
  const key = `${place} ${sequence}`
  let text = sources.get(key)
  if (text === undefined) {
    const whole = decoded(readFileSync(path.join(corpus.folder, place)))
    text = sequence === null ? whole : documentIn(whole, sequence)
    sources.set(key, text)
  }
  return text
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function documentIn(submission: string, sequence: string): string {
  const found = split(submission).find((document) => document.sequence === Number(sequence))
  if (!found) throw new Error(`no document ${sequence}`)
  return found.text
}

/** Returns the documents of a submission of the corpus. */
export function documentsIn(file: string): { type: string; sequence: number; text: string }[] {
  return split(decoded(readFileSync(path.join(corpus.folder, file))))
}

function split(submission: string): { type: string; sequence: number; text: string }[] {
  return [...submission.matchAll(/<DOCUMENT>([\s\S]*?)<\/DOCUMENT>/g)].map(([, document]) => ({
    type: /<TYPE>([^\s<]*)/.exec(document!)?.[1] ?? '',
    sequence: Number(/<SEQUENCE>(\d+)/.exec(document!)?.[1]),
    text: document!.replace(/^[\s\S]*?<TEXT>/, '').replace(/<\/TEXT>\s*$/, ''),
  }))
}

/** Tests whether a person would call the document a web page: old plain text has only table tags. */
export function isHtml(text: string): boolean {
  return /<(html|body|div|font|p)\b/i.test(text.slice(0, 20_000))
}

/** Returns text without Markdown syntax: escapes, emphasis, link targets, fences. */
export function plain(markdown: string): string {
  return markdown
    .replace(/^```.*$/gm, '')
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replace(/(?<!\\)(\*\*|\*|__|~~)/g, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/&(lt|gt|amp|nbsp|quot);/g, (_, name: string) => ({ lt: '<', gt: '>', amp: '&', quot: '"' })[name] ?? ' ')
    .replace(/[\u200b\u00ad\ufeff]/g, '')
}

/** Returns the words of a text in lower case, without punctuation, as a reader would count them. */
export function words(text: string): string[] {
  return plain(text)
    .normalize('NFKC')
    .split(/[\s|]+/)
    .map((word) => word.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase())
    .filter((word) => word !== '')
}

/** Returns only letters and digits, for strings whose spaces and quotation marks may differ. */
export function letters(text: string): string {
  return plain(text)
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}$%]/gu, '')
    .toLowerCase()
}

/** Returns the rows of each pipe table, with cells as read, and blocks of preformatted text. */
export function tablesOf({ text }: Pick<Markdown, 'text'>): { rows: string[][][]; blocks: string[] } {
  const rows: string[][][] = []
  const blocks: string[] = []
  let table: string[][] | null = null
  let block: string[] | null = null
  for (const line of text.split('\n')) {
    if (/^\s*(```|~~~)/.test(line)) {
      if (block) blocks.push(block.join('\n'))
      block = block ? null : []
      continue
    }
    if (block) {
      block.push(line)
    } else if (/^\s*\|/.test(line)) {
      table ??= []
      if (!/^[\s|:-]+$/.test(line) || !line.includes('-')) table.push(cellsOf(line))
    } else if (table) {
      rows.push(table)
      table = null
    }
  }
  if (table) rows.push(table)
  return { rows, blocks }
}

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map(cell)
}

/** Returns a cell of Markdown as a person reads it. */
function cell(text: string): string {
  return asRead(plain(text.replace(/<br\s*\/?>/g, ' ')))
}

/** Returns a cell as a person reads it: "$ 1,234" is $1,234, "12.5 %" is 12.5%, and a dash of any length is a dash. */
export function asRead(text: string): string {
  const read = text
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/\s+/g, ' ')
    .replace(/([$€£]) /g, '$1')
    .replace(/\( /g, '(')
    .replace(/ ([)%])/g, '$1')
    .replace(/\.{2,}$/, '')
    .trim()
  return /^[-–—]+$/.test(read) ? '—' : read.replaceAll('—', '-').replaceAll('–', '-')
}

/** A query to the search of all documents, without its text, corpora and limit. */
export const ofEverything = { forms: null, cik: null, from: null, to: null, sort: 'relevance', cursor: null } as const
