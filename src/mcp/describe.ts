/** Descriptions of paths and families, from their declarations. */
import type { z } from 'zod'
import { addressOf } from '../declare/examples.ts'
import type { Route } from '../declare/route.ts'
import { columnType, meaningOf } from '../declare/table.ts'
import { membersOf, notesOf } from '../pages/explorer/shape.ts'
import { type Schema, schemaOf } from '../serve/openapi/schemas.ts'
import { belowVersion } from './address.ts'
import { CallError } from './api.ts'
import { inLine, shortened } from './render/plain.ts'
import { pathNames, type Routes } from './routes.ts'

const MEANING_MAX = 240

/** Lists all paths, by group. */
export function overview(routes: Routes): string[] {
  const byTag = Map.groupBy(routes.all, ({ tag }) => tag)
  const groups = [...byTag].flatMap(([tag, all]) => [
    `## ${tag}`,
    ...all.map(({ name, path, summary }) => `${path}\t${name}\t${summary}`),
  ])
  return [
    'Paths, the names of their operations, and what they answer. describe(target=…) lists the parameters and columns of one path.',
    ...groups,
    '## families of forms',
    routes.families.map(({ slug }) => slug).join(', '),
  ]
}

/** @throws CallError with similar names if no path, operation, family or form has that name */
export function describe(target: string, routes: Routes): string[] {
  const wanted = target.trim()
  const below = belowVersion(wanted).split('?', 1)[0]
  const route = routes.all.find(({ name, path }) => name === wanted || path === below)
  if (route) return routeLines(route)
  const family = routes.family(wanted)
  if (family) return familyLines(family, routes)
  if (wanted.startsWith('/')) return routeLines(routes.of(below!).route)
  throw new CallError(
    `target ${JSON.stringify(wanted.slice(0, 60))}: no such path, operation, family or form${routes.meant(wanted)}`,
  )
}

export function routeLines(route: Route): string[] {
  const { name, path, summary, description, list, examples } = route
  const row = list?.row ?? route.output
  const example = examples[0]
  return [
    `${path} (${name}): ${summary}`,
    ...(description ? [description] : []),
    '## parameters',
    ...Object.entries(route.input.shape).map(([each, type]) =>
      parameterLine(each, type as z.ZodType, pathNames(route)),
    ),
    list ? '## columns of a row' : '## members',
    ...columnLines(row),
    ...(example ? [`Example: call(path="/v1${addressOf(route, example)}")`] : []),
  ]
}

function parameterLine(name: string, type: z.ZodType, inPath: readonly string[]): string {
  const schema = schemaOf(type)
  const needed = inPath.includes(name) || !type.safeParse(undefined).success
  const words = wordsOf(schema)
  const notes = [needed ? 'required' : '', words === '' ? String(schema.type ?? '') : words].filter(Boolean)
  return `${name}\t${notes.join('; ')}\t${short(schema.description)}`
}

const wordsOf = ({ enum: words }: Schema) => (Array.isArray(words) ? `one of ${words.slice(0, 40).join(', ')}` : '')
const short = (text: unknown) => (typeof text === 'string' ? shortened(inLine(text), MEANING_MAX) : '')

const columnLines = (type: z.ZodType | null): string[] =>
  membersOf(type, {}).map(({ name, type: of }) => {
    const { unit, entity } = notesOf(of)
    const notes = [unit ? `[${unit}]` : '', entity ? `names a ${entity}` : ''].filter(Boolean).join(' ')
    return `${name}\t${notes}\t${short(of ? meaningOf(of) : null)}`
  })

function familyLines(family: Routes['families'][number], routes: Routes): string[] {
  const { slug, label, group, forms, tier, feed, bespokeRoute } = family
  const own = routes.all.filter(({ path }) => path.startsWith(`/${slug}/`))
  const columns = feed?.columns ?? []
  return [
    `${slug}: ${label} (${group}), of the tier ${tier}`,
    `Forms: ${forms.join(', ')}`,
    ...(bespokeRoute ? [`One filing: ${bespokeRoute}`] : []),
    ...own.map(({ path, name, summary }) => `${path}\t${name}\t${summary}`),
    ...(feed ? ['## columns of list_filings(family=…)'] : []),
    ...columns.map((name) => {
      const type = feed?.table.columns[name] as z.ZodType | undefined
      const unit = type && columnType(type)?.unit
      return `${name}\t${unit ? `[${unit}]` : ''}\t${short(type && meaningOf(type))}`
    }),
    ...(feed
      ? [`Can be filtered: ${feed.facets.join(', ')} (parameter filters of /filings, with family=${slug})`]
      : []),
  ]
}
