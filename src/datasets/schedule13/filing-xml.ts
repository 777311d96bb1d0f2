/** The XML of a Schedule 13D or 13G → rows. */
import type { ParsedRow } from '../../declare/dataset.ts'
import type { About, EveryDocumentPart } from '../../declare/documents.ts'
import { type Limits, parse as parseXml } from '../../read/xml.ts'
import { parse } from './parse.ts'

const MB = 1024 * 1024
/** The largest real one has 150 KB. */
const LIMITS: Limits = { sizeMax: 16 * MB, nodesMax: 100_000 }

/** @throws XmlError with its place, where the XML cannot be read */
export async function* readXml(document: EveryDocumentPart, tell: About['tell']): AsyncGenerator<ParsedRow> {
  const bytes = await bytesOf(document)
  const doc = parseXml(bytes, LIMITS)
  yield* parse(doc)
  tell({ problems: doc.problems(), unread: doc.unread() })
}

async function bytesOf({ entry, bytes }: EveryDocumentPart): Promise<Buffer> {
  if (entry.size > LIMITS.sizeMax!) throw new Error(`has ${entry.size} bytes, more than the ${LIMITS.sizeMax} that are read`)
  const pieces: Uint8Array[] = []
  for await (const piece of bytes()) pieces.push(piece)
  return Buffer.concat(pieces)
}
