import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { corpus } from '../../test/support/corpus.ts'
import { linksOf } from './links.ts'

const PAGE = '/data/sets/list.html'
const pathsOf = (html: string) => linksOf(PAGE, html).map(({ path }) => path)

test('links are resolved against the path of the page, and each path on its host is returned once', () => {
  const html = `<a href="/files/a.zip">A</a> <A HREF='b.zip' download> <a
    class="x" href = "../c.zip?v=1#top"> <a href="b.zip"> <a href="/files/"> <a href="#top">`
  assert.deepEqual(linksOf(PAGE, html), [
    { name: 'a.zip', path: '/files/a.zip' },
    { name: 'b.zip', path: '/data/sets/b.zip' },
    { name: 'c.zip', path: '/data/c.zip' },
    { name: 'list.html', path: PAGE },
  ])
})

test('links to other hosts, and links with a path that must not be requested, are skipped', () => {
  for (const address of [
    'https://elsewhere.example/a.zip',
    '//elsewhere.example/a.zip',
    'javascript:alert(1)',
    'mailto:a@b.example',
    'http://[',
    '/files/%2e%2e%2fa.zip',
    '/files/..%5ca.zip',
    '/files//a.zip',
    '/files/%00a.zip',
  ]) {
    assert.deepEqual(pathsOf(`<a href="${address}">`), [], address)
  }
})

test('the SEC page of Form 13F data sets, as of 2025, gives every data set since 2013', {
  skip: corpus.skip,
}, async () => {
  const html = await readFile(path.join(corpus.folder, 'bulk/dataset_13F/sec13f_2025.html'), 'utf8')
  const names = linksOf('/data-research/sec-markets-data/form-13f-data-sets', html).map(({ name }) => name)
  const sets = names.filter((name) => name.endsWith('_form13f.zip'))
  assert.deepEqual([sets.length, sets[0], sets.at(-1)], [50, '01jun2025-31aug2025_form13f.zip', '2013q2_form13f.zip'])
})
