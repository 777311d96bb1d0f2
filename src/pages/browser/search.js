// The search over operations, parameters and fields. Its list is asked for once, when it is first used.

/** @typedef {{ id: string, path: string, summary: string, group: string, parameters: [string, string][], fields: [string, string][] }} Indexed */
/** @typedef {{ href: string, kind: string, head: string, text: string, where: string, score: number }} Found */

const SHOWN_MAX = 30

/** @type {Promise<Indexed[]> | undefined} */
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
  // A list that did not come is requested again at the next key.
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
    placeholder: 'Operations, parameters, fields',
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
          ? `${index.length} operations. Type a word of a path, a parameter or a field.`
          : found.length > SHOWN_MAX
            ? `The best ${SHOWN_MAX} of ${found.length}`
            : `${found.length} found`
      at = 0
      mark(0)
    } catch {
      list.replaceChildren()
      note.textContent = 'The list did not come; type on to try again.'
    }
  }
  input.addEventListener('input', show)
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) mark(at + step)
    // By itself Chromium empties the field first.
    else if (event.key === 'Escape') {
      made.close()
      // Where nothing had the focus before, it stays here until the next frame, and with it the next "/".
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

/**
 * Every word must be met, by the name or by its text. Operations come before parameters and these before
 * fields; a name that is the word comes before one that begins with it, and that before one that holds it.
 *
 * @param {Indexed[]} index
 * @param {string} typed
 * @returns {Found[]}
 */
export function find(index, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  /** @type {Found[]} */
  const found = []
  for (const { id, path, summary, group, parameters, fields } of index) {
    const page = `/docs/${id}`
    const own = words.length === 0 ? 1 : scoreOf(words, `${id} ${path}`, `${summary} ${group}`)
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
  return found.sort((a, b) => b.score - a.score)
}

/**
 * @param {string[]} words
 * @param {string} name
 * @param {string} text
 */
function scoreOf(words, name, text) {
  const names = name.toLowerCase()
  const parts = names.split(/[^a-z0-9]+/)
  const lower = text.toLowerCase()
  let sum = 0
  for (const word of words) {
    const last = names.slice(names.lastIndexOf('.') + 1)
    if (last === word || names === word) sum += 40
    else if (parts.includes(word)) sum += 24
    else if (parts.some((part) => part.startsWith(word))) sum += 16
    else if (names.includes(word)) sum += 10
    else if (lower.includes(word)) sum += 3
    else return 0
  }
  // A short name says the word more plainly than a long one that holds it.
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
  add(kind === 'GET' ? 'method' : 'kind', kind)
  add('path', head)
  add('where', where)
  add('summary', text)
  item.append(link)
  return item
}
