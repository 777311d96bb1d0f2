/**
 * Items of real reports, registrations and proxy statements begin and end at the places that a person typed from the
 * documents.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownOfHtml } from '../../src/read/html.ts'
import { markdownOfText } from '../../src/read/plain.ts'
import { sectionKindOf, sectionsOf } from '../../src/read/sections.ts'
import { corpus } from '../support/corpus.ts'
import { isHtml, type Place, source, typed, unknown, words } from '../support/text-truth.ts'

/**
 * Id of the item, the first six words after its heading, and the last six before the next heading. Empty means a
 * heading without text. Null means not judged (signatures follow). Several endings mean that a person could end the
 * item at any of them.
 */
type TypedItem = [id: string, first: string, last: string | string[] | null]

interface TypedSections extends Place {
  form: string
  items: TypedItem[]
  /** Items of the form that are missing in this document. */
  absent: string[]
  /** Beginnings of the messages about known differences, which the test accepts. */
  known?: string[]
}

/** The longest heading of an item has 33 words: "Item", its number and a title of 31 words. */
const HEADING = 36

for (const truth of typed<TypedSections[]>('sections.json')) {
  const { place, sequence, form, items, absent, known } = truth
  test(`items and sections begin and end at the places that a person typed: ${form} ${place.split('/').at(-1)}`, {
    skip: corpus.skip,
  }, () => {
    const text = source({ place, sequence })
    const markdown = isHtml(text) ? markdownOfHtml(text) : markdownOfText(text)
    const sections = sectionsOf(markdown, sectionKindOf(form)!)
    const wrong: string[] = []
    const bodies = new Map<string, string[]>()
    for (const { id, start, end } of sections) {
      if (bodies.has(id)) wrong.push(`${id} is there twice`)
      bodies.set(id, words(markdown.text.slice(start, end)))
    }
    for (const [id, first, last] of items) {
      const body = bodies.get(id)
      if (first === '') {
        if (body && body.length > HEADING) wrong.push(`${id} has no text, but: ${body.slice(0, 50).join(' ')}`)
        continue
      }
      if (!body) {
        wrong.push(`${id} was not found`)
        continue
      }
      const begin = indexOf(body, words(first))
      if (begin < 0 || begin > HEADING) wrong.push(`${id} begins "${body.slice(0, 24).join(' ')}", not "${first}"`)
      const ends = last === null ? [] : [last].flat()
      if (ends.length > 0 && !ends.some((each) => endsWith(body, words(each)))) {
        wrong.push(`${id} ends "${body.slice(-24).join(' ')}", not "${ends.join('" or "')}"`)
      }
    }
    for (const id of absent) {
      const body = bodies.get(id)
      if (body && body.length > HEADING) wrong.push(`${id} is not in the document, but: ${body.slice(0, 24).join(' ')}`)
    }
    assert.deepEqual(unknown(wrong, known), [])
  })
}

function indexOf(body: string[], run: string[]): number {
  return body.findIndex((_, n) => run.every((word, k) => body[n + k] === word))
}

function endsWith(body: string[], run: string[]): boolean {
  return run.every((word, k) => body[body.length - run.length + k] === word)
}
