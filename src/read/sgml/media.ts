/**
 * Determines the media type of a document: from its bytes first, since names can be wrong (a `.jpg` that is a GIF),
 * then from its name.
 */

const MAGIC: readonly (readonly [start: string, type: string])[] = [
  ['%PDF-', 'application/pdf'],
  ['GIF8', 'image/gif'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['\x89PNG\r\n', 'image/png'],
  ['II*\0', 'image/tiff'],
  ['MM\0*', 'image/tiff'],
  ['\x1f\x8b', 'application/gzip'],
  ['\xd0\xcf\x11\xe0', 'application/x-ole-storage'],
]

const EXTENSIONS: Readonly<Record<string, string>> = {
  htm: 'text/html',
  html: 'text/html',
  xml: 'application/xml',
  xsd: 'application/xml',
  xbrl: 'application/xml',
  fil: 'text/plain',
  txt: 'text/plain',
  css: 'text/css',
  js: 'text/javascript',
  json: 'application/json',
}
const BINARY_EXTENSIONS: Readonly<Record<string, string>> = {
  bmp: 'image/bmp',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
}
const OFFICE_ZIP = new Set(['docx', 'pptx', 'xlsx'])
const OFFICE_OLE = new Set(['doc', 'ppt', 'xls'])

/**
 * @param head first bytes of the document, decoded and without wrapper tags; 1 KB is enough
 * @param name file name, if any
 * @returns a media type; with `; charset=…` for text that declares one
 */
export function mediaType(head: Buffer, name: string | null): string {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name ?? '')?.[1]?.toLowerCase() ?? ''
  const start = head.subarray(0, 1024).toString('latin1')
  for (const [magic, type] of MAGIC) {
    if (!start.startsWith(magic)) continue
    return type === 'application/x-ole-storage' && OFFICE_OLE.has(extension) ? BINARY_EXTENSIONS[extension]! : type
  }
  if (start.startsWith('PK\x03\x04'))
    return OFFICE_ZIP.has(extension) ? BINARY_EXTENSIONS[extension]! : 'application/zip'
  if (start.startsWith('BM') && extension === 'bmp') return 'image/bmp'
  if (/[\0-\x08\x0e-\x1a]/.test(start)) return BINARY_EXTENSIONS[extension] ?? 'application/octet-stream'
  return text(start.replace(/^(?:\xef\xbb\xbf)?\s*/, ''), EXTENSIONS[extension])
}

function text(start: string, byName: string | undefined): string {
  // iXBRL is XHTML: it begins as XML, with <html> as its first element.
  const declared = /^<\?xml[^>]*>/i.test(start)
  const first = firstElement(start)
  let type: string
  if (first === 'html' || /^<!doctype html/i.test(start)) type = 'text/html'
  else if (declared) type = byName === 'text/html' ? 'text/html' : 'application/xml'
  else type = byName ?? 'text/plain'
  const charset =
    /^<\?xml[^>]*\bencoding\s*=\s*["']([\w-]{1,40})["']/i.exec(start) ??
    /<meta[^<>]*\bcharset\s*=\s*["']?([\w-]{1,40})/i.exec(start)
  if (!charset || (type !== 'text/html' && type !== 'application/xml')) return type
  const label = charset[1]!.toLowerCase()
  return `${type}; charset=${label === 'ascii' ? 'us-ascii' : label}`
}

/**
 * Returns the local name of the first element after declaration, comments and DOCTYPE. Returns null if other content
 * comes before the element.
 */
function firstElement(start: string): string | null {
  let rest = start
  // Skips one comment or declaration at a time: a single expression for all takes exponential time on a row of
  // comments.
  for (let skipped = true; skipped; ) {
    const after = rest.replace(/^(?:\s+|<\?[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE[^>]*>)/i, '')
    skipped = after !== rest
    rest = after
  }
  return /^<(?:[a-z][\w.-]*:)?([a-z][\w.-]*)/i.exec(rest)?.[1]?.toLowerCase() ?? null
}
