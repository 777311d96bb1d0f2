/**
 * Turns the XML of a Schedule 13D or 13G into rows. EDGAR accepted some malformed XML; the faults of such XML are
 * mended and reported.
 */
import type { ParsedRow } from '../../declare/dataset.ts'
import type { FiledDocument, Tell } from '../../declare/documents.ts'
import { NOTHING, Source } from '../../read/encoding.ts'
import { mend } from '../../read/xml/mend.ts'
import { type Element, type Limits, parse as parseXml, XmlError } from '../../read/xml.ts'
import { parse } from './parse.ts'

const MB = 1024 * 1024
/** Limits of a document. The largest real one has 150 KB. */
const LIMITS: Limits = { sizeMax: 16 * MB, nodesMax: 100_000 }

/** @throws XmlError with the position of the fault, if the XML is malformed and it is ambiguous how to mend it */
export async function* readXml(document: FiledDocument, tell: Tell): AsyncGenerator<ParsedRow> {
  const { doc, repairs } = readLeniently(await bytesOf(document))
  yield* parse(doc, repairs)
  tell({ problems: doc.problems(), unread: doc.unread() })
}

/**
 * Reads strictly. If this fails, reads once more with unambiguous slips mended. These are `&` and `<` that begin
 * neither entity nor tag, and closing tags without their last character.
 *
 * @returns the document, and the repairs with their positions
 * @throws XmlError for the unchanged document
 */
export function readLeniently(bytes: Uint8Array): { doc: Element; repairs: string[] } {
  try {
    return { doc: parseXml(bytes, LIMITS), repairs: [] }
  } catch (error) {
    const made = error instanceof XmlError && bytes.length <= LIMITS.sizeMax! ? mend(decoded(bytes)) : null
    if (!made) throw error
    try {
      const doc = parseXml(made.text, LIMITS)
      return { doc, repairs: made.mended.map(({ what, line, column }) => `line ${line}, column ${column}: ${what}`) }
    } catch {
      throw error
    }
  }
}

function decoded(bytes: Uint8Array): string {
  const source = new Source()
  return source.next(bytes) + source.next(NOTHING, true)
}

async function bytesOf({ entry, bytes }: FiledDocument): Promise<Uint8Array> {
  if (entry.size > LIMITS.sizeMax!) {
    throw new Error(`has ${entry.size} bytes, more than the ${LIMITS.sizeMax} that are read`)
  }
  const pieces: Uint8Array[] = []
  for await (const piece of bytes()) pieces.push(piece)
  return Buffer.concat(pieces)
}
