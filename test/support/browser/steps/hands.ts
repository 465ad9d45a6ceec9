import type { Locator, Page } from 'playwright-core'

/** A file as a person has it. */
export interface FileInHand {
  name: string
  type: string
  content: Buffer
}

/** How somebody uses a page: one way each, so that a flow is written once. */
export interface Hands {
  page: Page
  press(target: Locator): Promise<void>
  write(target: Locator, text: string): Promise<void>
  /** One of the choices of a field that offers some. */
  choose(field: Locator, choice: string): Promise<void>
  /** One of some that exclude each other. */
  pick(radio: Locator): Promise<void>
  /** Gives a file to a place that takes dropped ones; `button` is its other way. */
  give(place: Locator, button: Locator, file: FileInHand): Promise<void>
}

/** Files that come to a place by an event, in its middle. */
export async function give(place: Locator, event: 'dragover' | 'drop' | 'paste', files: readonly FileInHand[]) {
  const box = await place.boundingBox()
  const at = { clientX: box!.x + box!.width / 2, clientY: box!.y + box!.height / 2 }
  const given = files.map(({ name, type, content }) => ({ name, type, base64: content.toString('base64') }))
  const made = await place.page().evaluateHandle(
    `((files, at, type) => {
      const data = new DataTransfer()
      for (const { name, type, base64 } of files)
        data.items.add(new File([Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))], name, { type }))
      const shared = { bubbles: true, cancelable: true }
      return type === 'paste'
        ? new ClipboardEvent(type, { ...shared, clipboardData: data })
        : new DragEvent(type, { ...shared, ...at, dataTransfer: data })
    })(${[given, at, event].map((one) => JSON.stringify(one)).join(', ')})`,
  )
  await place.evaluate(
    (element: { dispatchEvent(event: unknown): void }, happening) => element.dispatchEvent(happening),
    made as never,
  )
}

/** By mouse: fields are clicked and typed into, files dropped. */
export function mouse(page: Page): Hands {
  return {
    page,
    press: (target) => target.click(),
    write: async (target, text) => {
      await target.click()
      // A field of a number puts the cursor where it may be a moment after a press, which would undo the selection of what is replaced.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
      await target.fill(text)
    },
    choose: async (field, choice) => {
      await field.click()
      await page.getByRole('option', { name: choice, exact: true }).click()
    },
    pick: (radio) => radio.click(),
    give: async (place, _, file) => {
      for (const event of ['dragover', 'drop'] as const) await give(place, event, [file])
    },
  }
}

const MOST_ATTEMPTS = 4
const ATTEMPT_MS = 5000
const MOST_STEPS = 150

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element: { matches(selector: string): boolean }) => element.matches(':focus'))

/** Walks with Tab until a target has the focus. */
async function walkTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let step = 0; step < MOST_STEPS; step++) {
    if (await hasFocus(target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`not reached by Tab: ${target}`)
}

/** Walks with Tab into the group of a radio, then by arrows, which choose as they go. */
async function walkToRadio(page: Page, radio: Locator): Promise<void> {
  await radio.waitFor()
  const group = await radio.getAttribute('name')
  const isIn = () => page.evaluate(`document.activeElement?.getAttribute('name') === ${JSON.stringify(group)}`)
  for (let step = 0; step < MOST_STEPS && !(await isIn()); step++) await page.keyboard.press('Tab')
  for (let step = 0; step < MOST_STEPS; step++) {
    if (await hasFocus(radio)) return page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`not reached by arrows: ${radio}`)
}

/** By keyboard alone: Tab leads there, and what is chosen is walked to with arrows. */
export function keyboard(page: Page): Hands {
  return {
    page,
    press: async (target) => {
      await walkTo(page, target)
      const isBox = await target.evaluate((element: { matches(selector: string): boolean }) =>
        element.matches('input[type=checkbox]'),
      )
      await page.keyboard.press(isBox ? 'Space' : 'Enter')
    },
    write: async (target, text) => {
      await walkTo(page, target)
      await page.keyboard.press('Control+a')
      await page.keyboard.type(text)
    },
    choose: async (field, choice) => {
      await walkTo(page, field)
      await page.keyboard.press('ArrowDown')
      const option = page.getByRole('option', { name: choice, exact: true })
      await option.waitFor()
      for (let step = 0; step < MOST_STEPS; step++) {
        if ((await option.getAttribute('data-combobox-selected')) !== null) return page.keyboard.press('Enter')
        await page.keyboard.press('ArrowDown')
      }
      throw new Error(`not reached by arrows: ${choice}`)
    },
    pick: (radio) => walkToRadio(page, radio),
    give: async (_, button, { name, type, content }) => {
      // A key that comes while the page is drawn anew is lost, and pressed again.
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        await walkTo(page, button)
        const asked = page.waitForEvent('filechooser', { timeout: ATTEMPT_MS }).catch(() => undefined)
        await page.keyboard.press('Enter')
        const chooser = await asked
        if (chooser) return chooser.setFiles({ name, mimeType: type, buffer: content })
      }
      throw new Error('no file was asked for')
    },
  }
}
