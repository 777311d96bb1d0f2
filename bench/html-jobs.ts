/**
 * Jobs that bench/html.ts times, with each converter in a separate process: passes to warm up, then three passes that
 * count.
 */
import { readFile } from 'node:fs/promises'
import { markdownOfHtml } from '../src/read/html.ts'
import { part } from './share.ts'

export interface Pass {
  /** Processor seconds of all threads of the process. */
  seconds: number
  /** UTF-16 units of Markdown. */
  length: number
}

/** Milliseconds of processor time after which hot code is compiled. */
const WARM_UP_MS = 1_500
/** A single pass may or may not include a large garbage collection. */
const COUNTED = 3

const used = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

async function timed(file: string, share: number, convert: (html: string) => string): Promise<Pass> {
  const html = await readFile(file, 'utf8')
  const counted = part(COUNTED, share)
  for (const begun = used(); 1000 * (used() - begun) < part(WARM_UP_MS, share); ) convert(html)
  const before = used()
  let length = 0
  for (let pass = 0; pass < counted; pass++) length = convert(html).length
  return { seconds: (used() - before) / counted, length }
}

export const ours = (_: unknown, file: string, share: number) => timed(file, share, (html) => markdownOfHtml(html).text)

export async function turndown(_: unknown, file: string, share: number): Promise<Pass> {
  const { default: Turndown } = (await import('turndown' as string)) as {
    default: new () => { turndown(html: string): string }
  }
  const service = new Turndown()
  return timed(file, share, (html) => service.turndown(html))
}

export async function nodeHtmlMarkdown(_: unknown, file: string, share: number): Promise<Pass> {
  const { NodeHtmlMarkdown } = await import('node-html-markdown')
  return timed(file, share, (html) => NodeHtmlMarkdown.translate(html))
}
