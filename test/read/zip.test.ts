/** Tests of reading a zip completely, in part or not at all, and of the resources that remain in use afterwards. */
import assert from 'node:assert/strict'
import { createReadStream, existsSync } from 'node:fs'
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { messageOf } from '../../src/declare/errors.ts'
import { read } from '../../src/ingest/bulk/read.ts'
import { notes } from '../../src/ingest/notes.ts'
import { eachMember, openZip } from '../../src/read/zip.ts'
import { membersOf as oracle } from '../support/adv/read.ts'
import { fleet, writeZip } from '../support/bulk-world.ts'
import { noMount, onDisk } from '../support/disk.ts'
import { bytesOf, randomFor } from '../support/random.ts'
import { often } from '../support/soak.ts'
import { until } from '../support/until.ts'
import { temporaryFolder } from '../support/world.ts'
import { longField, type Made, zipOf } from '../support/zip-made.ts'

const DESCRIPTORS = '/proc/self/fd'

/** Returns the zips that this process has open. They have no file name, and occupy disk space until they are closed. */
async function open(): Promise<string[]> {
  const files = await Promise.all(
    (await readdir(DESCRIPTORS)).map((name) => readlink(path.join(DESCRIPTORS, name)).catch(() => '')),
  )
  return files.filter((file) => file.includes('openfilings-zip-'))
}

const skip = existsSync(DESCRIPTORS) ? false : 'this system does not list open files'

test('a zip is released after its edition was read, even if members were not read or only begun', {
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
  await until('no zip is open', async () => (await open()).length === 0)

  const zip = await openZip(createReadStream(file))
  assert.equal((await open()).length, 1)
  const begun = zip.members.find(({ name }) => name === 'readme.bin')!
  for await (const _ of begun.bytes()) break
  zip.members[0]!.bytes()
  await zip.close()
  await until('no zip is open', async () => (await open()).length === 0)
})

test('an error about a missing or full folder for temporary files names the folder and TMPDIR, and keeps its code', {
  skip: noMount,
}, async (t) => {
  const before = process.env.TMPDIR
  t.after(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  })
  const refused = async (folder: string, bytes: Buffer, code: string) => {
    process.env.TMPDIR = folder
    await assert.rejects(openZip(Readable.from([bytes])), (error) => {
      const start = `zips are read in ${folder}; let TMPDIR name a folder with room for them: ${code}: `
      assert.ok(messageOf(error).startsWith(start), messageOf(error))
      return (error as NodeJS.ErrnoException).code === code
    })
  }
  const folder = await temporaryFolder(t)
  await onDisk(t, '64k', async (disk) => {
    await refused(path.join(folder, 'missing'), Buffer.alloc(10), 'ENOENT')
    await refused(disk, Buffer.alloc(200_000), 'ENOSPC')
    assert.deepEqual(await readdir(disk), [])
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  })
})

test('a member whose size differs from the zip’s statement is refused, whether it inflates to more or to less', async (t) => {
  const file = path.join(await temporaryFolder(t), 'lies.zip')
  const text = 'x'.repeat(100_000)
  await writeZip(file, { 'one.xml': text })
  const zip = await readFile(file)
  // APPNOTE 4.3.12: the size of a member is at byte 24 of its entry in the directory.
  const at = zip.lastIndexOf('PK\x01\x02') + 24
  assert.equal(zip.readUInt32LE(at), text.length)
  const stating = async (size: number) => {
    zip.writeUInt32LE(size, at)
    const { members, close } = await openZip(Readable.from([zip]))
    try {
      return Buffer.concat(await Array.fromAsync(members[0]!.bytes())).toString()
    } finally {
      await close()
    }
  }
  assert.equal(await stating(text.length), text)
  for (const less of [0, 10, text.length - 1])
    await assert.rejects(stating(less), {
      message: `one.xml inflates to more bytes than the ${less} that the zip states`,
    })
  await assert.rejects(stating(text.length + 1), { message: 'one.xml inflates to 100000 bytes instead of 100001' })
})

/** Reads each member: its text, or the reason why it is not read. */
async function readAll(zip: Buffer, membersMax?: number): Promise<Record<string, string>> {
  const { members, close } = await openZip(Readable.from([zip]), membersMax === undefined ? {} : { membersMax })
  try {
    const found: Record<string, string> = {}
    for (const { name, bytes } of members) {
      found[name] = await Array.fromAsync(bytes()).then(
        (chunks) => Buffer.concat(chunks).toString(),
        (error) => messageOf(error),
      )
    }
    return found
  } finally {
    await close()
  }
}

