import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertQuick } from '../../test/support/effort.ts'
import { type Kind, sniff } from './sniff.ts'

const kinds = (expected: Kind, ...heads: (string | Buffer)[]) => {
  for (const head of heads) assert.equal(sniff(Buffer.from(head)), expected, JSON.stringify(String(head).slice(0, 60)))
}

test('recognizes HTML whole and in pieces, after whatever precedes it', () => {
  kinds(
    'html',
    '<html><body>x',
    '\n\n<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN"><html>',
    '\u{feff}<HTML>',
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">',
    `<!-- ${'made by a tool '.repeat(200)} --><!-- twice --><html>`,
    '<div style="x">A press release</div>',
    '<P>One</P>',
    'EX-99.1\n3\nex991.htm\n<body><p>One</p><p>Two</p><br></body>',
    '<TABLE><TR><TD>1</TD><TD>2</TD></TR></TABLE>',
  )
})

test('old text filings are text, whatever tags their tables have', () => {
  kinds(
    'text',
    'FORM 10-K\n\nIn millions',
    '<PAGE>\n      1\n<TABLE>\n<CAPTION>\nYear\n<S>   <C>\n1994  7\n</TABLE>\n<PAGE>',
    '<TABLE> <S> <C>\n<PERIOD-TYPE> YEAR\n<CASH> 5\n</TABLE>',
    '<DOCUMENT>\n<TYPE>10-K\n<TEXT>\n<PAGE>\nx\n</TABLE>',
    '5 < 6 and 7 > 6, as AT&T says',
    '',
  )
})

test('recognizes XML by its declaration or its namespace, and pictures and other files by their first bytes', () => {
  kinds(
    'xml',
    '<?xml version="1.0"?>\n<edgarSubmission>',
    '<ns1:offer xmlns:ns1="urn:x"><b/>',
    '<offer id="1" xmlns="urn:x"/>',
  )
  kinds('image', 'GIF89a', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), '\n<?xml version="1.0"?><svg width="1"/>')
  kinds('pdf', '%PDF-1.4', '\r\n%PDF-1.7', Buffer.from('\u{feff}%PDF-1.3'))
  kinds('other', 'PK\x03\x04', Buffer.from([0, 1, 2, 3]), '\x1f\x8b\x08')
})

test('recognizes text in UTF-16 by its byte order mark', () => {
  const utf16 = (text: string) => Buffer.from(`\u{feff}${text}`, 'utf16le')
  kinds('text', utf16('Plain words'), utf16('Plain words').swap16())
  kinds('html', utf16('<html><p>'), utf16('<html><p>').swap16())
})

test('a megabyte without a tag end takes no longer than its first kilobytes', async () => {
  for (const head of [
    '<!--'.repeat(300_000),
    '<'.repeat(1_000_000),
    `<a${' x'.repeat(500_000)}`,
    '<?'.repeat(500_000),
  ]) {
    await assertQuick(head, () => sniff(Buffer.from(head)), 500)
  }
})
