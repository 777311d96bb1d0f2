/** Every HTML document of the corpus: main documents, and those inside submissions. */
import { isUtf8 } from 'node:buffer'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { cp1252 } from '../../../src/read/encoding.ts'

/** @yields each document with a name that states its source, always in the same order */
export function* htmlDocuments(folder: string): Generator<{ name: string; html: string }> {
  const files = globSync(['documents/**/*.{htm,html,txt}', 'sec/Archives/edgar/data/*/*.txt'], { cwd: folder }).sort()
  for (const file of files) {
    const whole = readFileSync(path.join(folder, file))
    const submission = whole.toString('latin1')
    const documents = [...submission.matchAll(/<TEXT>([\s\S]*?)<\/TEXT>/g)]
    if (documents.length === 0) {
      if (isHtml(submission)) yield { name: file, html: textOf(whole) }
      continue
    }
    for (const [index, { 1: text }] of documents.entries()) {
      if (isHtml(text!)) yield { name: `${file}#${index + 1}`, html: textOf(Buffer.from(text!, 'latin1')) }
    }
  }
}

/** The letters of encoded pictures can look like a tag. */
const isHtml = (text: string) =>
  !/^\s*(?:<PDF>\s*)?begin \d{3} /.test(text) &&
  /<(?:html|body|div|table|p|font)[\s>]/i.test(text.slice(0, 65_536)) &&
  !/^\s*(?:<XML>|<\?xml(?![\s\S]{0,2000}<html))/i.test(text)

const textOf = (bytes: Buffer) => (isUtf8(bytes) ? bytes.toString('utf8') : cp1252(bytes.toString('latin1')))
