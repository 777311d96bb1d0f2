/**
 * Sends the large byte arrays of a message to a process through a separate pipe. The thread that needs the arrays reads
 * them directly into its memory. If the arrays were part of the message, both processes and both threads would copy
 * them. V8 would also scan the memory of the calling process after every few megabytes.
 */
import { readSync } from 'node:fs'
import v8 from 'node:v8'

/** File descriptor of the pipe in the process; 3 is the channel of the messages. */
export const PIPE = 4
/** Arrays of fewer bytes stay in the message, since copying them takes little time. */
const LARGE = 32_768

/** A message, and the large arrays that its receiver reads from the pipe. */
export interface Parted {
  message: Uint8Array
  large: readonly Uint8Array[]
}

/** The functions that V8 calls for each array of bytes. Node documents them, but its types lack them. */
interface Writer extends v8.Serializer {
  _writeHostObject(array: NodeJS.ArrayBufferView): void
}
interface Reader extends v8.Deserializer {
  _readHostObject(): unknown
}

class Parting extends (v8.DefaultSerializer as new () => Writer) {
  readonly large: Uint8Array[] = []

  override _writeHostObject(array: NodeJS.ArrayBufferView): void {
    const isLarge = array instanceof Uint8Array && array.length >= LARGE
    this.writeUint32(isLarge ? array.length : 0)
    if (isLarge) this.large.push(array)
    else super._writeHostObject(array)
  }
}

class Joining extends (v8.DefaultDeserializer as new (message: Uint8Array) => Reader) {
  override _readHostObject(): unknown {
    const length = this.readUint32()
    return length > 0 ? fromPipe(length) : super._readHostObject()
  }
}

/** @throws Error if the value cannot be copied */
export function part(value: unknown): Parted {
  const parting = new Parting()
  parting.writeHeader()
  parting.writeValue(value)
  return { message: parting.releaseBuffer(), large: parting.large }
}

/** Called in the process, once for each message, in the order of the messages. Waits for the large arrays. */
export function join(message: Uint8Array): unknown {
  const joining = new Joining(message)
  joining.readHeader()
  return joining.readValue()
}

function fromPipe(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length; ) {
    const read = readSync(PIPE, bytes, at, length - at, null)
    // The pipe is closed because the calling process has ended. The main thread therefore ends this process too.
    if (read === 0) throw new Error('the calling process has ended')
    at += read
  }
  return bytes
}
