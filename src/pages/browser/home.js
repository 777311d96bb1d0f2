// The page at `/`: copies commands, with the address under which the page was asked for, and looks again while it waits.

for (const place of document.querySelectorAll('.origin')) place.textContent = location.origin

/** How long a button says what became of it. */
const TOLD_MS = 1500

for (const button of document.querySelectorAll('button.copy')) {
  const command = button.previousElementSibling
  // Without https the clipboard is closed to pages, but for the machine's own address.
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
