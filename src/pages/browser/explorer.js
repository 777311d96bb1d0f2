// Conveniences of pages about data. All of these pages work without this script.

const box = document.querySelector('#search-all')
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || !(box instanceof HTMLInputElement)) return
  const { target } = event
  if (
    target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement
  )
    return
  event.preventDefault()
  box.focus()
  box.select()
})

// Fields that were left empty would only lengthen the address. A name that occurs several times belongs to the rows of a
// form, so it stays if one of its values does.
for (const form of document.querySelectorAll('form.filters')) {
  form.addEventListener('formdata', (event) => {
    const { formData } = /** @type {FormDataEvent} */ (event)
    for (const name of new Set(formData.keys()))
      if (formData.getAll(name).every((value) => value === '')) formData.delete(name)
  })
}

// Adds its age to each moment of the last two days, and keeps the ages up to date. The words are the same as in
// home/ago.ts; a test compares both.
const MINUTE_MS = 60_000
const AGES_MINUTES = 48 * 60
const ages = [...document.querySelectorAll('.facts time')].flatMap((time) => {
  const at = Date.parse(/T/.test(time.getAttribute('datetime') ?? '') ? (time.getAttribute('datetime') ?? '') : '')
  const minutes = (Date.now() - at) / MINUTE_MS
  if (!(minutes >= 0 && minutes < AGES_MINUTES)) return []
  const age = document.createElement('small')
  age.className = 'age'
  time.after(' ', age)
  return [{ at, age }]
})
const showAges = () => {
  for (const { at, age } of ages) {
    const minutes = Math.floor((Date.now() - at) / MINUTE_MS)
    age.textContent =
      minutes < 1 ? 'just now' : minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`
  }
}
showAges()
if (ages.length > 0) setInterval(showAges, MINUTE_MS / 4)

// Requests that readers copy contain the address from which the page was loaded.
for (const code of document.querySelectorAll('.snippet code'))
  code.textContent = (code.textContent ?? '').replaceAll('http://127.0.0.1:8080', location.origin)

// Loads scripts that only few pages need, on these pages only.
for (const place of document.querySelectorAll('[data-script]'))
  if (place instanceof HTMLElement && place.dataset.script)
    import(place.dataset.script).then(({ begin }) => begin(place))
