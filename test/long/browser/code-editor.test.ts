import assert from 'node:assert/strict'
import { suite } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { startBrowserStage } from '../../support/browser/browser-stage.ts'
import { test } from '../../support/browser/launch.ts'
import type { Scheme } from '../../support/browser/windows.ts'

const { stage, window } = await startBrowserStage()
const { call } = stage

/** Violations of the policy of the page, as it would report them. */
const LISTEN = `self.violations = []
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => violations.push(violatedDirective + ' ' + blockedURI))`
const LEAST_CONTRAST = 4.5

const editorOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Script', exact: true })

/** The text as it is written. */
const textOf = (editor: Locator): Promise<string> =>
  editor.evaluate((element: { innerText: string }) => element.innerText.replaceAll('\u200b', ''))

/** Puts a text in the place of what is there, as from the clipboard. */
async function replace(page: Page, text: string): Promise<void> {
  await editorOf(page).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}

/** How much a text stands out from its ground, by WCAG. */
function contrastOf(colours: readonly string[]): number {
  const [one = 0, other = 0] = colours
    .map((colour) => {
      const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
        const share = Number(part) / 255
        return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    })
    .sort((left, right) => right - left)
  return (one + 0.05) / (other + 0.05)
}

suite('code editor', () => {
  test('typed code is completed, and the completion can be undone', async () => {
    const { page, open, complaints, close } = await window()
    await open('/webtasks/new')
    await replace(page, 'export default () => ')
    await page.keyboard.type('crypto.ha')
    await page.getByRole('option', { name: /crypto\.hash/ }).waitFor()
    // The list takes no key in its first 75 ms (interactionDelay of its library), that a key meant for the text chooses nothing.
    await delay(2 * 75)
    await page.keyboard.press('Enter')
    assert.match(await textOf(editorOf(page)), /^export default \(\) => crypto\.hash\s*$/)
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    assert.doesNotMatch(await textOf(editorOf(page)), /crypto\.hash/)
    await page.keyboard.press('Control+Shift+z')
    assert.deepEqual(complaints, [])
    await close()
  })

  test('an error is marked while typing, with its message for screen readers, and disappears when fixed', async () => {
    const { page, open, complaints, close } = await window()
    await open('/webtasks/new')
    await replace(page, 'export default () => {\n  return {;\n}\n')
    await page.locator('.cm-line:nth-child(2) .cm-lintRange-error').waitFor()
    const flaw = (
      await call('POST', '/scripting/webtasks/flaws', { body: { value: 'export default () => {\n  return {;\n}\n' } })
    ).body[0]
    const description = await editorOf(page).evaluate((element) => {
      const { ownerDocument } = element as unknown as {
        ownerDocument: { getElementById(id: string): { textContent: string } | null }
      }
      const ids = (element as unknown as { getAttribute(name: string): string })
        .getAttribute('aria-describedby')
        .split(' ')
      return ids.map((id) => ownerDocument.getElementById(id)?.textContent ?? `no ${id}`)
    })
    assert.deepEqual(description, [
      'Tab leaves the editor. Press Control M to indent with Tab, then Escape and Tab to leave.',
      `Line 2: ${flaw.message}`,
    ])
    assert.equal(await editorOf(page).getAttribute('aria-invalid'), 'true')
    await replace(page, 'export default () => 1\n')
    await page.locator('.cm-content[aria-invalid]').waitFor({ state: 'detached' })
    assert.equal(await page.locator('.cm-lintRange-error').count(), 0)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a command includes what was typed just before it', async () => {
    const id = (await call('POST', '/scripting/webtasks', { body: { name: 'Typed', value: 'export default () => 1' } }))
      .body.id
    const { page, open, complaints, close } = await window()
    await open(`/webtasks/${id}`)
    await editorOf(page).click()
    await page.keyboard.press('Control+End')
    // Keys one after the other in one task of the page: no pause is between the last letter and the command.
    await page.evaluate(`(() => {
      for (const letter of ' // ab') document.execCommand('insertText', false, letter)
    })()`)
    await page.keyboard.press('Control+s')
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
    assert.equal((await call('GET', `/scripting/webtasks/${id}`)).body.value, 'export default () => 1 // ab')
    await page.keyboard.type('c')
    await page.getByLabel('Name', { exact: true }).fill('Renamed')
    await page.keyboard.press('Control+s')
    await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
    assert.equal((await call('GET', `/scripting/webtasks/${id}`)).body.value, 'export default () => 1 // abc')
    assert.deepEqual(complaints, [])
    await close()
  })

  test('Tab leaves the editor, and where Tab indents, Escape and Tab leave it', async () => {
    const { page, open, close } = await window()
    await open('/webtasks/new')
    await replace(page, 'a')
    const isInside = (): Promise<boolean> =>
      editorOf(page).evaluate((element: { matches(selector: string): boolean }) => element.matches(':focus'))
    await page.keyboard.press('Tab')
    assert.equal(await isInside(), false)
    await page.keyboard.press('Shift+Tab')
    assert.equal(await isInside(), true)
    await page.keyboard.press('Control+m')
    await page.keyboard.press('Tab')
    assert.deepEqual([await isInside(), (await textOf(editorOf(page))).trimEnd()], [true, '  a'])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    assert.equal(await isInside(), false)
    await close()
  })

  test("the page's nonce admits the editor's styles, and the content security policy reports nothing", async () => {
    const { page, open, complaints } = await window()
    await page.addInitScript(LISTEN)
    await open('/webtasks/new')
    await replace(page, 'crypto.')
    await page.keyboard.type('h')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+f')
    await page.locator('.cm-search').waitFor()
    const hasNonce =
      'document.querySelectorAll("style").values().filter((one) => one.sheet && !one.nonce).toArray().length'
    assert.equal(await page.evaluate(hasNonce), 0)
    assert.deepEqual([await page.evaluate('violations'), complaints], [[], []])
    await page.context().close()
  })

  for (const scheme of ['light', 'dark'] satisfies Scheme[])
    test(`the text is readable in the ${scheme} scheme`, async () => {
      const { page, open, close } = await window({ scheme })
      await open('/webtasks/new')
      await replace(page, '// apples\nconst pears = "12" + 34\n')
      await page.locator('.cm-line span').first().waitFor()
      const found = (await page.evaluate(`(() => {
        const box = getComputedStyle(document.querySelector('.cm-editor').closest('[style*="--code-least"]')).backgroundColor
        return [...document.querySelectorAll('.cm-content, .cm-line span')].map((one) => [getComputedStyle(one).color, box])
      })()`)) as [string, string][]
      assert.ok(found.length > 3)
      for (const pair of found) assert.ok(contrastOf(pair) >= LEAST_CONTRAST, pair.join(' on '))
      await close()
    })
})
