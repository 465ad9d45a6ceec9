import type { ElementHandle, Locator, Page } from 'playwright-core'

/** A file as a person has it. */
export interface FileInHand {
  name: string
  type: string
  content: Buffer
}

/** One way to use a page, by pointer or by keyboard, so that a flow is written once. */
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
  const encoded = files.map(({ name, type, content }) => ({ name, type, base64: content.toString('base64') }))
  const happening = await place.page().evaluateHandle(
    `((files, at, type) => {
      const data = new DataTransfer()
      for (const { name, type, base64 } of files)
        data.items.add(new File([Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))], name, { type }))
      const shared = { bubbles: true, cancelable: true }
      return type === 'paste'
        ? new ClipboardEvent(type, { ...shared, clipboardData: data })
        : new DragEvent(type, { ...shared, ...at, dataTransfer: data })
    })(${[encoded, at, event].map((one) => JSON.stringify(one)).join(', ')})`,
  )
  await place.evaluate(
    (element: { dispatchEvent(event: unknown): void }, happening) => element.dispatchEvent(happening),
    happening as never,
  )
}

/** The members of elements that are used here; their types belong to the browser. */
interface Element {
  matches(selector: string): boolean
  addEventListener(type: string, listener: () => void, options: object): void
  value?: string
  textContent: string
  querySelector(selector: string): unknown
  isPressed?: boolean
  isConnected: boolean
}

const MOST_ATTEMPTS = 4
const ATTEMPT_MS = 5000
const MOST_STEPS = 150

/** Resolves once the page has drawn what it knows, and what waited for that has run. */
const drawn = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')

/** Repeats an act until it has worked: while a page is redrawn or moves, the act may be lost or reach another element. */
async function untilSo(act: () => Promise<void>, isSo: () => Promise<boolean>, wish: string): Promise<void> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    await act()
    if (await isSo()) return
  }
  throw new Error(`${wish}: not after ${MOST_ATTEMPTS} attempts`)
}

/** Presses until the press has come to the target itself, as an event of this type. */
async function pressUntilHeard(target: Locator, type: 'click' | 'keydown', press: () => Promise<void>): Promise<void> {
  let isHeard: () => Promise<boolean> = async () => false
  const act = async (): Promise<void> => {
    const element = await target.elementHandle()
    await element!.evaluate((one, awaited) => {
      const pressed = one as unknown as Element
      pressed.isPressed = false
      pressed.addEventListener(awaited, () => (pressed.isPressed = true), { capture: true, once: true })
    }, type)
    await press()
    // When the press has opened another document, the element no longer exists.
    isHeard = () => element!.evaluate((one) => (one as unknown as Element).isPressed === true).catch(() => true)
  }
  await untilSo(act, () => isHeard(), `press ${target}`)
}

/** Letters and digits: editors add brackets. Of a number its digits alone: fields add marks and units. */
const essence = (text: string, isNumber: boolean): string =>
  text.replaceAll(isNumber ? /\P{N}/gu : /[^\p{L}\p{N}]/gu, '')

const textOf = (target: Locator): Promise<string> =>
  target.evaluate((element: Element) => element.value ?? element.textContent)

/** Writes in the place of what is there, until that is what the field holds once the page has been drawn. */
async function writeUntilHeld(target: Locator, text: string, write: () => Promise<void>): Promise<void> {
  const isHeld = async (): Promise<boolean> => {
    await drawn(target.page())
    const isNumber = /^\d+$/.test(text)
    return essence(await textOf(target), isNumber) === essence(text, isNumber)
  }
  await untilSo(write, isHeld, `write into ${target}`)
}

/** Resolves with whether a target is in a state within the time of an attempt. */
const becomes = (target: Locator, state: 'visible' | 'hidden'): Promise<boolean> =>
  target.waitFor({ state, timeout: ATTEMPT_MS }).then(
    () => true,
    () => false,
  )

/** A list of one choice closes once there is one; in a list of several it is marked. */
const isChosen = (option: Locator): Promise<boolean> =>
  becomes(option.and(option.page().locator(':not([data-checked])')), 'hidden')

/** Opens a field until it offers a choice. */
async function openUntilOffered(open: () => Promise<void>, option: Locator): Promise<void> {
  await untilSo(open, () => becomes(option, 'visible'), `open for ${option}`)
}

