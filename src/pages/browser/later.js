// Adds the parts for which the page did not wait. If a part cannot be loaded, the link in its place stays.

/**
 * Answers by address, since all parts of a page can come from one answer. @type {Map<string, Promise<Document | null>>}
 */
const answers = new Map()

/** @param {HTMLElement} place */
export async function begin(place) {
  const { from, part } = place.dataset
  if (!from || !part) return
  place.ariaBusy = 'true'
  const answer = answers.get(from) ?? answerOf(from)
  answers.set(from, answer)
  const came = (await answer)?.querySelector(`.${part}`)
  if (came) {
    place.hidden = came.children.length === 0
    place.replaceChildren(...came.children)
  }
  place.ariaBusy = 'false'
}

/** @param {string} from @returns {Promise<Document | null>} null for an error of the server or of the connection */
async function answerOf(from) {
  try {
    const response = await fetch(from, { headers: { accept: 'text/html' } })
    return response.ok ? new DOMParser().parseFromString(await response.text(), 'text/html') : null
  } catch {
    return null
  }
}
