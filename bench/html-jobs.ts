/** What bench/html.ts times, each converter in a process of its own: passes to warm up, three that count. */
import { readFile } from 'node:fs/promises'
import { markdownOfHtml } from '../src/read/html.ts'

export interface Pass {
  /** Of the processor, all threads of the process. */
  seconds: number
  /** UTF-16 units of Markdown. */
  length: number
}

/** Seconds of the processor before what is compiled while it runs is compiled. */
const WARM_UP = 1.5
/** One pass alone may or may not have a large collection of garbage in it. */
const COUNTED = 3

const used = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

async function timed(file: string, convert: (html: string) => string): Promise<Pass> {
  const html = await readFile(file, 'utf8')
  for (const begun = used(); used() - begun < WARM_UP; ) convert(html)
  const before = used()
  let length = 0
  for (let pass = 0; pass < COUNTED; pass++) length = convert(html).length
  return { seconds: (used() - before) / COUNTED, length }
}

export const ours = (_: unknown, file: string) => timed(file, (html) => markdownOfHtml(html).text)

export async function turndown(_: unknown, file: string): Promise<Pass> {
  const { default: Turndown } = (await import('turndown' as string)) as {
    default: new () => { turndown(html: string): string }
  }
  const service = new Turndown()
  return timed(file, (html) => service.turndown(html))
}

export async function nodeHtmlMarkdown(_: unknown, file: string): Promise<Pass> {
  const { NodeHtmlMarkdown } = await import('node-html-markdown')
  return timed(file, (html) => NodeHtmlMarkdown.translate(html))
}
