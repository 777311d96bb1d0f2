/** Reads the style sheets of a document; only rules with one simple selector are supported. */
import type { Limits } from './limits.ts'
import { readStyle, type Style } from './style.ts'
import type { Attributes } from './tokens.ts'

export interface Sheet {
  /** Whether no rule was read. */
  empty: boolean
  /** Takes the text of a `<style>` element, in pieces. */
  read(text: string): void
  end(): void
  /**
   * Returns the style of an element, computed from the rules and from `own`, the style of its `style` attribute. For
   * equal input this method returns the same object.
   */
  merged(name: string, attributes: Attributes, own: Style | null): Style | null
}

/** Matches `td`, `.hidden`, `td.hidden`, `#head` and `*`; other selectors depend on the surrounding elements. */
const SELECTOR = /^(\*|[a-z][\w:-]*)?([.#][\w-]+)?$/i
export function openSheet(limits: Limits): Sheet {
  let pending = ''
  let taken = 0
  const rules = new Map<string, Style>()
  const known = new Map<Style | null, Map<string, Style | null>>()
  let count = 0
  const sheet: Sheet = { empty: true, read, end, merged }
  return sheet

  function read(text: string): void {
    const room = limits.style - taken
    if (room <= 0) return
    pending += text.slice(0, room)
    taken += Math.min(text.length, room)
  }

  function end(): void {
    const text = pending.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ').replace(/<!--|-->/g, ' ')
    pending = ''
    for (const { selectors, declarations } of rulesOf(text)) {
      const style = readStyle(declarations)
      if (style === null) continue
      for (const selector of selectors.split(',')) {
        const key = selector.trim().toLowerCase()
        if (key === '' || !SELECTOR.test(key) || rules.size >= limits.styles) continue
        rules.set(key, { ...rules.get(key), ...style })
      }
    }
    sheet.empty = rules.size === 0
    known.clear()
  }

  function merged(name: string, attributes: Attributes, own: Style | null): Style | null {
    const { class: classes, id } = attributes
    const key = `${name} ${classes} ${id}`
    const kept = known.get(own) ?? new Map<string, Style | null>()
    if (kept.size === 0) known.set(own, kept)
    const before = kept.get(key)
    if (before !== undefined) return before
    const found: Style = {}
    byRules(found, name, classes, id)
    Object.assign(found, own)
    const style = Object.keys(found).length === 0 ? null : found
    if (count++ < limits.styles) kept.set(key, style)
    return style
  }

  function byRules(found: Style, name: string, classes: string | undefined, id: string | undefined): void {
    const names = (classes ?? '')
      .toLowerCase()
      .split(/\s+/, 10)
      .filter((each) => each !== '')
    const keys = ['*', name, ...names.map((each) => `.${each}`), ...names.map((each) => `${name}.${each}`)]
    if (id !== undefined) keys.push(`#${id.toLowerCase()}`, `${name}#${id.toLowerCase()}`)
    for (const key of keys) Object.assign(found, rules.get(key))
  }
}

/**
 * Yields the rules of a sheet. Rules within `@media` and similar blocks are left out, since they apply only under
 * conditions.
 */
function* rulesOf(text: string): Generator<{ selectors: string; declarations: string }> {
  let at = 0
  while (at < text.length) {
    const open = text.indexOf('{', at)
    if (open < 0) return
    const selectors = text.slice(at, open)
    if (selectors.trimStart().startsWith('@')) {
      at = endOfBlock(text, open)
      continue
    }
    const close = text.indexOf('}', open)
    if (close < 0) return
    yield { selectors, declarations: text.slice(open + 1, close) }
    at = close + 1
  }
}

function endOfBlock(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return at + 1
  }
  return text.length
}