const GOOD = { first: { name: 'a.txt', content: 'A' }, last: { name: 'z.txt', content: 'Z' } }
const long = bytesOf(randomFor('a long member'), 3 << 20)

/** A member between two valid members, and the reason why this member alone is not read. */
const members: Record<string, { member: Partial<Made>; reason: RegExp }> = {
  'a checksum of something else': {
    member: { content: 'text', crc: 1 },
    reason: /^m has the checksum [0-9a-f]{8}, and the zip states 00000001$/,
  },
  'a checksum of something else, of a long member': {
    member: { content: long, crc: 1 },
    reason: /^m has the checksum [0-9a-f]{8}, and the zip states 00000001$/,
  },
  'a checksum of something else, stored': {
    member: { content: 'text', method: 0, crc: 1 },
    reason: /^m has the checksum/,
  },
  'a checksum of an empty member': { member: { content: '', crc: 1 }, reason: /^m has the checksum 00000000/ },
  'a size too small': { member: { content: 'text', size: 3 }, reason: /^m inflates to more bytes than the 3 that/ },
  'a size too small, of a long member': {
    member: { content: long, size: 2 << 20 },
    reason: /^m inflates to more bytes than the 2097152 that/,
  },
  'a size too large': { member: { content: 'text', size: 5 }, reason: /^m inflates to 4 bytes instead of 5$/ },
  'a size too large, of a long member': {
    member: { content: long, size: 4 << 20 },
    reason: /^m inflates to 3145728 bytes instead of 4194304$/,
  },
  'a size of gigabytes': { member: { content: 'text', size: 0xffff_fffe }, reason: /^m is 6 bytes that swell to/ },
  'a size of exabytes, in 64 bits': {
    member: { content: 'text', size: 0xffff_ffff, extra: longField(2 ** 60) },
    reason: /^m is larger than 8589934592 bytes$/,
  },
  'a size of 64 bits that is nowhere': {
    member: { content: 'text', size: 0xffff_ffff },
    reason: /^m has 64-bit sizes, which its directory entry lacks$/,
  },
  'an extra field longer than the extra fields': {
    member: { content: 'text', size: 0xffff_ffff, extra: Buffer.from([1, 0, 0xff, 0xff]) },
    reason: /^m has 64-bit sizes, which its directory entry lacks$/,
  },
  encryption: { member: { content: 'text', flags: 1 }, reason: /^m is encrypted$/ },
  'strong encryption': { member: { content: 'text', flags: 0x41 }, reason: /^m is encrypted$/ },
  'another packing': { member: { content: 'text', method: 12 }, reason: /^m is packed by method 12, and only deflate/ },
  'a stored member of two sizes': {
    member: { content: 'text', method: 0, size: 5 },
    reason: /^m is stored as 4 bytes and stated to have 5$/,
  },
  'data that is no deflate': { member: { content: 'text', data: Buffer.from('\xff\xff\xff\xff') }, reason: /^m: / },
  'data that is no deflate, of a long member': {
    member: { content: long, data: Buffer.alloc(2 << 20, 0xff) },
    reason: /^m: invalid/,
  },
  'data that breaks off': {
    member: { content: long, data: deflateRawSync(long).subarray(0, 1 << 20) },
    reason: /^m: unexpected end of file$/,
  },
  'a position at which there is no header': {
    member: { content: 'text', isDescribed: true, at: (own: number) => own + 1 },
    reason: /^m is not where the directory states$/,
  },
  'a place of 64 bits that is nowhere': {
    member: { content: 'text', at: () => 0xffff_ffff },
    reason: /^m has 64-bit sizes, which its directory entry lacks$/,
  },
  'a local header that moves its data into the next member': {
    member: { content: 'text', localExtra: Buffer.alloc(20), isDescribed: true, packed: 6 + 20 },
    reason: /^m reaches into what follows it in the zip$/,
  },
  'a name that leads out of the zip': {
    member: { name: '../../etc/m', content: 'text' },
    reason: /^\.\.\/\.\.\/etc\/m has a name that leads out of the zip$/,
  },
  'a name that leads out of the zip, the other way': {
    member: { name: '..\\m', content: 'text' },
    reason: /^\.\.\/m has a name that leads out/,
  },
  'a name from the root': { member: { name: '/etc/m', content: 'text' }, reason: /has a name that leads out/ },
  'a name on a drive': { member: { name: 'C:m', content: 'text' }, reason: /has a name that leads out/ },
  'a name with a NUL': { member: { name: 'm\0.txt', content: 'text' }, reason: /has a name that leads out/ },
}

