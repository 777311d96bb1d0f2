/**
 * Functions that test/read/apart.test.ts calls in separate processes: correct functions, and functions that behave as
 * if hostile bytes had misled them.
 */
import assert from 'node:assert/strict'
import { workerData } from 'node:worker_threads'
import type { FiledDocument, Filing } from '../../src/declare/documents.ts'
import type { Caller } from '../../src/read/apart/call.ts'
import type { Element } from '../../src/read/xml.ts'

export const echo = (given: unknown) => given

export const pid = () => process.pid

export const environment = () => ({ env: { ...process.env }, workerData })

export function throws(): never {
  throw new TypeError('the form is no form', { cause: new Error('line 7') })
}

/** Parses a filing in which a document may be missing. */
export function* lines({ documents: { cover } }: Filing<{ cover: Element; list: null }>) {
  for (const line of cover.all('line')) yield ['line', { text: line.text() }]
}

/** The same parser, as an asynchronous generator. */
export async function* parts(filing: Filing<{ cover: Element; list: null }>) {
  assert.equal(filing.documents.list, null)
  yield* lines(filing)
}

type Texts = Filing<{ texts: readonly FiledDocument[] }>

/** A parser that makes rows from the texts that it requests. */
export async function* texts({ documents }: Texts) {
  for (const { text } of documents.texts) {
    const made = await text()
    yield ['line', { text: made.format === null ? null : made.markdown.text }]
  }
}

/** A parser that also requests bytes, and treats a document that has no bytes differently. */
export async function* bytes(filing: Texts) {
  yield* texts(filing)
  try {
    for await (const piece of filing.documents.texts[0]!.bytes()) yield ['line', { text: piece.toString() }]
  } catch {
    yield ['line', { text: 'no bytes' }]
  }
}

export function loops(): never {
  for (;;);
}

/** Grows the heap object by object, so that V8 can end the thread. */
export function swells(): never {
  const all: object[] = []
  for (;;) all.push({ all: all.length })
}

/** Allocates one piece larger than the heap, so that V8 ends the whole process. */
export const bursts = () => new Array(60e6).fill(0).length

/** Aborts the process, as V8 does if memory runs out and it cannot end only the thread that uses it. */
export const aborts = () => process.kill(process.pid, 'SIGABRT')

/** Allocates memory outside the heap. */
export function bulges(): never {
  const all: Uint8Array[] = []
  for (;;) all.push(new Uint8Array(20e6).fill(1))
}

export const ends = () => process.exit(3)

export const dies = () => process.kill(process.pid, 'SIGKILL')

/** Sums the numbers that it requests. */
export async function sums(count: number, { request }: Caller): Promise<number> {
  let sum = 0
  for (let i = 0; i < count; i++) sum += await request<number>(i)
  return sum
}

/** Requests pieces of bytes and returns their lengths. */
export async function lengths(count: number, { request }: Caller): Promise<number[]> {
  const found: number[] = []
  for (let i = 0; i < count; i++) found.push((await request<{ piece: Uint8Array }>(i)).piece.length)
  return found
}

export async function diesAfterRequest(_: unknown, { request }: Caller): Promise<void> {
  await request(1)
  dies()
}

export const waits = (_: unknown, { request }: Caller) => request('for ever')

/** Reports that its process must not get another call. */
export function retires(_: unknown, { retire }: Caller): number {
  retire()
  return process.pid
}

const held: Uint8Array[] = []

/** Allocates the given number of bytes and keeps them. */
export function holds(bytes: number): number {
  held.push(new Uint8Array(bytes).fill(1))
  return process.pid
}
