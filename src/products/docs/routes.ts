/** Original documents of filings, byte for byte as filed. */
import { Readable } from 'node:stream'
import { apiError } from '../../declare/api-errors.ts'
import { accession, type Bytes, choice, getBytes, whole } from '../../declare/route.ts'
import { answerRange } from './range.ts'

const MB = 1024 * 1024
/** Maximum size of a document in bytes. Larger documents are refused, as section 8 of the contract requires. */
const SIZE_MAX = 250 * MB

/**
 * HTML and SVG of filings never run in this server's origin. They have no scripts, no forms, no plug-ins and a null
 * origin. Inline styles and images stay, since a filing is unreadable without them.
 */
const SANDBOX =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

export const document = getBytes('/edgar/doc/{accession}/{seq}', {
  name: 'edgar_doc',
  summary: 'Download a document of a filing',
  description:
    'The original bytes of one document of a filing, with its native content type. `seq` is the number of the document in `documents` of `/filing/{accession}`. ' +
    'An XML document is sent between EDGAR’s tags <XML> and </XML>, as filed; with raw=1 it is a valid XML file. ' +
    'A document that is not in the archive is fetched from EDGAR on request, which takes a second or two. The content of a document never changes and may be cached for ever. ' +
    'Byte ranges (header `Range`) are supported.',
  tag: 'filings',
  input: {
    accession,
    seq: whole({
      min: 0,
      max: 999_999,
      describe: 'Number of the document in the filing, from `documents` of /filing/{accession}',
    }),
    raw: choice(['0', '1'], '1 returns an XML document without the EDGAR tags around it').optional(),
    format: choice(['json'], 'json: errors are sent as JSON, as with Accept: application/json').optional(),
  },
  examples: [
    { accession: '0001104659-24-098969', seq: '1' },
    { accession: '0001104659-24-098969', seq: '1', raw: '1' },
    { accession: '0001104659-24-098969', seq: '1', format: 'json' },
  ],
  statuses: [206, 304, 413, 416, 503],
  run: async ({ accession, seq, raw }, { submissions, headers }): Promise<Bytes> => {
    const submission = await submissions.get(accession)
    if (!submission) throw apiError('filing_unknown', { accession, fault: 'not among the loaded filings' })
    const entry = submission.documents.find((document) => document.seq === seq)
    const { cutOff } = submission.header
    if (!entry) {
      const detail = cutOff ? `: as EDGAR serves it, ${cutOff}` : ''
      throw apiError('document_not_found', { accession, seq, detail })
    }
    if (entry.cutOff) throw apiError('document_cut_off', { seq, accession, fault: String(cutOff) })
    if (entry.size > SIZE_MAX) throw apiError('document_too_large', { seq, accession, size: entry.size, max: SIZE_MAX })
    await submissions.bring(submission, entry)
    const unwrapped = raw === '1' || entry.wrapper === 'PDF'
    const body = submissions.document(submission, entry, { unwrapped })
    return answerRange({
      etag: `"${submission.sha256.slice(0, 32)}-${seq}${unwrapped ? '-raw' : ''}"`,
      // Unwrapping removes bytes, so the size is known only after reading the document.
      size: unwrapped && entry.wrapper !== null ? null : entry.size,
      body: () => Readable.from(body),
      request: headers,
      headers: {
        'content-type': entry.mediaType,
        'cache-control': 'private, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': SANDBOX,
        'content-disposition': `inline; filename="${fileName(entry.filename, accession, seq)}"`,
      },
    })
  },
})

/**
 * Returns the file's own name if it has plain characters only, else a name made from known parts, since text from a
 * filer must not get into a header.
 */
function fileName(filename: string | null, accession: string, seq: number): string {
  return filename && /^[\w.-]{1,128}$/.test(filename) ? filename : `${accession}-${seq}`
}
