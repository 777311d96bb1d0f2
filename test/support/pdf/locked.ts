/**
 * Makes PDFs with a password, by revision 2 of the standard security handler (ISO 32000-1, 7.6): RC4 with 40-bit keys.
 */
import { createHash } from 'node:crypto'
import { type Made, objectsOf, pdfFile } from './made.ts'

/** Bytes that pad a password. */
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
const ID = Buffer.from('4f70656e46696c696e67735465737431', 'hex')
/** Allows everything except changes. */
const PERMISSIONS = -44

const md5 = (...parts: Uint8Array[]) => createHash('md5').update(Buffer.concat(parts)).digest()
const padded = (password: string) => Buffer.concat([Buffer.from(password, 'latin1'), PADDING]).subarray(0, 32)

/** @param user password to open the file; empty if everybody may open it */
export function lockedPdf(contents: readonly string[], user: string, owner: string): Buffer {
  const ownerKey = rc4(md5(padded(owner)).subarray(0, 5), padded(user))
  const permissions = Buffer.alloc(4)
  permissions.writeInt32LE(PERMISSIONS)
  const key = md5(padded(user), ownerKey, permissions, ID).subarray(0, 5)
  const userKey = rc4(key, PADDING)
  const objects = objectsOf(contents).map((object, i): Made => {
    if (typeof object === 'string') return object
    const number = Buffer.from([(i + 1) & 0xff, (i + 1) >> 8, 0, 0, 0])
    return { ...object, stream: rc4(md5(key, number).subarray(0, 10), object.stream) }
  })
  const encryption = `<< /Filter /Standard /V 1 /R 2 /O <${ownerKey.toString('hex')}> /U <${userKey.toString('hex')}> /P ${PERMISSIONS} >>`
  const id = ID.toString('hex')
  return pdfFile([...objects, encryption], `/Encrypt ${objects.length + 1} 0 R /ID [<${id}> <${id}>]`)
}

function rc4(key: Uint8Array, bytes: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i)
  const swap = (i: number, j: number) => {
    const kept = state[i]!
    state[i] = state[j]!
    state[j] = kept
  }
  let j = 0
  for (let i = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255
    swap(i, j)
  }
  let i = 0
  j = 0
  return Buffer.from(bytes).map((byte) => {
    i = (i + 1) & 255
    j = (j + state[i]!) & 255
    swap(i, j)
    return byte ^ state[(state[i]! + state[j]!) & 255]!
  }) as Buffer
}
