/** Current reports of the corpus, as submissions or as main documents alone. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { markdownOfHtml } from '../../../src/read/html.ts'
import type { Markdown } from '../../../src/read/made-markdown.ts'
import { markdownOfText } from '../../../src/read/plain.ts'
import { readHeader } from '../../../src/read/sgml/header.ts'
import { sniff } from '../../../src/read/sniff.ts'

export interface CorpusReport {
  form: string
  filedDate: string
  /** Name of the filer; null for a document without its submission, and for a header assembled without a name. */
  name: string | null
  /** Lines ITEM INFORMATION of the header. */
  header: string[]
  documents: { type: string; text: string }[]
}

export function reportIn(folder: string, file: string): CorpusReport {
  const whole = readFileSync(path.join(folder, file), 'utf8')
  if (!file.startsWith('sec/'))
    return { form: '8-K', filedDate: '', name: null, header: [], documents: [{ type: '8-K', text: whole }] }
  const header = readHeader(whole.slice(0, whole.indexOf('<DOCUMENT>')))
  const documents = [...whole.matchAll(/<DOCUMENT>([\s\S]*?)<\/DOCUMENT>/g)].map(([, document]) => ({
    type: /<TYPE>([^\s<]*)/.exec(document!)![1]!,
    text: document!.replace(/^[\s\S]*?<TEXT>\s*(?:<XBRL>)?/, '').replace(/(?:<\/XBRL>\s*)?<\/TEXT>[\s\S]*$/, ''),
  }))
  const name = header.filers[0]?.name ?? null
  return {
    form: '8-K',
    filedDate: header.filedDate!,
    name: name?.startsWith('CIK ') ? null : name,
    header: header.items,
    documents,
  }
}

export const markdownOf = (text: string): Markdown =>
  sniff(Buffer.from(text)) === 'html' ? markdownOfHtml(text) : markdownOfText(text)
