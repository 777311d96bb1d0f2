/**
 * Reads a document with saxes, a third-party parser: our reader must give the same tree, or refuse what saxes refuses.
 */
import { type SaxesAttributeNS, SaxesParser } from 'saxes'
import { cp1252, NOTHING, Source } from '../../../src/read/encoding.ts'
import { XmlError } from '../../../src/read/xml/error.ts'
import { Reader } from '../../../src/read/xml/reader.ts'
import { NO_ATTRIBUTES } from '../../../src/read/xml/shapes.ts'
import type { Node } from '../../../src/read/xml/tree.ts'

interface Tree {
  name: string
  text: string
  attributes: readonly (readonly [name: string, text: string])[]
  children: Tree[]
}

/** Reason for refusing a document. */
export class Refusal {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

/** Decodes bytes in the encodings that our reader supports; saxes, with its namespace mode on, judges the rest. */
export function bySaxes(bytes: Uint8Array): Tree | Refusal {
  const parser = new SaxesParser({ xmlns: true, defaultXMLVersion: '1.0', forceXMLVersion: true })
  const open: Tree[] = [{ name: '', text: '', attributes: [], children: [] }]
  const addText = (text: string) => {
    open.at(-1)!.text += cp1252(text)
  }
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', () => {
    throw new Error('a DOCTYPE, which saxes reads and we refuse')
  })
  // saxes makes an instruction of `<?a?b?>`; XML requires a blank after the name of an instruction.
  parser.on('processinginstruction', ({ target, body }) => {
    if (body.startsWith('?') && Buffer.from(bytes).includes(`<?${target}?`)) throw new Error('no blank behind a name')
  })
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('opentag', ({ local, attributes }) => {
    const kept = Object.values(attributes as Record<string, SaxesAttributeNS>).filter(
      ({ prefix, name }) => prefix !== 'xmlns' && name !== 'xmlns',
    )
    const tree = {
      name: local,
      text: '',
      attributes: kept.map(({ local, value }) => [local, cp1252(value)] as const),
      children: [],
    }
    open.at(-1)!.children.push(tree)
    open.push(tree)
  })
  parser.on('closetag', () => {
    open.pop()
  })
  try {
    const source = new Source()
    // saxes must not judge the encoding that a document names: the bytes decide.
    const unnamed = (text: string) => text.replace(/^(<\?xml[^>]*?\sencoding\s*=\s*)(["'])[^"'<>&?]*\2/, '$1$2UTF-8$2')
    const texts = [source.next(bytes), source.next(NOTHING, true)].filter((text) => text !== '')
    for (const [at, text] of texts.entries()) parser.write(at === 0 ? unnamed(text) : text)
    parser.close()
  } catch (error) {
    return new Refusal((error as Error).message)
  }
  return open[0]!.children[0]!
}

/** @param pieceSize number of bytes in each piece that our reader gets */
export function byOurs(bytes: Uint8Array, pieceSize: number): Node | Refusal {
  const reader = new Reader(null)
  try {
    for (let at = 0; at < bytes.length; at += pieceSize) reader.write(bytes.subarray(at, at + pieceSize))
    reader.end()
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    return new Refusal(error.message)
  }
  return reader.take()[0]!
}

/** Returns the difference between our result and that of saxes; null if there is none. */
export function difference(ours: Node | Refusal, theirs: Tree | Refusal): string | null {
  if (ours instanceof Refusal) return theirs instanceof Refusal ? null : `only we refuse: ${ours.reason}`
  if (theirs instanceof Refusal) return `only saxes refuses: ${theirs.reason}`
  const { path } = ours.shape
  if (ours.shape.name !== theirs.name) return `${path} is ${theirs.name} to saxes`
  if (ours.text.trim() !== theirs.text.trim()) return `the text of ${path}: ${show(ours.text)}, ${show(theirs.text)}`
  const { layout, texts } = ours.attributes ?? { layout: NO_ATTRIBUTES, texts: [] }
  const attributes = layout.names.map(({ name }, at) => [name, texts[at]])
  if (JSON.stringify(attributes) !== JSON.stringify(theirs.attributes)) {
    return `the attributes of ${path}: ${show(attributes)}, ${show(theirs.attributes)}`
  }
  let child = ours.first
  for (const wanted of theirs.children) {
    if (child === null) return `${path} lacks ${wanted.name}`
    const found = difference(child, wanted)
    if (found !== null) return found
    child = child.next
  }
  return child === null ? null : `${path} has ${child.shape.name} too much`
}

const show = (value: unknown) => JSON.stringify(value).slice(0, 200)
