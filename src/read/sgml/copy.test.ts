import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeDocument, type Keep, readSubmission } from './submission.ts'

const doc = (type: string, name: string | null, text: string, sequence: number | null = null) =>
  `<DOCUMENT>\n<TYPE>${type}\n${sequence === null ? '' : `<SEQUENCE>${sequence}\n`}${name === null ? '' : `<FILENAME>${name}\n`}<TEXT>${text}</TEXT>\n</DOCUMENT>\n`
const head =
  '<SEC-HEADER>0001999999-24-000007.hdr.sgml : 20240313\nACCESSION NUMBER:\t0001999999-24-000007\n</SEC-HEADER>\n'
const sec = (...documents: string[]) =>
  `<SEC-DOCUMENT>0001999999-24-000007.txt : 20240313\n${head}${documents.join('')}</SEC-DOCUMENT>\n`

const PICTURE = `\nbegin 644 logo.jpg\n${'MAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBD3-nothing-here-is-checked\n'.repeat(2500)}\`\nend\n`
const LONG = `\n<HTML>\n${'<p>A paragraph of a prospectus, with </TEXT> and <DOCUMENT> quoted in it.</p>\n'.repeat(1500)}</HTML>\n`

const SHAPES: Record<string, string> = {
  'several documents': sec(
    doc('8-K', 'main.htm', '\n<HTML>Main</HTML>\n', 1),
    doc('GRAPHIC', 'logo.jpg', PICTURE, 2),
    doc('EX-99.1', 'release.htm', LONG, 3),
    doc('GRAPHIC', 'other.jpg', PICTURE, 4),
    doc('EX-101.SCH', 'x.xsd', '\n<XBRL>\n<?xml version="1.0"?>\n<schema/>\n</XBRL>\n', 5),
  ),
  'text on the line of its tag, and none at all': sec(
    doc('8-K', 'a.txt', 'begins here\nand ends', 1),
    doc('GRAPHIC', null, '', 2),
    '<DOCUMENT>\n<TYPE>GRAPHIC\n<SEQUENCE>3\n</DOCUMENT>\n',
    doc('EX-1', 'b.txt', '   \r\nlast\n', 4),
  ),
  'one number twice': sec(
    doc('8-K', 'a.txt', '\none\n', 1),
    doc('GRAPHIC', 'b.jpg', '\ntwo\n', 1),
    doc('8-K', 'c.txt', '\nthree\n', 7),
  ),
  'no documents': sec(),
  'cut off in a document that is wanted': sec(doc('GRAPHIC', 'a.jpg', PICTURE, 1), doc('8-K', 'b.htm', LONG, 2)).slice(
    0,
    -90_000,
  ),
  'cut off in a picture': sec(doc('8-K', 'b.htm', LONG, 1), doc('GRAPHIC', 'a.jpg', PICTURE, 2)).slice(0, -90_000),
  'cut off in a title': `${sec(doc('8-K', 'b.htm', LONG, 1)).replace('</SEC-DOCUMENT>\n', '')}<DOCUMENT>\n<TYPE>GRAPHIC\n<SEQU`,
  'cut off after a document': sec(doc('8-K', 'b.htm', LONG, 1), doc('GRAPHIC', 'a.jpg', PICTURE, 2)).replace(
    '</SEC-DOCUMENT>\n',
    '',
  ),
  'a mail of 1996': `-----BEGIN PRIVACY-ENHANCED MESSAGE-----\nProc-Type: 2001,MIC-CLEAR\n\n<IMS-DOCUMENT>0001999999-96-000007.txt : 19960313\n<IMS-HEADER>\nACCESSION NUMBER:\t0001999999-96-000007\n</IMS-HEADER>\n${doc('10-K', null, `\n${'- ----- a line\n'.repeat(9000)}`, 1)}${doc('GRAPHIC', null, PICTURE, 2)}</IMS-DOCUMENT>\n-----END PRIVACY-ENHANCED MESSAGE-----\n`,
  'much after its end': `${sec(doc('8-K', 'a.htm', '\ntext\n', 1))}${'<html>not ours</html>\n'.repeat(9_000)}`,
  'a submission of the feed': `<SUBMISSION>\n<ACCESSION-NUMBER>0001999999-24-000007\n<TYPE>8-K\n${doc('8-K', 'a.htm', LONG, 1)}${doc('GRAPHIC', 'b.jpg', PICTURE, 2)}</SUBMISSION>\n`,
}

