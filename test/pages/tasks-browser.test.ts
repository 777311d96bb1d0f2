/**
 * Twelve questions of people who do not program, each answered from the first page by clicking and typing.
 *
 * @ci it needs Chromium
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { secondRun } from '../second-run.ts'
import { launch, noChromium } from '../support/chromium.ts'
import { serveSample } from '../support/served.ts'

const skip = secondRun || noChromium
const [served, browser] = skip ? [] : [await serveSample({ after }), await launch()]
after(() => browser?.close())

/** Counts one step for a click, for filling a field, and for typing and sending a search. */
class Reader {
  readonly page: Page
  steps = 0

  constructor(page: Page) {
    this.page = page
  }

  async find(text: string, box = '#find'): Promise<void> {
    this.steps++
    await this.page.fill(box, text)
    await this.#leave(() => this.page.press(box, 'Enter'))
  }

  /** Clicks the first link with this name. */
  async open(name: string | RegExp): Promise<void> {
    this.steps++
    const link = this.page.getByRole('main').getByRole('link', { name }).first()
    await this.#leave(() => link.click())
  }

  async choose(label: string, value: string): Promise<void> {
    this.steps++
    const field = this.page.locator('form.filters').getByLabel(label, { exact: true })
    const isList = await field.evaluate((one) => one.tagName === 'SELECT')
    await (isList ? field.selectOption({ label: value }) : field.fill(value))
  }

  async send(name: 'Apply' | 'Search'): Promise<void> {
    this.steps++
    await this.#leave(() => this.page.getByRole('main').getByRole('button', { name, exact: true }).first().click())
  }

  async #leave(act: () => Promise<void>): Promise<void> {
    const left = this.page.waitForEvent('framenavigated')
    await act()
    await left
    await this.page.waitForLoadState()
  }

  /** Checks that the page contains this text, also in folded parts. */
  async says(words: RegExp): Promise<void> {
    assert.match((await this.page.textContent('main'))!.replace(/\s+/g, ' '), words)
  }

  rows(): Promise<number> {
    return this.page.locator('.list-rows table.rows tbody tr').count()
  }
}

/** Maximum number of steps for a question. */
const STEPS = 5

function question(asked: string, answer: (reader: Reader) => Promise<void>): void {
  test(`${asked}: the answer takes at most five steps from the first page`, { skip }, async (t) => {
    const context = await browser!.newContext({ viewport: { width: 1280, height: 900 } })
    t.after(() => context.close())
    await context.addCookies([{ name: 'openfilings_key', value: served!.keys.full, url: served!.origin }])
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    await page.goto(served!.origin)
    const reader = new Reader(page)
    await answer(reader)
    assert.ok(reader.steps <= STEPS, `${reader.steps} steps`)
  })
}

// No manager of the sample bought Apple in the last quarter, but one bought Alphabet.
question('Who bought most shares of a company last quarter', async (reader) => {
  await reader.find('GOOGL')
  await reader.open(/^Securities$/)
  await reader.open('02079K305')
  await reader.page.getByRole('link', { name: 'Managers who bought most' }).waitFor()
  await reader.says(/Managers who bought most in the last quarter.*Viking Global/i)
})

// The sample has no adviser of Texas with disclosures.
question('Advisers above a billion in one state with disclosures', async (reader) => {
  await reader.open('Investment advisers')
  await reader.choose('State', 'NY')
  await reader.choose('Assets at least', '1000000000')
  await reader.choose('Disclosures', 'Yes')
  await reader.send('Apply')
  await reader.says(/MORGAN STANLEY/)
  assert.ok((await reader.rows()) > 1)
})

question('What SpaceX was carried at, quarter by quarter', async (reader) => {
  await reader.find('SpaceX')
  await reader.open('SpaceX')
  // The sample has one quarter; a chart begins with two.
  await reader.open('Prices that funds put')
  await reader.says(/2026-03-31.*529\.1/)
})

question('Directors who left in one month', async (reader) => {
  await reader.open('Directors and officers')
  await reader.choose('Event', 'resigned')
  await reader.choose('From', '2025-12-01')
  await reader.choose('To', '2025-12-31')
  await reader.send('Apply')
  await reader.says(/Dina Powell McCormick, director, resigned/)
})

question('New ETFs and their fees', async (reader) => {
  await reader.open('New funds and ETFs')
  await reader.choose('Kind of fund', 'etf')
  await reader.send('Apply')
  await reader.open('Specimen Large Companies ETF')
  await reader.says(/Fees.*management.*0\.09%.*total.*0\.1%/i)
})

question('Brokers with a material weakness', async (reader) => {
  await reader.open('Broker-dealers')
  await reader.choose('Material weakness', 'Yes')
  await reader.send('Apply')
  await reader.says(/OpenFilings Specimen Securities LLC/)
  assert.equal(await reader.rows(), 1)
})

question('Which funds voted against management at a meeting', async (reader) => {
  await reader.find('SPECO')
  await reader.open('Proxy votes')
  await reader.choose('With or against management', 'against')
  await reader.send('Apply')
  await reader.says(/OpenFilings Specimen.*AGAINST/)
})

question('Who keeps the assets of an adviser', async (reader) => {
  await reader.find('OpenFilings Specimen Advisers')
  await reader.open(/^openfilings specimen advisers/i)
  await reader.says(/Custodians of private funds/)
})

question('What a brochure says about conflicts', async (reader) => {
  await reader.open('Text of brochures')
  await reader.choose('Search', 'conflict of interest')
  await reader.send('Search')
  await reader.says(/which is a conflict of interest/)
  await reader.open('FIRM BROCHURE')
  await reader.says(/which is a conflict of interest/)
})

// No offering of the sample was priced above its range.
question('How IPOs were priced against their range', async (reader) => {
  await reader.open('IPOs')
  await reader.choose('Stage', 'listed')
  await reader.send('Apply')
  const head = await reader.page.locator('.list-rows thead th').allTextContents()
  assert.ok(head.includes('Price and range'), head.join())
  await reader.says(/Reddit, Inc\..*within/)
})

question('Private placements above 50 million in one industry', async (reader) => {
  await reader.open('Private placements')
  await reader.choose('Industry', 'Pooled Investment Fund')
  await reader.choose('Amount at least', '50000000')
  await reader.send('Apply')
  await reader.says(/10H Capital Fund II, LP/)
  assert.equal(await reader.rows(), 1)
})

question('Everything that a filing says about the pay of its chief executive', async (reader) => {
  await reader.find('AAPL')
  await reader.open('0001308179-25-000008')
  await reader.says(/Mr\. Cook.*\$74,609,802/)
  await reader.open('Filing')
  await reader.find('Cook', '#inside')
  await reader.says(/Mr\. Cook/)
})
