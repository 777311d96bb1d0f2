/** The addresses of the reference. A page is made when it is first requested, and then cached. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { apiError } from '../../declare/api-errors.ts'
import type { Catalog } from '../../declare/catalog.ts'
import { type Described, perDocument } from '../../serve/described.ts'
import { Answer } from '../../serve/http/answer.ts'
import type { Visitor } from '../../serve/http/visitor.ts'
import { dataPages } from '../data/pages.ts'
import { html } from '../html.ts'
import { HTML_TYPE, METHODS, sendPage } from '../send.ts'
import { guideMarkdown, guidePage } from './guide-page.ts'
import { GUIDE_NAMES, readGuides } from './guides.ts'
import { llmsText, operationMarkdown, startMarkdown } from './markdown.ts'
import { type Reference, referenceOf } from './model.ts'
import { operationPage } from './operation.ts'
import { searchIndex } from './search-index.ts'
import { startPage } from './start.ts'

const MARKDOWN_TYPE = 'text/markdown; charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'

/**
 * Adds `/docs`, `/docs/{operationId}`, `/docs/guides/{name}`, `/docs/data` and `/docs/data/{slug}`, each also with
 * `.md`. Also adds `/llms.txt`, and the index of the search (`/docs/search.json`).
 *
 * @param options.catalog the slices whose data has pages; without a catalog, data has no pages
 */
export function addReference(
  fastify: FastifyInstance,
  { described, visitor, catalog }: { described: Described; visitor: Visitor; catalog: Catalog | undefined },
): void {
  const pages = perDocument(described, visitor, (document) => ({
    reference: referenceOf(document, readGuides(), catalog ? dataPages(catalog) : []),
    cached: new Map<string, Answer>(),
  }))
  const reference = async () => (await pages()).reference
  const keep = async (name: string, type: string, make: (reference: Reference) => string) => {
    const { reference: of, cached } = await pages()
    const answer = cached.get(name) ?? new Answer(make(of), type)
    cached.set(name, answer)
    return answer
  }
  const page = { method: METHODS, config: { label: 'docs' } }
  const add = (url: string, type: string, make: (reference: Reference) => string) =>
    fastify.route({
      ...page,
      url,
      handler: async (request, reply) => sendPage(request, reply, await keep(url, type, make)),
    })

  add('/docs', HTML_TYPE, startPage)
  add('/docs.md', MARKDOWN_TYPE, startMarkdown)
  add('/llms.txt', TEXT_TYPE, llmsText)
  add('/docs/search.json', 'application/json; charset=utf-8', (of) => JSON.stringify(searchIndex(of)))
  fastify.route<{ Params: { name: string } }>({
    ...page,
    url: '/docs/:name',
    async handler(request: FastifyRequest<{ Params: { name: string } }>, reply: FastifyReply) {
      const { name } = request.params
      const id = name.replace(/\.md$/, '')
      const operation = (await reference()).operations.get(id)
      if (!operation) throw apiError('page_not_found', { what: `operation ${id}; /docs lists the operations` })
      const answer =
        name === id
          ? await keep(name, HTML_TYPE, (of) => operationPage(of, operation))
          : await keep(name, MARKDOWN_TYPE, () => operationMarkdown(operation))
      return sendPage(request, reply, answer)
    },
  })
  for (const name of GUIDE_NAMES) {
    const of = ({ guides }: Reference) => guides.find((guide) => guide.name === name)!
    add(`/docs/guides/${name}`, HTML_TYPE, (reference) => guidePage(reference, of(reference)))
    add(`/docs/guides/${name}.md`, MARKDOWN_TYPE, (reference) => guideMarkdown(reference, of(reference)))
  }
  if (catalog) addData(fastify, reference, keep)
}

type Keep = (name: string, type: string, make: (reference: Reference) => string) => Promise<Answer>

function addData(fastify: FastifyInstance, reference: () => Promise<Reference>, keep: Keep): void {
  const page = { method: METHODS, config: { label: 'docs' } }
  const send = async (request: FastifyRequest, reply: FastifyReply, name: string) => {
    const slug = name.replace(/\.md$/, '')
    const page = (await reference()).data.find((each) => each.name === slug)
    if (!page) throw apiError('page_not_found', { what: `page of data for ${slug}; /docs/data lists these pages` })
    const over = page.name === '' ? html`<a href="/docs">Reference</a>` : html`<a href="/docs/data">Data</a>`
    const answer =
      name === slug
        ? await keep(`data/${name}`, HTML_TYPE, (of) => guidePage(of, page, over))
        : await keep(`data/${name}`, MARKDOWN_TYPE, (of) => guideMarkdown(of, page))
    return sendPage(request, reply, answer)
  }
  for (const [url, name] of [
    ['/docs/data', ''],
    ['/docs/data.md', '.md'],
  ] as const)
    fastify.route({ ...page, url, handler: (request, reply) => send(request, reply, name) })
  fastify.route<{ Params: { name: string } }>({
    ...page,
    url: '/docs/data/:name',
    handler: (request, reply) => send(request, reply, request.params.name),
  })
}
