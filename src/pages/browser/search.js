// The search over guides, operations, parameters and fields. Its index is requested once, when the search is first
// used.

/** @typedef {{ href: string, kind: string, title: string, summary: string, phrases: string[], words: string }} IndexedText */
/** @typedef {{ id: string, path: string, summary: string, group: string, parameters: [string, string][], fields: [string, string][] }} IndexedOperation */
/** @typedef {{ texts: IndexedText[], operations: IndexedOperation[] }} SearchIndex */
/** @typedef {{ href: string, kind: string, head: string, text: string, where: string, score: number }} Found */

const SHOWN_MAX = 30

/** @type {Promise<SearchIndex> | undefined} */
let loading
/** @type {HTMLDialogElement | undefined} */
let dialog

/**
 * @param {string} address of the list
 * @param {string} typed before it was open
 */
export function openSearch(address, typed) {
  dialog ??= make(address)
  if (!dialog.open) dialog.showModal()
  const input = dialog.querySelector('input')
  input?.focus()
  input?.select()
  if (!input || typed === '') return
  input.value = typed
  input.dispatchEvent(new Event('input'))
}

/** @param {string} address */
function load(address) {
  loading ??= fetch(address).then((response) => {
    if (!response.ok) throw new Error(`${response.status}`)
    return response.json()
  })
  // If the index could not be loaded, the next key press requests it again.
  loading.catch(() => {
    loading = undefined
  })
  return loading
}

/**
 * @param {string} address
 * @returns {HTMLDialogElement}
 */
function make(address) {
  const made = document.createElement('dialog')
  made.className = 'search'
  made.setAttribute('aria-label', 'Search the reference')
  const input = Object.assign(document.createElement('input'), {
    type: 'search',
    placeholder: 'A question, an operation, a field',
    autocomplete: 'off',
    spellcheck: false,
  })
  const list = Object.assign(document.createElement('ul'), { id: 'search-found', tabIndex: -1 })
  const note = Object.assign(document.createElement('p'), { className: 'search-note' })
  note.setAttribute('role', 'status')
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', 'Found')
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-label': 'Search',
    'aria-expanded': 'true',
    'aria-controls': list.id,
    'aria-autocomplete': 'list',
  })) {
    input.setAttribute(name, value)
  }
  made.append(input, list, note)
  document.body.append(made)

  let at = 0
  /** @param {number} to */
  const mark = (to) => {
    const items = list.children
    if (items.length === 0) return input.removeAttribute('aria-activedescendant')
    items[at]?.setAttribute('aria-selected', 'false')
    at = (to + items.length) % items.length
    items[at]?.setAttribute('aria-selected', 'true')
    items[at]?.scrollIntoView({ block: 'nearest' })
    input.setAttribute('aria-activedescendant', items[at]?.id ?? '')
  }
  const show = async () => {
    const typed = input.value
    try {
      const index = await load(address)
      if (typed !== input.value) return
      const found = find(index, typed)
      list.replaceChildren(...found.slice(0, SHOWN_MAX).map(itemOf))
      note.textContent =
        typed.trim() === ''
          ? `${index.texts.length} texts and ${index.operations.length} operations. Type words of a question, a path or a field.`
          : found.length > SHOWN_MAX
            ? `The best ${SHOWN_MAX} of ${found.length}`
            : `${found.length} found`
      at = 0
      mark(0)
    } catch {
      list.replaceChildren()
      note.textContent = 'The list could not be loaded. Type on to try again.'
    }
  }
  input.addEventListener('input', show)
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) mark(at + step)
    // Without this, Chromium only empties the field.
    else if (event.key === 'Escape') {
      made.close()
      // If nothing had the focus before, the field keeps the focus until the next frame, and would receive the next
      // "/".
      input.blur()
    } else if (event.key === 'Enter') list.children[at]?.querySelector('a')?.click()
    else return
    event.preventDefault()
  })
  list.addEventListener('click', () => made.close())
  made.addEventListener('click', (event) => {
    if (event.target === made) made.close()
  })
  show()
  return made
}

// Words without meaning for the search, unless no other words are typed.
const STOP_WORDS = new Set(
  'a an and are by can do does for from get how i in is it my of on or the to what when where which who with'.split(
    ' ',
  ),
)

/** @param {string} typed */
function wordsOf(typed) {
  const all = typed.toLowerCase().replace(/[?!,]/g, ' ').split(/\s+/).filter(Boolean)
  const telling = all.filter((word) => !STOP_WORDS.has(word))
  return telling.length > 0 ? telling : all
}

/**
 * Every word must match the name or its text. Guides and operations come before parameters, and parameters before
 * fields. A name that equals the word comes first, then a name that begins with it, then a name that contains it.
 *
 * @param {SearchIndex} index
 * @param {string} typed
 * @returns {Found[]}
 */
