/** Makes a Form N-CEN with every leaf of the SEC's schema once, each with a distinct value. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type Element, parse as parseXml } from '../../../src/read/xml.ts'

const FILES = ['eis_NCEN_Common.xsd', 'eis_Common.xsd', 'eis_Common_SC.xsd', 'eis_NCEN_Filer.xsd']

interface Leaf {
  path: string
  value: string
}

const local = (name: string | null) => name?.split(':').at(-1) ?? ''

/** @param folder of the schema */
export function everyLeaf(folder: string): { document: string; leaves: Leaf[] } {
  const named = new Map<string, Element>()
  for (const file of FILES) {
    const schema = parseXml(readFileSync(path.join(folder, file)))
    for (const kind of ['complexType', 'group', 'element']) {
      for (const one of schema.all(kind)) named.set(`${kind} ${one.attribute('name')}`, one)
    }
  }
  const leaves: Leaf[] = []
  let number = 0

  /** Returns a value of this type. All leaves have different values, except fixed values, flags and codes. */
  function leafOf(type: string, fixed: string | null, at: string): string {
    number++
    const value = fixed ?? valueOfType(/Lei$/.test(at) ? 'LEI' : type, number)
    leaves.push({ path: at, value })
    return value
  }

  /** Returns the attributes and children of a type, with all alternatives of a choice; without both, it is a leaf. */
  function inside(
    node: Element,
    at: string,
    seen: readonly string[],
  ): { attributes: string; children: string; has: boolean } {
    let [attributes, children, has] = ['', '', false]
    for (const kind of ['sequence', 'choice', 'all', 'complexType', 'complexContent', 'simpleContent', 'extension']) {
      for (const part of node.all(kind)) add(inside(part, at, seen))
    }
    for (const group of node.all('group')) {
      const ref = named.get(`group ${local(group.attribute('ref'))}`)
      if (ref) add(inside(ref, at, seen))
    }
    for (const attribute of node.all('attribute')) {
      const name = attribute.attribute('name')!
      const value = leafOf(local(attribute.attribute('type')), attribute.attribute('fixed'), `${at}/@${name}`)
      add({ attributes: ` ${name}="${value}"`, children: '', has: true })
    }
    for (const element of node.all('element'))
      add({ attributes: '', children: elementOf(element, at, seen), has: true })
    return { attributes, children, has }

    function add(more: { attributes: string; children: string; has: boolean }) {
      attributes += more.attributes
      children += more.children
      has ||= more.has
    }
  }

  function elementOf(declared: Element, around: string, seen: readonly string[]): string {
    const element = named.get(`element ${local(declared.attribute('ref'))}`) ?? declared
    const name = element.attribute('name')!
    const type = local(element.attribute('type'))
    const at = `${around}/${name}`
    const content = seen.includes(type)
      ? undefined
      : (named.get(`complexType ${type}`) ?? (type === '' ? element : undefined))
    const { attributes, children, has } = content
      ? inside(content, at, type === '' ? seen : [...seen, type])
      : { attributes: '', children: '', has: false }
    const text = has ? children : leafOf(type, element.attribute('fixed'), at)
    return `<${name}${attributes}>${text}</${name}>`
  }

  const document = elementOf(named.get('element edgarSubmission')!, '', [])
  return { document, leaves }
}

function valueOfType(type: string, number: number): string {
  const digits = String(number).padStart(6, '0')
  if (/YES_NO|TRUE_FALSE|boolean/.test(type)) return /YES_NO/.test(type) ? 'Y' : 'true'
  if (/^DATE/.test(type)) return new Date(Date.UTC(1970, 0, number)).toISOString().slice(0, 10)
  if (/DECIMAL/.test(type)) return `${number}.25`
  if (/^INTEGER/.test(type)) return `9${digits}`
  if (/LEI/.test(type)) return `ABCDEFGHIJKL${digits}00`
  if (/RSSD/.test(type)) return `8${digits}`
  if (/SERIES_ID/.test(type)) return `S000${digits}`
  if (/CLASS_ID/.test(type)) return `C000${digits}`
  if (/^CIK/.test(type)) return '0000000700'
  if (/CRD_NUMBER/.test(type)) return `001${digits}`
  if (/ISO_STATE/.test(type)) return 'US-NY'
  if (/COUNTRY_CODE/.test(type)) return 'US'
  return WORDS[type] ?? `text ${digits}`
}

/** Types whose allowed words the parser knows. */
const WORDS: Readonly<Record<string, string>> = {
  SUBMISSION_TYPE: 'N-CEN',
  FUND_TYPE: 'Exchange-Traded Fund',
  CREDIT_LINE_COMMITTED_TYPE: 'Committed',
  COMPANY_CLASSIFICATION_TYPE: 'N-1A',
  STRING_10_TYPE: '2017-09',
}
