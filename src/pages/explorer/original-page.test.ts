import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FiledEntry } from './filing-page.ts'
import { documentPage, isPicture, picturesAt } from './original-page.ts'

const entry = (seq: number, type: string, more: Partial<FiledEntry> = {}): FiledEntry => ({
  ...{ seq, type: 'GRAPHIC', filename: `g${seq}`, description: null, media_type: type, size: 10, url: '' },
  ...more,
})

test('a content security policy names the folder of a document only if the host and the address are plain', () => {
  const url = '/original/abc.123.ff/0000000111-26-000001/1'
  const folder = '/original/abc.123.ff/0000000111-26-000001/'
  assert.equal(picturesAt('example.org:8080', url), `example.org:8080${folder}`)
  assert.equal(picturesAt('example.org', `${url}?x=1`), `example.org${folder}`)
  for (const host of ['[::1]:8080', "a; script-src 'unsafe-inline'", 'a b', '*', ''])
    assert.equal(picturesAt(host, url), null, host)
  for (const other of ['/original/a;b/0000000111-26-000001/1', '/original/a/*/1', '/v1/status', '/'])
    assert.equal(picturesAt('example.org', other), null, other)
})

test('only GIF, JPEG and PNG files are pictures, by the type of their bytes', () => {
  for (const type of ['image/gif', 'image/jpeg', 'image/png']) assert.ok(isPicture(entry(1, type)), type)
  for (const type of ['image/svg+xml', 'text/html', 'image/gif; x', 'ximage/gif'])
    assert.ok(!isPicture(entry(1, type)), type)
})

test('the page of a document says how many pictures of the filing are cut off', () => {
  const page = (documents: readonly FiledEntry[]) =>
    documentPage({
      filing: {
        header: { form_type: '10-K', filed_date: '2026-08-03', cik: '1', company_name: 'Alpha' },
        ...{ documents, capabilities: { text: null, bespoke: null } },
      },
      ...{ accession: '0000000111-26-000001', entry: documents[0]!, url: '/x', hasPictures: true, hasAccounts: false },
    })
  const html = entry(1, 'text/html')
  const cut = entry(3, 'image/gif', { is_cut_off: true })
  assert.match(page([html, entry(2, 'image/gif'), cut]), /Pictures are missing: EDGAR serves 1 of 2 cut off/)
  assert.doesNotMatch(page([html, entry(2, 'image/gif')]), /Pictures/)
})
