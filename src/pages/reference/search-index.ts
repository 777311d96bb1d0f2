/** The index of the search: a small list, sent once, when the search is first used. */
import { anchorOf } from '../prose.ts'
import type { Field } from './fields.ts'
import { guide } from './guide.ts'
import type { Reference } from './model.ts'

/** Maximum number of characters of a description in the index; the whole description is on the page. */
const WORDS_MAX = 90

/** An operation with its parameters and fields, each with its description. */
export interface IndexedOperation {
  id: string
  path: string
  summary: string
  group: string
  /** Each parameter as its name and its description. */
  parameters: readonly (readonly [string, string])[]
  fields: readonly (readonly [string, string])[]
}

/** A guide, a section of the start page, or a page about data. */
export interface IndexedText {
  href: string
  kind: 'guide' | 'topic' | 'data'
  title: string
  summary: string
  /** Phrases that people may type when they look for this text. */
  phrases: readonly string[]
  /** The distinct words of its text. */
  words: string
}

export interface SearchIndex {
  texts: readonly IndexedText[]
  operations: readonly IndexedOperation[]
}

export function searchIndex(reference: Reference): SearchIndex {
  return {
    texts: [...guidesOf(reference), ...sectionsOf(reference), ...dataOf(reference)],
    operations: reference.groups.flatMap(({ title, operations }) =>
      operations.map(({ id, path, summary, parameters, contents }) => ({
        id,
        path,
        summary,
        group: title,
        parameters: parameters.map(({ name, description }) => [name, short(description)] as const),
        fields: contents.flatMap(({ fields }) => flat(fields, '')),
      })),
    ),
  }
}

const guidesOf = ({ guides }: Reference): IndexedText[] =>
  guides.map(({ href, title, lead, phrases, text }) => {
    return { href, kind: 'guide', title, summary: lead, phrases, words: wordsOf(text) }
  })

/** Pages about data, found by the names of their tables and columns. */
const dataOf = ({ data }: Reference): IndexedText[] =>
  data.map(({ href, title, lead, phrases, text }) => {
    const columns = Array.from(text.matchAll(/^\| `([\w.]+)` \|/gm), ([, name]) => name!)
    return {
      href,
      kind: 'data',
      title: `${title} data`,
      summary: short(lead),
      phrases,
      words: [...new Set(columns)].join(' '),
    }
  })

/** Phrases for which a section of the start page is the answer. Sections that a server lacks are not indexed. */
const PHRASES: Readonly<Record<string, readonly string[]>> = {
  Begin: ['api key', 'authentication', 'authorization header', 'getting started', 'quick start', 'cors', 'browser'],
  Conventions: ['dates', 'null', 'decimals', 'money as text', 'time zone', 'versioning'],
  Errors: ['error codes', 'error handling', 'problem json', '400', '401', '403', '404'],
  Limits: ['rate limit', 'quota', 'throttling', 'too many requests', '429', 'retry', 'etag', 'caching'],
  Paging: ['pagination', 'paginate', 'next page', 'all pages', 'cursor', 'offset', 'next_cursor'],
  Search: ['search', 'find by name', 'look up', 'find a company', 'type ahead', 'autocomplete'],
  'Rows, fields and counts': ['count', 'how many rows', 'total', 'fields', 'omit', 'choose fields', 'sort', 'order'],
  Files: ['csv', 'ndjson', 'parquet', 'excel', 'spreadsheet', 'format'],
  'Provenance and units': ['units', 'currency', 'source of a value', 'evidence', 'identifiers', 'links', 'related'],
  'Generated clients': ['typescript client', 'python client', 'sdk', 'code generator', 'openapi generator'],
  'For machines': ['openapi', 'swagger', 'llm', 'markdown', 'llms.txt'],
}

function sectionsOf(reference: Reference): IndexedText[] {
  const [, ...sections] = guide(reference).split(/^## /m)
  return sections.flatMap((section): IndexedText[] => {
    const [title, ...rest] = section.split('\n')
    const text = rest.join('\n')
    const phrases = PHRASES[title!]
    if (!phrases) return []
    return [
      {
        href: `/docs#${anchorOf(title!)}`,
        kind: 'topic',
        title: title!,
        summary: 'How to begin',
        phrases,
        words: wordsOf(text),
      },
    ]
  })
}

const wordsOf = (text: string): string => [...new Set(text.toLowerCase().match(/[a-z0-9][\w-]+/g))].join(' ')

function flat(fields: readonly Field[], path: string): (readonly [string, string])[] {
  return fields.flatMap((field) => [
    [path + field.name, short(field.description)] as const,
    ...flat(field.fields, `${path}${field.name}.`),
  ])
}

const short = (text: string) =>
  text.length <= WORDS_MAX ? text : `${text.slice(0, WORDS_MAX).replace(/\s+\S*$/, '')} …`
