// Light or dark theme: follows the system's setting until the switch is used. This script runs before the page is
// drawn, so that the other theme does not flash.

const NAME = 'openfilings-theme'
const root = document.documentElement
const dark = matchMedia('(prefers-color-scheme: dark)')

/** A browser may give a page no storage; then the choice lasts as long as the page. */
function kept() {
  try {
    return localStorage.getItem(NAME)
  } catch {
    return null
  }
}

/** @param {string} theme */
function keep(theme) {
  try {
    localStorage.setItem(NAME, theme)
  } catch {}
}

const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : dark.matches)

const chosen = kept()
if (chosen === 'dark' || chosen === 'light') root.dataset.theme = chosen

addEventListener('DOMContentLoaded', () => {
  const button = document.querySelector('button.theme')
  if (!(button instanceof HTMLButtonElement)) return
  const tell = () => button.setAttribute('aria-pressed', String(isDark()))
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark'
    keep(root.dataset.theme)
    tell()
  })
  dark.addEventListener('change', tell)
  tell()
  button.hidden = false
})
