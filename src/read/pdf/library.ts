/** Loads PDFium as WebAssembly, with a limit of its memory. It can access neither files nor the network. */
import { readFile } from 'node:fs/promises'
import { init } from '@embedpdf/pdfium'

/** The exports of PDFium that are used here: pointers, counts and flags are numbers. */
type Functions =
  | `FPDF_${'LoadMemDocument' | 'CloseDocument' | 'GetLastError' | 'GetPageCount' | 'LoadPage' | 'ClosePage' | 'GetPageBoundingBox' | 'GetFormType'}`
  | `FPDFText_${'LoadPage' | 'ClosePage' | 'CountChars' | 'GetUnicode' | 'IsGenerated' | 'GetTextObject' | 'GetLooseCharBox' | 'GetCharOrigin' | 'GetMatrix' | 'GetFontSize' | 'GetFontWeight'}`
  | `FPDFTextObj_${'GetFont'}`
  | `FPDFFont_${'GetBaseFontName' | 'GetFlags'}`
  | `FPDFPage_${'GetRotation' | 'CountObjects' | 'GetObject' | 'GetAnnotCount' | 'GetAnnot' | 'CloseAnnot'}`
  | `FPDFPageObj_${'GetType' | 'GetBounds' | 'GetMatrix' | 'GetFillColor'}`
  | `FPDFFormObj_${'CountObjects' | 'GetObject'}`
  | `FPDFPath_${'CountSegments' | 'GetPathSegment' | 'GetDrawMode'}`
  | `FPDFPathSegment_${'GetPoint' | 'GetType'}`
  | `FPDFBookmark_${'GetFirstChild' | 'GetNextSibling' | 'GetTitle' | 'GetDest'}`
  | `FPDFDest_${'GetDestPageIndex'}`
  | `FPDFAnnot_${'GetSubtype' | 'GetRect' | 'GetFormFieldType' | 'GetFormFieldValue' | 'GetStringValue'}`
  | `PDFiumExt_${'OpenFormFillInfo' | 'CloseFormFillInfo' | 'InitFormFillEnvironment' | 'ExitFormFillEnvironment'}`
  | 'malloc'
  | 'free'

export type Library = Record<Functions, (...args: number[]) => number> & {
  /** Bytes of memory that PDFium has; PDFium never gives memory back. */
  held(): number
  /** Whether PDFium requested more memory than the limit. Then text may be missing although no call failed. */
  refused(): boolean
  /** Copies bytes to the memory of PDFium. @throws Error if there is no room */
  put(bytes: Uint8Array): number
  bytes(at: number, count: number): Uint8Array
  floats(at: number, count: number): Float32Array
  /**
   * Returns the whole memory as one array of numbers, from which the values of every character are read. An index in
   * the array is not an address.
   */
  allFloats(): Float32Array
  allDoubles(): Float64Array
  integer(at: number): number
  /** Returns UTF-16 text of `bytes` bytes, without the terminating zero. */
  wide(at: number, bytes: number): string
  /** Returns the single-byte text at the address, up to its terminating zero and without it. */
  narrow(at: number): string
  /** Address of a buffer for results that a call returns by pointer: 4,096 bytes. */
  room: number
}

export const ROOM = 4096

/**
 * The parts of WebAssembly that are used here. The types of WebAssembly exist only in the type definitions for
 * browsers.
 */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => Instance
}
interface Instance {
  exports: object
}

/**
 * Loads PDFium. Long: its imports and exports are assembled once.
 *
 * @param bound maximum number of bytes of PDFium's memory
 */
export async function openLibrary(bound: number): Promise<Library> {
  const wasmBinary = await readFile(new URL(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')))
  let refused = false
  type Imports = { env: { emscripten_resize_heap: (size: number) => boolean } }
  const instantiateWasm = (imports: Imports, ready: (instance: Instance) => void) => {
    const grow = imports.env.emscripten_resize_heap
    imports.env.emscripten_resize_heap = (size) => {
      if (size >>> 0 <= bound) return grow(size)
      refused = true
      return false
    }
    const module = new WebAssembly.Module(wasmBinary)
    const instance = new WebAssembly.Instance(module, imports)
    ready(instance)
    return instance.exports
  }
  const silent = () => {}
  const options = { wasmBinary, instantiateWasm, print: silent, printErr: silent }
  const wrapped = await init(options as unknown as Parameters<typeof init>[0])
  wrapped.PDFiumExt_Init()
  const exported = wrapped.pdfium.wasmExports as unknown as Library & { memory: { buffer: ArrayBuffer } }
  const { memory } = exported
  const room = exported.malloc(ROOM)
  let floats = new Float32Array(memory.buffer)
  let doubles = new Float64Array(memory.buffer)
  // Memory that has grown has a new buffer, and views of the old buffer are empty.
  const renew = () => {
    floats = new Float32Array(memory.buffer)
    doubles = new Float64Array(memory.buffer)
  }
  return {
    ...exported,
    room,
    held: () => memory.buffer.byteLength,
    refused: () => refused,
    put: (bytes) => {
      const at = exported.malloc(bytes.length || 1)
      if (at === 0) throw new Error('there is not enough memory for the file')
      new Uint8Array(memory.buffer).set(bytes, at)
      return at
    },
    bytes: (at, count) => new Uint8Array(memory.buffer, at, count),
    allFloats: () => {
      if (floats.length === 0) renew()
      return floats
    },
    allDoubles: () => {
      if (doubles.length === 0) renew()
      return doubles
    },
    floats: (at, count) => new Float32Array(memory.buffer, at, count),
    integer: (at) => new Int32Array(memory.buffer, at, 1)[0]!,
    wide: (at, bytes) =>
      Buffer.from(memory.buffer, at, bytes)
        .toString('utf16le')
        .replace(/(?<!\0)\0+$/, ''),
    narrow: (at) => {
      const bytes = Buffer.from(memory.buffer, at, ROOM)
      return bytes.toString('latin1', 0, Math.max(0, bytes.indexOf(0)))
    },
  }
}
