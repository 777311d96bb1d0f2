// Pages of the reference: copy buttons, the address of this service in snippets, and search and "Try it", which are
// loaded when they are first used.

/** The address that the server writes into snippets. */
const ORIGIN = 'http://127.0.0.1:8080'

for (const code of document.querySelectorAll('pre code')) {
  // Only text is replaced; the markup of the element stays.
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeValue?.includes(ORIGIN)) node.nodeValue = node.nodeValue.replaceAll(ORIGIN, location.origin)
  }
}

if (navigator.clipboard) {
  for (const pre of document.querySelectorAll('main pre')) {
    const box = document.createElement('div')
    box.className = `copied-from ${pre.className}`
    pre.replaceWith(box)
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(pre.textContent?.trimEnd() ?? '').then(
        () => tell('Copied'),
        () => tell('Not allowed'),
      )
    })
    /** @param {string} text */
    const tell = (text) => {
      button.textContent = text
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 1500)
    }
    box.append(pre, button)
  }
}

/**
 * Returns the id in a fragment. A fragment may have been damaged on its way; an error would end this script.
 *
 * @param {string} hash
 */
function idIn(hash) {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return ''
  }
}

/** Opens the fields that contain the target field, also in browsers that do not do so by themselves. */
function showTarget() {
  const target = document.getElementById(idIn(location.hash))
  if (!target) return
  for (let at = target.parentElement; at; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement) at.open = true
  }
  target.scrollIntoView()
}
addEventListener('hashchange', showTarget)
if (location.hash) showTarget()

document.querySelector('.sidebar [aria-current]')?.scrollIntoView({ block: 'nearest' })

// Search and form are separate files, since most pages are read without them. The file names contain a digest, so the
// page states them.
const opener = document.querySelector('a.search-open')
/** @type {string | null} Text typed while the search is loading; null at any other time. */
let early = null
const search = async () => {
  const { script = '', index = '' } = opener instanceof HTMLElement ? opener.dataset : {}
  early ??= ''
  try {
    const { openSearch } = await import(script)
    openSearch(index, early)
  } finally {
    early = null
  }
}
opener?.addEventListener('click', (event) => {
  event.preventDefault()
  search()
})
addEventListener('keydown', (event) => {
  const typing = event.target instanceof Element && event.target.closest('input, textarea, select')
  if (event.ctrlKey || event.metaKey || event.altKey || typing) return
  if (early !== null && event.key.length === 1) early += event.key
  else if (event.key === '/') search()
  else return
  event.preventDefault()
})

const form = document.querySelector('#try form')
if (form instanceof HTMLFormElement) {
  const { begin } = await import(form.dataset.script ?? '')
  begin(form)
}
