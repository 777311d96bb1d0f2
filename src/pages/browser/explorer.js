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

// Fields that were left empty would only lengthen the address.
for (const form of document.querySelectorAll('form.filters')) {
  form.addEventListener('formdata', (event) => {
    const { formData } = /** @type {FormDataEvent} */ (event)
    for (const [name, value] of [...formData]) if (value === '') formData.delete(name)
  })
}

// Requests to copy name the address that the page was loaded from.
for (const code of document.querySelectorAll('.snippet code'))
  code.textContent = (code.textContent ?? '').replaceAll('http://127.0.0.1:8080', location.origin)

// What only few pages need is loaded there.
for (const place of document.querySelectorAll('[data-script]'))
  if (place instanceof HTMLElement && place.dataset.script)
    import(place.dataset.script).then(({ begin }) => begin(place))
