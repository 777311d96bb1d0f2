// The page at `/`: copies commands, with the address from which the page was loaded, and reloads while the service is
// starting.

for (const place of document.querySelectorAll('.origin')) place.textContent = location.origin

/** How long a button shows the result of a click. */
const TOLD_MS = 1500

for (const button of document.querySelectorAll('button.copy')) {
  const command = button.previousElementSibling
  // Without https, browsers give pages no clipboard, except on the machine's own address.
  if (!(button instanceof HTMLButtonElement) || !command || !navigator.clipboard) continue
  button.hidden = false
  button.addEventListener('click', async () => {
    const copied = await navigator.clipboard.writeText(command.textContent ?? '').then(
      () => true,
      () => false,
    )
    button.textContent = copied ? 'Copied' : 'Not copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, TOLD_MS)
  })
}

const waiting = document.querySelector('[data-reload]')
if (waiting instanceof HTMLElement) setTimeout(() => location.reload(), Number(waiting.dataset.reload) * 1000)
