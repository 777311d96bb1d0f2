// The page that asks for a key. A reader who opened the link that a local start printed gets the key of that start
// without typing.

/** @param {HTMLFormElement} form */
export async function begin(form) {
  const key = form.elements.namedItem('key')
  if (!(key instanceof HTMLInputElement)) return
  try {
    const token = localStorage.getItem('openfilings-start')
    if (token === null || document.querySelector('[role=alert]')) return
    const response = await fetch('/docs/ready-key', { cache: 'no-store', headers: { 'x-start-token': token } })
    const { key: ready } = await response.json()
    if (typeof ready !== 'string' || key.value !== '') return
    key.value = ready
    form.submit()
  } catch {
    // The browser gives the page no storage, or the server cannot be reached: the reader types the key.
  }
}