for (const [what, { member, reason }] of Object.entries(members)) {
  test(`a member fails alone: ${what}`, async () => {
    const found = await readAll(zipOf([GOOD.first, { name: 'm', ...member }, GOOD.last]))
    const [first, middle, last, ...others] = Object.values(found)
    assert.deepEqual([first, last, others], ['A', 'Z', []])
    assert.match(middle!, reason)
  })
}

const zeros = Buffer.alloc(1 << 20)
const kernel = deflateRawSync(zeros)
const borrowed = (name: string): Made => ({ ...GOOD.first, name, isBorrowed: true, at: () => 0 })

/** Zips that are refused before any member is read. */
const zips: Record<string, { zip: Buffer; reason: RegExp }> = {
  nothing: { zip: Buffer.alloc(0), reason: /^not a zip, or cut short/ },
  'no zip': { zip: Buffer.from('<html>'.repeat(100)), reason: /^not a zip, or cut short/ },
  'a zip that is cut short': {
    zip: zipOf([GOOD.first, GOOD.last]).subarray(0, -1),
    reason: /^not a zip, or cut short/,
  },
  'bytes after its end': { zip: Buffer.concat([zipOf([GOOD.first]), Buffer.alloc(9)]), reason: /^not a zip, or cut/ },
  'bytes before the first member that no offset counts': {
    zip: zipOf([GOOD.first], { before: Buffer.alloc(50) }),
    reason: /^its directory is broken after entry 0$/,
  },
  'one of several disks': { zip: zipOf([GOOD.first], { disk: 1 }), reason: /^it is one part of a split zip$/ },
  'two names of one member': { zip: zipOf([GOOD.first, borrowed('b')]), reason: /^members overlap at byte 0$/ },
  'a bomb of one kernel and many names': {
    zip: zipOf([
      { name: '0', content: zeros },
      ...Array.from({ length: 900 }, (_, n) => ({ ...borrowed(`${n + 1}`), content: zeros })),
    ]),
    reason: /^members overlap at byte 0$/,
  },
  'a bomb whose members quote the headers of the next ones': {
    zip: zipOf([
      { name: 'a', content: zeros, packed: kernel.length * 2 + 31 },
      { name: 'b', content: zeros },
    ]),
    reason: /^members overlap at byte \d+$/,
  },
  'members that overlap, named in another order': {
    zip: zipOf([GOOD.first, GOOD.last, { ...borrowed('b'), at: () => 5 }]),
    reason: /^members overlap at byte/,
  },
  'a count below that of its entries': {
    zip: zipOf([GOOD.first, GOOD.last], { count: 1 }),
    reason: /^its directory has 2 entries, and its end record states 1$/,
  },
  'a count above that of its entries': {
    zip: zipOf([GOOD.first, GOOD.last], { count: 3 }),
    reason: /^its directory has 2 entries, and its end record states 3$/,
  },
  'a directory whose stated length is shorter than its real length': {
    zip: zipOf([GOOD.first, GOOD.last], { count: 1, size: 46 + 5 }),
    reason: /^its directory is longer than its end record states$/,
  },
  'a directory that ends in the middle of an entry': {
    zip: zipOf([GOOD.first, GOOD.last], { size: 46 + 5 + 46 }),
    reason: /^its directory is broken after entry 1$/,
  },
  'a directory longer than the file': {
    zip: zipOf([GOOD.first], { size: 0xffff_fffe }),
    reason: /^its directory does not end before the end record$/,
  },
  'a directory beyond the file': {
    zip: zipOf([GOOD.first], { at: 0xffff_fff0 }),
    reason: /^its directory does not end before the end record$/,
  },
  'end records that differ in the count': {
    zip: zipOf([GOOD.first, GOOD.last], { long: { count: 1 } }),
    reason: /^its two end records contradict each other$/,
  },
  'end records that differ in the place': {
    zip: zipOf([GOOD.first, GOOD.last], { long: { at: 1 } }),
    reason: /^its two end records contradict each other$/,
  },
  'a 64-bit end record that is not there': {
    zip: zipOf([GOOD.first], { long: { from: 2 ** 60 } }),
    reason: /^its 64-bit end record is not where the zip states$/,
  },
  'a 64-bit end record that is something else': {
    zip: zipOf([GOOD.first], { long: { from: 0 } }),
    reason: /^its 64-bit end record is not where the zip states$/,
  },
  'a count of 2^60': {
    zip: zipOf([GOOD.first], { count: 0xffff, long: { count: 2 ** 60 } }),
    reason: /^its directory has 1 entries, and its end record states 1152921504606847000$/,
  },
  'too many bytes of all members together': {
    zip: zipOf(
      Array.from({ length: 5 }, (_, n) => ({
        name: `${n}`,
        size: 0xffff_ffff,
        packed: 0xffff_ffff,
        extra: longField(8 * 2 ** 30, 8 * 2 ** 30),
      })),
    ),
    reason: /^\w+ has 8589934592 bytes, and all members together have more than 34359738368$|^members overlap/,
  },
  'too many members': {
    zip: zipOf(Array.from({ length: 1001 }, (_, n) => ({ name: `${n}`, content: '' }))),
    reason: /^more than 1000 members$/,
  },
}

