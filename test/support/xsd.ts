/**
 * Builds a document that has every element allowed by an SEC schema, once. If the parser does not read an element of
 * this document, it would not read this element in a filing either.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Element, parse } from '../../src/read/xml.ts'

type Definitions = Map<string, Element>

/** Maximum depth of elements. Types may be recursive, and some nest deeper than any form. */
const DEPTH_MAX = 14
export const VALUE = 'SAMPLE'

/**
 * @param file of the schema; included files are in the same folder
 * @param values of elements that identify the form, by name
 */
export function documentOf(file: string, root: string, values: Readonly<Record<string, string>>): string {
  const definitions: Definitions = new Map()
  load(file, definitions, new Set())
  const element = (one: Element, types: readonly string[]): string => {
    const name = one.attribute('name')
    if (name === null) return element(definitions.get(`element ${local(one.attribute('ref'))}`)!, types)
    const type = local(one.attribute('type'))
    const inline = one.all('complexType')[0]
    const named = definitions.get(`complexType ${type}`)
    const isRepeated = types.filter((each) => each === type).length > 1 || types.length > DEPTH_MAX
    const complex = inline ?? (named && !isRepeated ? named : undefined)
    const { body, attributes } = complex ? content(complex, [...types, type]) : { body: '', attributes: '' }
    // An element with only attributes, such as a reference to a footnote, is empty.
    const text = body !== '' || (complex && attributes !== '') ? body : (values[name] ?? VALUE)
    return `<${name}${attributes}>${text}</${name}>`
  }
  const content = (complex: Element, types: readonly string[]): { body: string; attributes: string } => {
    let [body, attributes] = ['', '']
    for (const part of childrenOf(complex)) {
      const kind = part.name
      if (kind === 'attribute') attributes += ` ${part.attribute('name') ?? local(part.attribute('ref'))}="F1"`
      else if (kind === 'complexContent' || kind === 'simpleContent') {
        const [derived] = childrenOf(part)
        const base = definitions.get(`complexType ${local(derived!.attribute('base'))}`)
        const own = content(derived!, types)
        const inherited = base && derived!.name === 'extension' ? content(base, types) : { body: '', attributes: '' }
        body += inherited.body + own.body
        attributes += inherited.attributes + own.attributes
      } else body += group(part, types)
    }
    return { body, attributes }
  }
  const group = (part: Element, types: readonly string[]): string => {
    if (part.name === 'element') return element(part, types)
    const referred = part.name === 'group' ? definitions.get(`group ${local(part.attribute('ref'))}`) : part
    if (!referred || !['sequence', 'choice', 'all', 'group'].includes(part.name)) return ''
    return childrenOf(referred)
      .map((each) => group(each, types))
      .join('')
  }
  return `<?xml version="1.0"?>${element(definitions.get(`element ${root}`)!, [])}`
}

const local = (name: string | null) => name?.split(':').at(-1) ?? ''

function load(file: string, definitions: Definitions, loaded: Set<string>): void {
  if (loaded.has(file)) return
  loaded.add(file)
  for (const part of childrenOf(parse(readFileSync(file)))) {
    const other = part.attribute('schemaLocation')
    const neighbour = other && path.join(path.dirname(file), path.basename(other))
    for (const found of neighbour ? [neighbour, `${neighbour}.xml`] : [])
      if (existsSync(found)) load(found, definitions, loaded)
    const name = part.attribute('name')
    if (name) definitions.set(`${part.name} ${name}`, part)
  }
}

/** Returns the children in their order, whatever their names. */
function childrenOf(element: Element): Element[] {
  const next = new Map<string, Iterator<Element>>()
  return element.childNames().map((name) => {
    if (!next.has(name)) next.set(name, element.all(name).values())
    return next.get(name)!.next().value!
  })
}
