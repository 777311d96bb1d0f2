// Adds the charts for which the page did not wait. If they cannot be had, the links to their lists stay.

/** @param {HTMLElement} place */
export async function begin(place) {
  const { from } = place.dataset
  if (!from) return
  place.ariaBusy = 'true'
  try {
    const response = await fetch(from, { headers: { accept: 'text/html' } })
    if (!response.ok) return
    const drawn = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('.charts')
    if (drawn) place.replaceChildren(...drawn.children)
    else place.hidden = true
  } catch {
    // The connection failed.
  } finally {
    place.ariaBusy = 'false'
  }
}