const WANTS: Record<string, Keep['wants']> = {
  everything: () => true,
  nothing: () => false,
  'no pictures': ({ type, mediaType }) => type !== 'GRAPHIC' && !mediaType.startsWith('image/'),
  pictures: ({ type }) => type === 'GRAPHIC',
}

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function copied(bytes: Buffer, size: number, wants: Keep['wants']) {
  const parts: Buffer[] = []
  const write = async (part: Buffer) => {
    // The caller reuses the buffer as soon as `write` returns.
    parts.push(Buffer.from(part))
  }
  const submission = await readSubmission(pieces(bytes, size), { wants, write })
  return { ...submission, copy: Buffer.concat(parts) }
}

const content = async (stream: AsyncIterable<Buffer>) => Buffer.concat(await Array.fromAsync(stream))

test('a copy has every byte except unwanted contents, whatever the chunks are', async () => {
  for (const [shape, text] of Object.entries(SHAPES)) {
    const bytes = Buffer.from(text, 'latin1')
    const plain = await readSubmission(pieces(bytes, bytes.length))
    for (const [what, wants] of Object.entries(WANTS)) {
      for (const size of [bytes.length, 65_537, 4099, ...(bytes.length < 5000 ? [1, 7] : [])]) {
        const { copy, dropped, ...found } = await copied(bytes, size, wants)
        const { dropped: none, ...expected } = plain
        assert.deepEqual([none, found], [[], expected], `${shape}, ${what}: the same is found`)
        assert.deepEqual(
          dropped,
          plain.documents.filter((entry) => !wants(entry)).map(({ seq }) => seq),
          `${shape}, ${what}`,
        )
        const out = plain.documents.filter(({ seq }) => dropped.includes(seq))
        let at = 0
        const kept = out.map(({ start, end }) => {
          const part = bytes.subarray(at, start)
          at = end
          return part
        })
        const whole = Buffer.concat([...kept, bytes.subarray(at)])
        assert.ok(copy.equals(whole), `${shape}, ${what}, chunks of ${size}`)
        for (const entry of plain.documents.filter(({ seq }) => !dropped.includes(seq))) {
          const before = out
            .filter(({ end }) => end <= entry.start)
            .reduce((sum, { start, end }) => sum + end - start, 0)
          const [from, to] = [entry.start - before, entry.end - before]
          assert.deepEqual(
            await content(decodeDocument(pieces(copy.subarray(from, to), 5000), entry)),
            await content(decodeDocument(pieces(bytes.subarray(entry.start, entry.end), 5000), entry)),
          )
        }
      }
    }
  }
})

test('reading waits until each piece of the copy has been taken', async () => {
  const bytes = Buffer.from(SHAPES['several documents']!, 'latin1')
  let taken = 0
  let supplied = 0
  const source = async function* () {
    for await (const piece of pieces(bytes, 64 * 1024)) {
      supplied += piece.length
      yield piece
    }
  }
  let open = 0
  await readSubmission(source(), {
    wants: () => true,
    async write(part) {
      assert.equal(++open, 1, 'one piece at a time')
      const before = supplied
      await new Promise((resolve) => setImmediate(resolve))
      assert.equal(supplied, before, 'nothing more is read meanwhile')
      taken += part.length
      open--
    },
  })
  assert.ok(taken > bytes.length * 0.99)
})