/** By mouse: fields are clicked and typed into, files dropped. */
export function mouse(page: Page): Hands {
  const press = (target: Locator): Promise<void> => pressUntilHeard(target, 'click', () => target.click())
  return {
    page,
    press,
    write: (target, text) =>
      writeUntilHeld(target, text, async () => {
        await target.click()
        // A field of a number puts the cursor where it may be a moment after a press, which would undo the selection of what is replaced.
        await drawn(page)
        await target.fill(text)
      }),
    choose: async (field, choice) => {
      const option = page.getByRole('option', { name: choice, exact: true })
      await openUntilOffered(() => press(field), option)
      await press(option)
    },
    pick: press,
    give: async (place, _, file) => {
      for (const event of ['dragover', 'drop'] as const) await give(place, event, [file])
    },
  }
}

const hasFocus = (target: Locator): Promise<boolean> => target.evaluate((element: Element) => element.matches(':focus'))

/** Resolves with whether typed keys would replace the whole content of a field. */
const isSelected = (target: Locator): Promise<boolean> =>
  target.evaluate((element: Element & { selectionStart?: number; selectionEnd?: number }) => {
    if (!element.matches(':focus')) return false
    const { value, selectionStart, selectionEnd } = element
    // What an address or a time has selected cannot be read.
    if (value !== undefined && typeof selectionStart !== 'number') return true
    if (value !== undefined) return selectionStart === 0 && selectionEnd === value.length
    const isEmpty = element.querySelector('.cm-placeholder') !== null
    const { document } = globalThis as unknown as { document: { getSelection(): object } }
    const selected = String(document.getSelection()).replaceAll(/\s/g, '')
    return isEmpty || selected === element.textContent.replaceAll(/\s/g, '')
  })

/** Walks with Tab, in a menu by arrows, until a target has the focus. It is looked for again only when it has left the page, as finding it takes longest. */
async function walkTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  const isInMenu = await target.evaluate((element: Element) => element.matches('[role=menuitem]'))
  let element: ElementHandle | null = null
  for (let step = 0; step < MOST_STEPS; step++) {
    element ??= await target.elementHandle()
    const { hasFocus, isThere } = await element!.evaluate((one) => {
      const { isConnected: isThere } = one as unknown as Element
      return { isThere, hasFocus: (one as unknown as Element).matches(':focus') }
    })
    if (hasFocus) return
    if (!isThere) element = null
    await page.keyboard.press(isInMenu ? 'ArrowDown' : 'Tab')
  }
  throw new Error(`not reached: ${target}`)
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
    press: (target) =>
      pressUntilHeard(target, 'keydown', async () => {
        await walkTo(page, target)
        const isBox = await target.evaluate((element: Element) => element.matches('input[type=checkbox]'))
        await page.keyboard.press(isBox ? 'Space' : 'Enter')
      }),
    write: (target, text) =>
      writeUntilHeld(target, text, async () => {
        const select = async (): Promise<void> => {
          await walkTo(page, target)
          await page.keyboard.press('Control+a')
          await drawn(page)
        }
        await untilSo(select, () => isSelected(target), `select all of ${target}`)
        await page.keyboard.type(text)
      }),
    choose: async (field, choice) => {
      const option = page.getByRole('option', { name: choice, exact: true })
      const open = async (): Promise<void> => {
        await walkTo(page, field)
        await page.keyboard.press('ArrowDown')
      }
      const choose = async (): Promise<void> => {
        await openUntilOffered(open, option)
        for (let step = 0; step < MOST_STEPS; step++) {
          if ((await option.getAttribute('data-combobox-selected')) !== null) return page.keyboard.press('Enter')
          await page.keyboard.press('ArrowDown')
        }
        throw new Error(`not reached by arrows: ${choice}`)
      }
      // A list that is drawn again between the last two keys forgets what was walked to.
      await untilSo(choose, () => isChosen(option), `choose ${choice}`)
    },
    pick: (radio) => walkToRadio(page, radio),
    give: async (_, button, { name, type, content }) => {
      // A key that arrives while the page is redrawn is lost, and pressed again.
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        await walkTo(page, button)
        const offer = page.waitForEvent('filechooser', { timeout: ATTEMPT_MS }).catch(() => undefined)
        await page.keyboard.press('Enter')
        const chooser = await offer
        if (chooser) return chooser.setFiles({ name, mimeType: type, buffer: content })
      }
      throw new Error('no file was asked for')
    },
  }
}
