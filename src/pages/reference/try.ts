/**
 * The form with which a reader sends the request from the page. A script sends the request; without scripts the form is
 * hidden.
 */
import { assetPath } from '../assets.ts'
import { type Html, html, verbatim } from '../html.ts'
import type { Operation, Parameter } from './model.ts'
import { firstValues } from './request.ts'

export function tryForm(operation: Operation): Html {
  const { path } = operation
  // The form has no fields for headers, since no header changes the answer that it shows.
  const parameters = operation.parameters.filter((each) => each.in !== 'header')
  const values = firstValues(operation)
  return html`<section id="try" class="try" aria-labelledby="try-head">
<h2 id="try-head">Try it</h2>
<noscript><p>Sending a request from here needs JavaScript. The snippets do the same in a terminal.</p></noscript>
<form data-script="${assetPath('try.js')}" data-path="${path}" autocomplete="off" hidden>
<div class="key">
<label for="try-key">API key</label>
<input id="try-key" type="password" spellcheck="false" autocomplete="off" placeholder="of_…" aria-describedby="try-key-note">
<p id="try-key-note" class="note">The key is kept only in this tab, until the tab is closed. If you opened these pages by the link that a service on your own machine prints at its start, the key is here already.</p>
</div>
${
  parameters.length > 0 &&
  html`<div class="inputs">
${parameters.map((each) => input(each, values.get(each.name)))}</div>`
}
<div class="send"><button class="button main" type="submit">Send</button><code class="sent-to"></code></div>
</form>
<div class="result" aria-live="polite"></div>
</section>
`
}

/** @param sent the parameter's value in the first request; a field without a value shows what to type */
function input(parameter: Parameter, sent: string | undefined): Html {
  const { name, in: place, required, choices, type, default: standard, example } = parameter
  const id = `try-${name}`
  const label = html`<label for="${id}">${name}${required && html` <span class="must">required</span>`}</label>`
  if (choices.length > 0 && !type.startsWith('list')) {
    return html`<div>${label}<select id="${id}" name="${name}" data-in="${place}">${!required && html`<option value="">${standard === null ? '' : `${standard} (default)`}</option>`}${choices.map((choice) => html`<option${choice === sent && verbatim(' selected')}>${choice}</option>`)}</select></div>\n`
  }
  const hint = standard ?? example ?? ''
  return html`<div>${label}<input id="${id}" name="${name}" data-in="${place}" placeholder="${hint}"${sent !== undefined && html` value="${sent}"`}${required && verbatim(' required')} spellcheck="false"></div>\n`
}