for (const [what, { zip, reason }] of Object.entries(zips)) {
  test(`the whole zip is refused: ${what}`, async () => {
    await assert.rejects(readAll(zip), (error) => reason.test(messageOf(error)))
  })
}

test('a zip with every allowed kind of header gives the same members as an independent reader', async (t) => {
  const file = path.join(await temporaryFolder(t), 'kinds.zip')
  const made = zipOf(
    [
      { name: 'folder/', content: '', method: 0 },
      { name: 'folder\\stored', content: 'text', method: 0 },
      { name: 'described', content: 'text', isDescribed: true },
      { name: 'stored and described', content: 'text', method: 0, isDescribed: true },
      { name: 'Ã‰', content: long, flags: 0x800 },
      { name: 'long sizes', content: long, size: 0xffff_ffff, extra: longField(long.length) },
      { name: 'local', content: 'text', localExtra: Buffer.alloc(500), extra: Buffer.from([2, 0, 1, 0, 9]) },
      { name: 'empty', content: '' },
      { name: 'empty and stored', content: '', method: 0 },
      { name: 'a.zip', content: zipOf([GOOD.first]) },
    ],
    { long: {}, comment: Buffer.from('a comment') },
  )
  await writeFile(file, made)
  const known = [...(await oracle(file))].filter(([name]) => !name.endsWith('/'))
  assert.equal(known.length, 9)
  assert.deepEqual(await readAll(made), Object.fromEntries(known.map(([name, bytes]) => [name, bytes.toString()])))
})

test('an end-record signature within the comment is not mistaken for an end record', async () => {
  const comment = Buffer.from('PK\x05\x06 is how an end record begins, and here follows none')
  assert.deepEqual(await readAll(zipOf([GOOD.first], { comment })), { 'a.txt': 'A' })
})

test('a zip of a million members is read in seconds, without keeping its names in memory', async () => {
  const count = often('members of a zip', { usual: 20_000, soak: 1_000_000 })
  const zip = zipOf(Array.from({ length: count }, (_, n) => ({ name: `${n}`, content: `${n}`, method: 0 })))
  let found = 0
  for await (const { name, bytes } of eachMember(Readable.from([zip]), 2_000_000)) {
    if (found % 1000 === 0) assert.equal(Buffer.concat(await Array.fromAsync(bytes)).toString(), name)
    found++
  }
  assert.equal(found, count)
})

test('if any bytes of a zip are changed, a member is read as before, or fails, or the zip is refused', async () => {
  const random = randomFor('changed zips')
  const below = (most: number) => Math.floor(random() * most)
  const texts = ['', 'short', 'x'.repeat(5000), bytesOf(randomFor('a text'), 3000).toString('latin1')]
  const zip = zipOf(
    texts.map((content, n) => ({
      name: `${n}.txt`,
      content: Buffer.from(content, 'latin1'),
      method: n % 2 ? 8 : 0,
      isDescribed: n > 1,
    })),
    { long: {} },
  )
  const seen = { refused: 0, failed: 0, read: 0 }
  const count = often('changed zips', { usual: 250, soak: 40_000 })
  for (let n = 0; n < count; n++) {
    const changed = Buffer.from(zip)
    for (let flips = 1 + below(3); flips > 0; flips--) changed[below(zip.length)]! ^= 1 << below(8)
    const cut = below(8) === 0 ? changed.subarray(0, below(zip.length)) : changed
    const zipped = await openZip(Readable.from([cut])).catch(() => null)
    if (!zipped) seen.refused++
    for (const { bytes } of zipped?.members ?? []) {
      const text = await Array.fromAsync(bytes()).then(
        (chunks) => Buffer.concat(chunks).toString('latin1'),
        () => null,
      )
      if (text === null) seen.failed++
      else assert.ok(texts.includes(text), `${seen.read++} members were read before a member with invalid content`)
    }
    await zipped?.close()
  }
  assert.ok(seen.refused > 0 && seen.failed > 0 && seen.read > 0, JSON.stringify(seen))
})
