/** Reads the members of a day's archive. */

/**
 * A member: a submission, or a correction that EDGAR made after it accepted the submission (a new header, or the note
 * that the submission was deleted).
 */
export interface Member {
  accession: string
  kind: 'submission' | 'correction'
}

/**
 * Parses a name such as `0001213900-25-121430.nc` or `0001213900-25-121430.corr01`, in any folder; null for other
 * names.
 */
export function memberOf(name: string): Member | null {
  const [, accession, kind] = /(?:^|\/)(\d{10}-\d\d-\d{6})\.(nc|corr\d{2,4})$/.exec(name) ?? []
  return accession ? { accession, kind: kind === 'nc' ? 'submission' : 'correction' } : null
}

const LF = 0x0a
const CR = 0x0d

/** The second line must end within this number of bytes. The first line is the tag of the container. */
const LINES_LOOK = 256

/**
 * Yields a submission with the line ends that it has at its own address. Some members have a bare CR at the end of
 * every line except the first (0001127602-25-004598, 0001951757-25-000093). In such a member, each line end becomes an
 * LF. A member whose second line does not end with a bare CR is yielded unchanged.
 */
export async function* withLineFeeds(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let first = Buffer.alloc(0)
  let isBare: boolean | null = null
  let wasReturn = false
  for await (const chunk of bytes) {
    let piece = chunk
    if (isBare === null) {
      first = Buffer.concat([first, chunk])
      if (first.length < LINES_LOOK) continue
      isBare = endsBare(first)
      piece = first
    }
    if (isBare) [piece, wasReturn] = fed(piece, wasReturn)
    yield piece
  }
  if (isBare === null && first.length > 0) yield endsBare(first) ? fed(first, false)[0] : first
}

/** Whether the second line ends with a CR without an LF. */
function endsBare(bytes: Buffer): boolean {
  const look = bytes.toString('latin1', 0, LINES_LOOK)
  return /^\s*<SUBMISSION>(?:\r\n|\n|\r)[^\r\n]*\r[^\n]/.test(look)
}

/**
 * Replaces each CR, and each CR LF, by an LF.
 *
 * @returns the new bytes, and whether the last byte was a CR
 */
function fed(bytes: Buffer, wasReturn: boolean): [Buffer, boolean] {
  const out = Buffer.allocUnsafe(bytes.length)
  let length = 0
  let before = wasReturn
  for (const byte of bytes) {
    if (!(byte === LF && before)) out[length++] = byte === CR ? LF : byte
    before = byte === CR
  }
  return [out.subarray(0, length), before]
}
