/** Zips that are read: what is left of one that was read, in part or not at all. */
import assert from 'node:assert/strict'
import { createReadStream, existsSync } from 'node:fs'
import { readdir, readFile, readlink } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { read } from '../src/ingest/bulk/read.ts'
import { notes } from '../src/ingest/notes.ts'
import { openZip } from '../src/read/zip.ts'
import { fleet, writeZip } from './bulk-world.ts'
import { bytesOf, randomFor } from './random.ts'
import { until } from './until.ts'
import { temporaryFolder } from './world.ts'

const DESCRIPTORS = '/proc/self/fd'

/** Zips that this process has open: without a name, they take their disk until they are closed. */
async function open(): Promise<string[]> {
  const files = await Promise.all(
    (await readdir(DESCRIPTORS)).map((name) => readlink(path.join(DESCRIPTORS, name)).catch(() => '')),
  )
  return files.filter((file) => file.includes('openfilings-zip-'))
}

const skip = existsSync(DESCRIPTORS) ? false : 'this system does not list open files'

test('a zip is given up when its edition was read, whatever members were not read, or only begun', {
  skip,
}, async (t) => {
  const file = path.join(await temporaryFolder(t), 'ships.zip')
  const random = bytesOf(randomFor('a member'), 1 << 20)
  await writeZip(file, { 'one.xml': '<Fleet><Ships/></Fleet>', 'readme.bin': random, 'two.xml': '<Fleet/>' })
  for await (const _ of read(
    fleet.source.series.SHIPS!,
    [{ name: 'ships.zip', bytes: () => createReadStream(file) }],
    notes(),
  ));
  await until('it is closed', async () => (await open()).length === 0)

  const zip = await openZip(createReadStream(file))
  assert.equal((await open()).length, 1)
  const begun = zip.members.find(({ name }) => name === 'readme.bin')!
  for await (const _ of begun.bytes()) break
  zip.members[0]!.bytes()
  await zip.close()
  await until('it is closed', async () => (await open()).length === 0)
})

test('a member whose size is not what the zip says is refused, whether it inflates to more or to less', async (t) => {
  const file = path.join(await temporaryFolder(t), 'lies.zip')
  const text = 'x'.repeat(100_000)
  await writeZip(file, { 'one.xml': text })
  const zip = await readFile(file)
  // APPNOTE 4.3.12: the size of a member is at byte 24 of its entry in the directory.
  const at = zip.lastIndexOf('PK\x01\x02') + 24
  assert.equal(zip.readUInt32LE(at), text.length)
  const saying = async (size: number) => {
    zip.writeUInt32LE(size, at)
    const { members, close } = await openZip(Readable.from([zip]))
    try {
      return Buffer.concat(await Array.fromAsync(members[0]!.bytes())).toString()
    } finally {
      await close()
    }
  }
  assert.equal(await saying(text.length), text)
  for (const less of [0, 10, text.length - 1])
    await assert.rejects(saying(less), { message: `inflates to more bytes than the ${less} that the zip says` })
  await assert.rejects(saying(text.length + 1), { message: 'inflates to 100000 bytes instead of 100001' })
})
