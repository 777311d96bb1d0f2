import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effortOf } from '../../../test/support/effort.ts'
import { mediaType } from './media.ts'

const of = (head: string, name: string | null) => mediaType(Buffer.from(head, 'latin1'), name)

test('the first bytes decide the type, not the file name', () => {
  assert.equal(of('GIF89a\x01\0', 'logo.jpg'), 'image/gif')
  assert.equal(of('\xff\xd8\xff\xe0', 'logo.gif'), 'image/jpeg')
  assert.equal(of('\x89PNG\r\n\x1a\n', 'chart.jpg'), 'image/png')
  assert.equal(of('%PDF-1.4', 'letter.txt'), 'application/pdf')
  assert.equal(of('<?xml version="1.0"?><a/>', 'data.txt'), 'application/xml')
  assert.equal(of('<HTML><BODY>', 'ex99.txt'), 'text/html')
})

test('distinguishes containers of several formats by name', () => {
  const zip = 'PK\x03\x04\x14\0'
  assert.equal(of(zip, 'a-xbrl.zip'), 'application/zip')
  assert.equal(of(zip, 'Financial_Report.xlsx'), 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
  assert.equal(of('\xd0\xcf\x11\xe0\xa1', 'table.xls'), 'application/vnd.ms-excel')
  assert.equal(of('\0\x01\x02', null), 'application/octet-stream')
})

test('iXBRL is HTML although it begins as XML', () => {
  const head = `<?xml version='1.0' encoding='ASCII'?>\n<!-- made by x -->\n<html xmlns="http://www.w3.org/1999/xhtml">`
  assert.equal(of(head, 'form8-k.htm'), 'text/html; charset=us-ascii')
})

test('the file name decides the type of text without markup; without a name, such text is plain text', () => {
  assert.equal(of('<PAGE> 1\nANNUAL REPORT', '0001.txt'), 'text/plain')
  assert.equal(of('<PAGE> 1\nANNUAL REPORT', null), 'text/plain')
  assert.equal(of('{"version":"2.1"}', 'MetaLinks.json'), 'application/json')
  assert.equal(of('function x() {}', 'Show.js'), 'text/javascript')
  assert.equal(of('/* */', 'report.css'), 'text/css')
  assert.equal(of('<div>text</div>', 'ex10.htm'), 'text/html')
  assert.equal(of('', 'empty.xml'), 'application/xml')
})

test('states a charset only if the document declares one, and accepts only characters that a label may have', () => {
  assert.equal(of('<?xml version="1.0" encoding="UTF-8"?><a/>', 'a.xml'), 'application/xml; charset=utf-8')
  assert.equal(
    of('<html><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1252">', 'a.htm'),
    'text/html; charset=windows-1252',
  )
  assert.equal(of('<html><meta charset="x\r\nset-cookie: a">', 'a.htm'), 'text/html; charset=x')
  assert.equal(of('<html>', 'a.htm'), 'text/html')
})

test('recognizes a document of comments alone in bounded time', async () => {
  const ms = await effortOf(() => assert.equal(of('<!---->'.repeat(200), 'a.htm'), 'text/html'))
  assert.ok(ms < 1000, `${ms} ms`)
})