export function find({ texts, operations }, typed) {
  const words = wordsOf(typed)
  /** @type {Found[]} */
  const found = []
  for (const text of texts) {
    const score = words.length === 0 ? 30 : scoreOfText(words, text)
    if (score > 0)
      found.push({ href: text.href, kind: text.kind, head: text.title, text: text.summary, where: '', score })
  }
  for (const { id, path, summary, group, parameters, fields } of operations) {
    const page = `/docs/${id}`
    const about = `${summary} ${group}`
    const own = words.length === 0 ? 1 : Math.max(scoreOf(words, id, about), scoreOf(words, `${id} ${path}`, about))
    if (own > 0) found.push({ href: page, kind: 'GET', head: path, text: summary, where: '', score: own + 20 })
    if (words.length === 0) continue
    for (const [kind, members] of /** @type {const} */ ([
      ['parameter', parameters],
      ['field', fields],
    ])) {
      for (const [name, text] of members) {
        const score = scoreOf(words, name, text)
        const extra = kind === 'parameter' ? 5 : 0
        if (score > 0)
          found.push({
            href: `${page}#${kind}-${encodeURIComponent(name)}`,
            kind,
            head: name,
            text,
            where: path,
            score: score + extra,
          })
      }
    }
  }
  const near = found.some(({ score }) => score > PASSING) ? [] : nearTexts(texts, words)
  const others = found.filter(({ href }) => !near.some((one) => one.href === href))
  return [...near, ...others].sort((a, b) => b.score - a.score)
}

// The score of a word that occurs only in a text, and in no name, title or phrase.
const PASSING = 3

/**
 * Finds guides and topics by some of the words, for a question with a word that no page has, such as the name of a
 * company.
 *
 * @param {IndexedText[]} texts
 * @param {string[]} words
 * @returns {Found[]}
 */
function nearTexts(texts, words) {
  return texts.flatMap(({ href, kind, title, summary, phrases }) => {
    const own = new Set(wordsOf([title, ...phrases].join(' ')).map(stemOf))
    const met = words.filter((word) => own.has(stemOf(word))).length
    if (met === 0) return []
    return [{ href, kind, head: title, text: summary, where: '', score: PASSING + met / words.length }]
  })
}

/**
 * The best match of a text: a whole phrase, its title, or words anywhere in it.
 *
 * @param {string[]} words
 * @param {IndexedText} text
 */
function scoreOfText(words, { title, summary, phrases, words: others }) {
  const stems = words.map(stemOf).join(' ')
  const scores = phrases.map((phrase) => {
    const own = wordsOf(phrase).map(stemOf)
    if (own.join(' ') === stems) return 70
    const met = words.map(stemOf).filter((word) => own.includes(word)).length
    return met === words.length ? 30 + (15 * met) / own.length : 0
  })
  const inTitle = scoreOf(words, title, `${phrases.join(' ')} ${summary}`)
  return Math.max(...scores, inTitle > 3 ? inTitle + 18 : inTitle, scoreOf(words, '', others))
}

/**
 * A word without the ending of a plural.
 *
 * @param {string} word
 */
const stemOf = (word) => (word.length > 3 ? word.replace(/(?<![su])s$/, '') : word)

/**
 * @param {string[]} words
 * @param {string} name
 * @param {string} text
 */
function scoreOf(words, name, text) {
  const names = name.toLowerCase()
  const parts = names.split(/[^a-z0-9]+/)
  const last = names.slice(names.lastIndexOf('.') + 1)
  const lower = text.toLowerCase()
  /** @param {string} word */
  const scoreOfWord = (word) => {
    if (last === word || names === word) return 40
    if (parts.includes(word)) return 24
    if (parts.some((part) => part.startsWith(word))) return 16
    if (names.includes(word)) return 10
    return lower.includes(word) ? 3 : 0
  }
  let sum = 0
  for (const word of words) {
    const score = scoreOfWord(word) || scoreOfWord(stemOf(word)) * 0.9
    if (score === 0) return 0
    sum += score
  }
  // A short name matches the word better than a long name that contains it.
  return sum / words.length - Math.min(names.length, 60) / 20
}

let made = 0

/** @param {Found} found */
function itemOf({ href, kind, head, text, where }) {
  const item = document.createElement('li')
  item.id = `search-${made++}`
  item.setAttribute('role', 'option')
  item.setAttribute('aria-selected', 'false')
  const link = Object.assign(document.createElement('a'), { href, tabIndex: -1 })
  const add = (/** @type {string} */ className, /** @type {string} */ text) => {
    if (text === '') return
    link.append(Object.assign(document.createElement('span'), { className, textContent: text }), ' ')
  }
  const isText = kind === 'guide' || kind === 'topic' || kind === 'data'
  add(kind === 'GET' ? 'method' : 'kind', kind)
  add(isText ? 'title' : 'path', head)
  add('where', where)
  add('summary', text)
  item.append(link)
  return item
}
