// Suggestions in the search boxes, as a combobox of ARIA. Without this script a box sends its form.

/** @typedef {{ kind: string, name: string, detail: string | null, why: string | null, href: string }} Suggestion */

for (const box of document.querySelectorAll('#search-all, #find')) if (box instanceof HTMLInputElement) suggestIn(box)

/** @param {HTMLInputElement} box */
function suggestIn(box) {
  const form = box.form
  if (!form) return
  const list = document.createElement('ul')
  list.id = `${box.id}-suggestions`
  list.className = 'suggestions'
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', 'Suggestions')
  list.hidden = true
  form.classList.add('suggests')
  form.append(list)
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-controls': list.id,
    'aria-expanded': 'false',
  }))
    box.setAttribute(name, value)

  let chosen = -1
  /** @type {AbortController | null} */
  let inFlight = null

  /** @param {number} n */
  function choose(n) {
    chosen = n
    for (const [at, option] of [...list.children].entries()) option.setAttribute('aria-selected', String(at === n))
    const option = list.children[n]
    if (option) box.setAttribute('aria-activedescendant', option.id)
    else box.removeAttribute('aria-activedescendant')
    option?.scrollIntoView({ block: 'nearest' })
  }

  /** @param {boolean} isOpen */
  function show(isOpen) {
    list.hidden = !isOpen
    box.setAttribute('aria-expanded', String(isOpen))
    choose(-1)
  }

  /** @param {Suggestion[]} found */
  function fill(found) {
    list.replaceChildren(
      ...found.map(({ kind, name, detail, why, href }, n) => {
        const option = document.createElement('li')
        option.id = `${list.id}-${n}`
        option.setAttribute('role', 'option')
        option.dataset.href = href
        for (const [className, text] of [
          ['kind', kind],
          ['name', name],
          ['detail', detail],
          ['why', why && `by ${why}`],
        ]) {
          if (!text) continue
          const part = document.createElement('span')
          part.className = String(className)
          part.textContent = text
          option.append(part, ' ')
        }
        return option
      }),
    )
    show(found.length > 0)
  }

  box.addEventListener('input', async () => {
    inFlight?.abort()
    // The suggestions that are shown belong to the earlier text, so Enter must not open one of them.
    choose(-1)
    const query = box.value.trim()
    if (query.length < 2 || query.length > 100) return fill([])
    const own = new AbortController()
    inFlight = own
    try {
      const response = await fetch(`/search/suggestions?q=${encodeURIComponent(query)}`, { signal: own.signal })
      const found = response.ok ? await response.json() : []
      if (inFlight === own && document.activeElement === box) fill(found)
    } catch {
      // A later key press has replaced the request, or the service cannot be reached. The form still works.
      if (inFlight === own) fill([])
    }
  })

  box.addEventListener('keydown', (event) => {
    const count = list.children.length
    if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault()
      show(false)
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && count > 0) {
      event.preventDefault()
      if (list.hidden) show(true)
      // There is one more position than there are suggestions: the box itself.
      const step = event.key === 'ArrowDown' ? 1 : -1
      choose(((chosen + 1 + step + count + 1) % (count + 1)) - 1)
    } else if (event.key === 'Enter' && chosen >= 0 && !list.hidden) {
      event.preventDefault()
      open(list.children[chosen])
    }
  })
  box.addEventListener('blur', () => show(false))
  // This event comes before the box loses its focus.
  list.addEventListener('mousedown', (event) => {
    event.preventDefault()
    const isElsewhere = event.button === 1 || event.ctrlKey || event.metaKey
    if (event.button > 1 || !(event.target instanceof Element)) return
    open(event.target.closest('[role=option]'), isElsewhere)
  })

  /**
   * @param {Element | null | undefined} option
   * @param {boolean} isElsewhere whether to open a new tab
   */
  function open(option, isElsewhere = false) {
    const href = option instanceof HTMLElement ? option.dataset.href : undefined
    if (!href) return
    if (isElsewhere) window.open(href, '_blank', 'noopener')
    else location.assign(href)
  }
}
