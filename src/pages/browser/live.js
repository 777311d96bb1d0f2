// Shows new rows of a list as they arrive. A hidden tab receives no rows. A tab that is shown again continues after its
// last row.

/** Maximum number of rows on the page. */
const ROWS = 200
/** Minimum time between two updates of the number of new rows, which screen readers read out. */
const TOLD_MS = 2_000
const BACKOFF_MS = { least: 2_000, most: 120_000 }

/**
 * The key of a record begins with its series: `IA_FIRM_SEC/361`.
 *
 * @param {string} key
 * @param {Record<string, string>} series
 */
function inWords(key, series) {
  const [name = '', record] = key.split('/')
  return record === undefined || series[name] === undefined ? key : `${series[name]} ${record}`
}

/** @param {HTMLElement} place */
export function begin(place) {
  const body = place.querySelector('tbody')
  const status = place.querySelector('[role=status]')
  const table = place.querySelector('.wide')
  const stream = place.dataset.stream
  if (!body || !status || !(table instanceof HTMLElement) || !stream) return
  /** @type {Record<string, string>} */
  const sources = JSON.parse(place.dataset.sources ?? '{}')
  /** @type {Record<string, string>} */
  const series = JSON.parse(place.dataset.series ?? '{}')
  let last = ''
  let count = 0
  let wait = BACKOFF_MS.least
  /** @type {EventSource | null} */
  let source = null
  let later = 0
  let telling = 0

  const tell = () => {
    if (telling !== 0) return
    telling = window.setTimeout(() => {
      telling = 0
      status.textContent =
        count === 0 ? 'Waiting for what is new.' : `${count.toLocaleString('en-US')} new since this page was opened.`
    }, TOLD_MS)
  }

  /** @param {MessageEvent<string>} message */
  const add = (message) => {
    last = message.lastEventId
    const { what, source: from, key, learned_at: at, filing } = JSON.parse(message.data)
    const row = document.createElement('tr')
    const source = sources[from] ?? from
    const cells = [
      filing?.company_name ?? (key && inWords(key, series)) ?? `${source}, many changes at once`,
      what,
      filing?.form_type,
      String(at).slice(0, 16).replace('T', ' '),
      source,
      filing && key,
    ]
    for (const [n, text] of cells.entries()) {
      const cell = document.createElement('td')
      if (filing && (n === 0 || n === 5)) {
        const link = document.createElement('a')
        link.href = `/filing/${encodeURIComponent(key)}`
        link.textContent = text
        cell.append(link)
      } else cell.textContent = text ?? '–'
      row.append(cell)
    }
    table.hidden = false
    body.prepend(row)
    while (body.children.length > ROWS) body.lastElementChild?.remove()
    count++
    tell()
  }

  const open = () => {
    window.clearTimeout(later)
    if (source || document.hidden) return
    const address = new URL(stream, location.origin)
    if (last !== '') address.searchParams.set('after', last)
    const own = new EventSource(address)
    source = own
    own.onopen = () => {
      wait = BACKOFF_MS.least
      tell()
    }
    for (const what of ['added', 'corrected', 'removed', 'restored']) own.addEventListener(what, add)
    own.onerror = () => {
      // The browser would reconnect at once, together with all other tabs, so each tab waits for a random time.
      own.close()
      if (source === own) source = null
      window.clearTimeout(telling)
      telling = 0
      status.textContent = 'Not connected. Trying again.'
      later = window.setTimeout(open, wait * (0.5 + Math.random()))
      wait = Math.min(wait * 2, BACKOFF_MS.most)
    }
  }

  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) return open()
    source?.close()
    source = null
  })
  place.hidden = false
  open()
}
