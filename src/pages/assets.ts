/** Style, scripts and pictures of the pages, under names that hold their digest. */
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { apiError } from '../declare/api-errors.ts'
import { Answer, send } from '../serve/http/answer.ts'
import { METHODS } from './send.ts'

const TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
}

/**
 * Assets of pages, each concatenated from files of the folder `browser`. Scripts are plain JavaScript, with types that
 * `npm run check` checks.
 */
const FILES = {
  'icon.svg': ['icon.svg'],
  'style.css': ['style.css', 'frame.css', 'suggest.css'],
  'theme.js': ['theme.js', 'start.js'],
  'home.css': ['home.css'],
  'home.js': ['home.js'],
  'explorer.css': ['explorer.css', 'charts.css', 'reader.css', 'account.css'],
  'explorer.js': ['explorer.js'],
  'entry.js': ['entry.js'],
  'suggest.js': ['suggest.js'],
  'live.js': ['live.js'],
  'later.js': ['later.js'],
  'reference.css': ['reference.css', 'operation.css', 'fields.css', 'try.css', 'search.css'],
  'reference.js': ['reference.js'],
  'search.js': ['search.js'],
  'try.js': ['try.js'],
} as const
export type AssetName = keyof typeof FILES

// The name changes with the content, so a cached copy never needs a check.
const IMMUTABLE = 'public, max-age=31536000, immutable'

let memo: { answers: Map<string, Answer>; paths: Map<AssetName, string> } | undefined

/** Reads the assets when the first page is requested: a start does not need them. */
function assets() {
  if (memo) return memo
  memo = { answers: new Map(), paths: new Map() }
  for (const [file, parts] of Object.entries(FILES)) {
    const [name, extension] = file.split('.') as [string, keyof typeof TYPES]
    const text = parts.map((part) => readFileSync(new URL(`browser/${part}`, import.meta.url), 'utf8')).join('\n')
    const answer = new Answer(text, TYPES[extension])
    const served = `${name}-${answer.etag.slice(0, 8)}.${extension}`
    memo.answers.set(served, answer)
    memo.paths.set(file as AssetName, `/assets/${served}`)
  }
  return memo
}

/** Address of a file. */
export const assetPath = (name: AssetName): string => assets().paths.get(name)!

/** Adds `/assets/…`. */
export function addAssets(fastify: FastifyInstance): void {
  fastify.route<{ Params: { name: string } }>({
    method: METHODS,
    url: '/assets/:name',
    config: { label: 'assets' },
    handler(request, reply) {
      const answer = assets().answers.get(request.params.name)
      if (!answer) {
        const what = 'such file; the page that named it is of another version: load the page again'
        throw apiError('page_not_found', { what })
      }
      return send(request, reply, answer, IMMUTABLE)
    },
  })
}
