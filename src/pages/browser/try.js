// "Try it": sends the request that the form describes. Every answer is shown as text.

/** Maximum number of characters of an answer that are shown. */
const SHOWN_MAX = 50_000
/** Name under which the key is stored for the tab, so that the next page of the reference has it too. */
const NAME = 'openfilings-key'
const RATE = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After', 'X-Request-Id']

/** @param {HTMLFormElement} form */
export function begin(form) {
  const key = /** @type {HTMLInputElement} */ (form.querySelector('#try-key'))
  const note = /** @type {HTMLElement} */ (form.querySelector('#try-key-note'))
  const address = /** @type {HTMLElement} */ (form.querySelector('.sent-to'))
  const result = /** @type {HTMLElement} */ (form.parentElement?.querySelector('.result'))
  form.hidden = false
  key.value = kept() ?? ''
  key.addEventListener('change', () => keep(key.value.trim()))
  const tell = () => {
    address.textContent = addressOf(form)
  }
  form.addEventListener('input', tell)
  tell()

  // The key is requested when the reader reaches the form, and not by every page that is opened.
  const ready = once(async () => {
    const found = await readyKey()
    if (found === null || key.value !== '') return
    key.value = found
    note.textContent = 'This key was made at the start of the service on your machine.'
  })
  form.addEventListener('focusin', ready)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    await ready()
    result.replaceChildren(element('p', 'note', 'Sending …'))
    result.replaceChildren(...(await send(addressOf(form), key.value.trim())))
  })
}

/**
 * @param {() => Promise<void>} work
 * @returns {() => Promise<void>}
 */
function once(work) {
  /** @type {Promise<void> | undefined} */
  let begun
  return () => {
    begun ??= work()
    return begun
  }
}

/** @returns {Promise<string | null>} */
async function readyKey() {
  try {
    // The token of the link that the start printed. A reader who opened the page in another way types a key.
    const token = localStorage.getItem('openfilings-start')
    if (token === null) return null
    const response = await fetch('/docs/ready-key', { cache: 'no-store', headers: { 'x-start-token': token } })
    return response.ok ? (await response.json()).key : null
  } catch {
    return null
  }
}

/** @param {HTMLFormElement} form */
function addressOf(form) {
  let path = form.dataset.path ?? ''
  const query = new URLSearchParams()
  for (const input of form.querySelectorAll('[data-in]')) {
    if (!(input instanceof HTMLInputElement || input instanceof HTMLSelectElement)) continue
    const { name, value } = input
    if (input.dataset.in === 'path')
      path = path.replace(`{${name}}`, value === '' ? `{${name}}` : encodeURIComponent(value))
    else if (value !== '') query.append(name, value)
  }
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

/**
 * @param {string} address
 * @param {string} key
 * @returns {Promise<HTMLElement[]>}
 */
async function send(address, key) {
  const begun = performance.now()
  try {
    const response = await fetch(address, { headers: key === '' ? {} : { 'x-api-key': key } })
    const body = await response.blob()
    const ms = Math.round(performance.now() - begun)
    return [
      statusLine(response, ms, body.size),
      headersOf(response),
      ...(await bodyOf(body, response.headers.get('content-type') ?? '')),
    ]
  } catch (error) {
    return [element('p', 'failed', `The request could not be sent: ${error instanceof Error ? error.message : error}`)]
  }
}

/**
 * @param {Response} response
 * @param {number} ms
 * @param {number} bytes
 */
function statusLine({ status, statusText, ok }, ms, bytes) {
  const line = element('p', 'outcome', '')
  line.append(
    element('span', ok ? 'status good' : 'status bad', `${status} ${statusText}`.trim()),
    ` ${ms} ms · ${bytes.toLocaleString('en')} bytes`,
  )
  return line
}

/** @param {Response} response */
function headersOf({ headers }) {
  const list = element('dl', 'rate', '')
  for (const name of RATE) {
    const value = headers.get(name)
    if (value === null) continue
    const item = element('div', '', '')
    item.append(element('dt', '', name), element('dd', '', value))
    list.append(item)
  }
  return list
}

/**
 * @param {Blob} body
 * @param {string} type
 * @returns {Promise<HTMLElement[]>}
 */
async function bodyOf(body, type) {
  if (body.size === 0) return []
  if (!/json|^text\/|xml/.test(type)) return [element('p', 'note', `${type || 'Bytes'}, which are not shown here.`)]
  const text = formatted(await body.text(), type)
  const pre = element('pre', '', text.slice(0, SHOWN_MAX))
  pre.tabIndex = 0
  pre.setAttribute('aria-label', 'Answer')
  if (text.length <= SHOWN_MAX) return [pre]
  const cut = `The first ${SHOWN_MAX.toLocaleString('en')} of ${text.length.toLocaleString('en')} characters are shown.`
  return [pre, element('p', 'note', cut)]
}

/**
 * @param {string} text
 * @param {string} type
 */
function formatted(text, type) {
  if (!/json/.test(type) || /ndjson/.test(type)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/**
 * @param {string} name
 * @param {string} className
 * @param {string} text
 */
function element(name, className, text) {
  const made = document.createElement(name)
  if (className !== '') made.className = className
  made.textContent = text
  return made
}

/** A browser may give a page no storage; then the key lasts as long as the page. */
function kept() {
  try {
    return sessionStorage.getItem(NAME)
  } catch {
    return null
  }
}

/** @param {string} key */
function keep(key) {
  try {
    if (key === '') sessionStorage.removeItem(NAME)
    else sessionStorage.setItem(NAME, key)
  } catch {}
}
