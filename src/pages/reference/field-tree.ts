/** The fields of an answer as a tree that the reader can open. */
import { type Html, html, verbatim } from '../html.ts'
import { inline } from '../prose.ts'
import type { Field } from './fields.ts'
import { choices } from './frame.ts'
import type { Reference } from './model.ts'

/**
 * Maximum number of fields that are visible at first, from the top down. The whole profile of an adviser has 900
 * fields.
 */
const SHOWN_MAX = 60

export function fieldTree(fields: readonly Field[], reference: Reference): Html {
  return branch(fields, { path: '', open: opened(fields), links: linksOf(reference), units: new Map(reference.units) })
}

interface Tree {
  /** Names of the objects that contain these fields, each followed by a dot. */
  path: string
  open: ReadonlySet<Field>
  /** Page about the thing that an entity names. */
  links: ReadonlyMap<string, string>
  units: ReadonlyMap<string, string>
}

/** Returns the fields whose members are visible at first: level by level, up to the maximum. */
function opened(fields: readonly Field[]): Set<Field> {
  const open = new Set<Field>()
  let room = SHOWN_MAX - fields.length
  for (let level = fields; level.length > 0; level = level.flatMap((field) => (open.has(field) ? field.fields : []))) {
    for (const field of level) {
      if (field.fields.length === 0 || field.fields.length > room) continue
      open.add(field)
      room -= field.fields.length
    }
  }
  return open
}

/** The link of an entity is an address of the API, so the page of the operation at this address explains more. */
function linksOf({ entities, operations }: Reference): Map<string, string> {
  const shape = (path: string) => path.replace(/\?.*$/, '').replaceAll(/\{\w+\}/g, '{}')
  const pages = new Map([...operations.values()].map(({ path, id }) => [shape(path), `/docs/${id}`]))
  return new Map(
    entities.flatMap(({ name, link }) => {
      const page = link === null ? undefined : pages.get(shape(link))
      return page === undefined ? [] : [[name, page] as const]
    }),
  )
}

function branch(fields: readonly Field[], tree: Tree): Html {
  return html`<ul class="fields">
${fields.map((field) => leaf(field, tree))}</ul>`
}

function leaf(field: Field, tree: Tree): Html {
  const { name, description, fields } = field
  const path = tree.path + name
  const details = html`${description && html`<p>${inline(description)}</p>`}${choices(field.choices)}`
  if (fields.length === 0)
    return html`<li id="field-${path}"><div class="field">${head(field, tree)}</div>${details}</li>\n`
  return html`<li id="field-${path}"><details${tree.open.has(field) && verbatim(' open')}><summary class="field">${head(field, tree)} <span class="soft">${fields.length} ${fields.length === 1 ? 'field' : 'fields'}</span></summary>${details}${branch(fields, { ...tree, path: `${path}.` })}</details></li>\n`
}

function head(
  { name, type, nullable, optional, unit, entity, schema, recursive }: Field,
  { links, units }: Tree,
): Html {
  const page = entity === null ? undefined : links.get(entity)
  return html`<code>${name}</code> <span class="type">${type}${nullable && ' or null'}</span>${schema !== null && html` <span class="schema">${schema}</span>`}${unit !== null && html` <span class="unit" title="${units.get(unit)}">${unit}</span>`}${entity !== null && (page ? html` <a class="entity" href="${page}">${entity}</a>` : html` <span class="entity">${entity}</span>`)}${optional && html` <span class="soft">not always present</span>`}${recursive && html` <span class="soft">with the fields of the object that contains it</span>`}`
}
