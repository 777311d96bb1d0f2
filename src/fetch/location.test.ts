import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { failing, stillClient, text } from '../../test/support/loopback.ts'
import { checkedPath, openBelow } from './location.ts'

const REFUSED = [
  '',
  'Archives/edgar',
  'https://www.sec.gov/Archives',
  '//evil.example/x',
  '/Archives//edgar',
  '/../etc/passwd',
  '/Archives/../../etc/passwd',
  '/Archives/%2e%2e/x',
  '/Archives/%2E./x',
  '/Archives%2fx',
  '/Archives\\x',
  '/Archives%5cx',
  '/x\r\nHost: evil',
  '/x\0.txt',
  '/x%00.txt',
  '/x%0a',
  '/x%7f',
  '/x#y',
  '/x%',
  '/x%zz',
  '/x%ff',
]

for (const given of REFUSED) {
  test(`the path ${JSON.stringify(given)} is refused`, () => {
    assert.throws(() => checkedPath(given), failing('refused'))
  })
}

test('paths and queries of the forms that EDGAR uses are accepted', () => {
  for (const given of [
    '/Archives/edgar/data/1018724/0001018724-25-000004.txt',
    '/cgi-bin/browse-edgar?action=getcurrent&type=10-K%2FA&output=atom',
    '/files/a%20b.json',
  ]) {
    assert.equal(checkedPath(given), given)
  }
})

/** Makes `<folder>/inside/a.txt`, `<folder>/secret.txt`, and symbolic links within and out of `inside`. */
async function folders(t: TestContext) {
  const folder = await mkdtemp(path.join(tmpdir(), 'location-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const inside = path.join(folder, 'inside')
  await mkdir(path.join(inside, 'deep'), { recursive: true })
  await writeFile(path.join(inside, 'a.txt'), 'public\n')
  await writeFile(path.join(inside, 'a b.txt'), 'blank\n')
  await writeFile(path.join(folder, 'secret.txt'), 'secret\n')
  await mkdir(path.join(folder, 'inside-not'))
  await writeFile(path.join(folder, 'inside-not', 'x.txt'), 'secret\n')
  await symlink(path.join(folder, 'secret.txt'), path.join(inside, 'out.txt'))
  await symlink(path.join(folder, 'inside-not'), path.join(inside, 'neighbour'))
  await symlink('a.txt', path.join(inside, 'same.txt'))
  await symlink('loop.txt', path.join(inside, 'loop.txt'))
  return { folder, inside }
}

test('a symbolic link must not lead out of the folder, not even into a folder whose name has the same beginning', async (t) => {
  const { inside } = await folders(t)
  await assert.rejects(openBelow(inside, '/out.txt'), failing('refused', '/out.txt'))
  await assert.rejects(openBelow(inside, '/neighbour/x.txt'), failing('refused'))
})

test('a folder answers like a host: with bytes and time of change, or with null if there is no such file', async (t) => {
  const { inside } = await folders(t)
  const { client } = stillClient(t, pathToFileURL(inside).href)
  const found = await client.get('/a.txt', async (response) => ({ ...response, body: await text(response) }))
  assert.equal(found?.body, 'public\n')
  assert.equal(await client.get('/same.txt', text), 'public\n')
  assert.equal(await client.get('/a%20b.txt', text), 'blank\n')
  for (const none of ['/b.txt', '/a.txt/b', '/deep', '/', '/a.txt?x=1', `/${'n'.repeat(5000)}`]) {
    assert.equal(await client.get(none, text), null, none)
  }
})

test('a folder refuses paths that are never requested from a host, and files that are too large', async (t) => {
  const { inside } = await folders(t)
  const { client } = stillClient(t, pathToFileURL(inside).href)
  await assert.rejects(client.get('/../secret.txt', text), failing('refused'))
  await assert.rejects(client.get('/out.txt', text), failing('refused'))
  await assert.rejects(client.get('/a.txt', text, { sizeMax: 6 }), failing('too large'))
})

test('a missing folder gives the error configuration; it does not count as an empty EDGAR', async (t) => {
  const { client } = stillClient(t, 'file:///no/such/folder/anywhere')
  await assert.rejects(client.get('/a.txt', text), failing('configuration', 'file:///no/such/folder/anywhere'))
})

test('a loop of symbolic links causes an error and does not hang', async (t) => {
  const { inside } = await folders(t)
  await assert.rejects(openBelow(inside, '/loop.txt'), { code: 'ELOOP' })
})
