/** Lists and reads the resources: the guides, and the JSON Schema of each answer. */
import type { z } from 'zod'
import { didYouMean } from '../misspelt.ts'
import { readGuides } from '../pages/reference/guides.ts'
import { schemasOf } from '../serve/openapi/schemas.ts'
import type { Routes } from './routes.ts'

const SCHEMA = 'openfilings://schema/'
const GUIDE = 'openfilings://guide/'

export const TEMPLATES = [
  {
    name: 'schema',
    title: 'JSON Schema of an answer',
    uriTemplate: `${SCHEMA}{operation}`,
    description: 'The shape of an answer, with the meaning and unit of each member. describe() lists the operations.',
    mimeType: 'application/schema+json',
  },
]

let known: ReturnType<typeof readGuides> | undefined
/** Reads the guides only once, since they do not change while a server runs. */
const guidesOnce = () => (known ??= readGuides())

export function listResources() {
  return guidesOnce().map(({ name, title, lead }) => ({
    uri: GUIDE + name,
    name,
    title,
    description: lead,
    mimeType: 'text/markdown',
  }))
}

/** Returns the content of a resource, or null with a reason for the caller. */
export function readResource(uri: string, routes: Routes): { text: string; mimeType: string } | { hint: string } {
  if (uri.startsWith(GUIDE)) {
    const guides = guidesOnce()
    const guide = guides.find(({ name }) => name === uri.slice(GUIDE.length))
    if (guide) return { text: `# ${guide.title}\n\n${guide.lead}\n\n${guide.text}\n`, mimeType: 'text/markdown' }
    const names = guides.map(({ name }) => name)
    return { hint: didYouMean(uri.slice(GUIDE.length), names) || `; there are ${names.join(', ')}` }
  }
  if (uri.startsWith(SCHEMA)) {
    const wanted = uri.slice(SCHEMA.length)
    const route = routes.all.find(({ name }) => name === wanted)
    if (route) return { text: schemaTextOf(route), mimeType: 'application/schema+json' }
    return { hint: routes.meant(wanted) }
  }
  return { hint: `; resources begin with ${GUIDE} or ${SCHEMA}` }
}

const schemas = new Map<string, string>()

/** The schema is made once for each route: making it takes some milliseconds. */
function schemaTextOf(route: Routes['all'][number] & { output: z.ZodType | null }): string {
  const text = schemas.get(route.name) ?? JSON.stringify(schemaOfAnswer(route))
  schemas.set(route.name, text)
  return text
}

/** Makes one JSON Schema document, which contains each named shape once. */
function schemaOfAnswer(route: Routes['all'][number] & { output: z.ZodType | null }) {
  const schemas = schemasOf([route], [])
  return { ...schemas.of(route), components: { schemas: schemas.components } }
}
