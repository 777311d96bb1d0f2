/** What bench/html.ts times, each converter in a process of its own: passes to warm up, one that counts. */
import { readFile } from 'node:fs/promises'
import { markdownOfHtml } from '../src/read/html.ts'

export interface Pass {
  /** Of the processor, all threads of the process. */
  seconds: number
  /** UTF-16 units of Markdown. */
  length: number
}

/** Once is not enough for what is compiled while it runs. */
const WARM_UP = 3

async function timed(file: string, warmUp: number, convert: (html: string) => string): Promise<Pass> {
  const html = await readFile(file, 'utf8')
  for (let pass = 0; pass < warmUp; pass++) convert(html)
  const before = process.cpuUsage()
  const { length } = convert(html)
  const { user, system } = process.cpuUsage(before)
  return { seconds: (user + system) / 1e6, length }
}

export const ours = (_: unknown, file: string) => timed(file, WARM_UP, (html) => markdownOfHtml(html).text)

export async function turndown(_: unknown, file: string): Promise<Pass> {
  const { default: Turndown } = (await import('turndown' as string)) as {
    default: new () => { turndown(html: string): string }
  }
  const service = new Turndown()
  return timed(file, 0, (html) => service.turndown(html))
}

export async function nodeHtmlMarkdown(_: unknown, file: string): Promise<Pass> {
  const { NodeHtmlMarkdown } = await import('node-html-markdown')
  return timed(file, 0, (html) => NodeHtmlMarkdown.translate(html))
}
