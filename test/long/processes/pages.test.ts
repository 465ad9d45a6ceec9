import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { type LinkTokenKind, type MessageLinkToken, signLinkToken } from '../../../src/lib/crypto/tokens.ts'
import {
  type Browser,
  type BrowserPage,
  browserIsMissing,
  findBrowser,
  startBrowser,
  type View,
} from '../../fakes/web/browser.ts'
import { type Stage, startStage } from '../../support/stages/stage.ts'

/** Set to a folder, the tests leave pictures of the pages there. */
const PICTURES = process.env['STENTOR_TEST_PICTURES']

const executable = findBrowser()
const PHONE: View = { width: 320, height: 640, scripts: false }
const DESKTOP: View = { width: 1280, height: 800, scripts: false }

/** The contrast of a text with its background (WCAG 2.2, 1.4.3), of each element that has text. */
const CONTRASTS = `(() => {
  const parts = (color) => color.match(/[\\d.]+/g).map(Number)
  const light = (color) => {
    const [r, g, b] = parts(color).map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const background = (element) => {
    const { backgroundColor } = getComputedStyle(element)
    const isClear = parts(backgroundColor)[3] === 0
    return isClear && element.parentElement ? background(element.parentElement) : backgroundColor
  }
  const texts = [...document.querySelectorAll('body *')].filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  return texts.map((element) => {
    const [a, b] = [light(getComputedStyle(element).color), light(background(element))].sort((x, y) => y - x)
    return (a + 0.05) / (b + 0.05)
  })
})()`

interface Shown {
  lang: string
  title: string
  headings: string[]
  /** Fields that have no label, and images without a text. */
  nameless: number
  scripts: number
  width: number
  background: string
}

const SHOWN = `({
  lang: document.documentElement.lang,
  title: document.title,
  headings: [...document.querySelectorAll('h1')].map((heading) => heading.textContent),
  nameless: [...document.querySelectorAll('input:not([type=hidden]), select, textarea')].filter((field) => !field.labels.length).length,
  scripts: document.scripts.length,
  width: document.documentElement.scrollWidth,
  background: getComputedStyle(document.querySelector('main')).backgroundColor,
})`

/** A stage that listens on the loopback, with one message that was sent, and a browser. */
interface Show {
  stage: Stage
  browser: Browser
  url: string
  /** Sends a message of this culture; gives what makes its addresses. */
  send(
    culture: string,
    html?: string,
  ): Promise<{ contact: string; address(kind: LinkTokenKind, link?: number): string }>
}

let named = 0

async function startShow(found: string): Promise<Show> {
  const stage = await startStage()
  const { app, call, context } = stage
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const browser = await startBrowser(found)
  after(() => browser.close())
  await call('POST', '/fields', { body: { type: 'textField', name: 'Firstname' } })

  const letters: Partial<Record<LinkTokenKind, string>> = { unsubscribe: 'u', mirror: 'm', redirection: 'r', form: 'f' }
  async function send(culture: string, html = '<html><body><p>Dear {{ contact.Firstname }}</p></body></html>') {
    const to = `ann${++named}@shop.example`
    const contact = await stage.contact(to, { Firstname: 'Ann' })
    const action = await stage.validated(
      await stage.action({ content: { subject: 'Our doors open', html }, settings: { culture } }),
    )
    const { status, text } = await call('POST', `/actions/${action}/execution`, {
      body: { recipient: { type: 'id', value: contact } },
    })
    assert.equal(status, 200, text)
    await stage.settle()
    const { rows } = await context.pool.query(
      'select account, source_kind as "sourceKind", source, version, contact, stamp from sent_messages where address = $1',
      [to],
    )
    const token: Omit<MessageLinkToken, 'kind'> = { ...rows[0], link: 0, test: false, silent: false }
    return {
      contact,
      address: (kind: LinkTokenKind, link = 0) =>
        `${url}/t/${letters[kind]}/${signLinkToken(context.tokens, { ...token, kind, link })}`,
    }
  }
  return { stage, browser, url, send }
}

/** A form with a control of every kind; gives its id, and that of its first field. */
async function makeForm({ stage: { call } }: Show): Promise<{ id: string; first: number }> {
  const made = async (path: string, body: object) => (await call('POST', path, { body })).body
  const list = await made('/valueLists', {
    name: 'Drinks',
    values: [{ value: 'Tea' }, { value: 'Coffee' }, { value: 'Milk' }],
  })
  const types = [
    { type: 'textField', label: { en: 'First name', fr: 'Prénom' } },
    { type: 'email', label: { en: 'Other e-mail address', fr: 'Autre adresse e-mail' } },
    { type: 'phone', label: { en: 'Telephone', fr: 'Téléphone' } },
    { type: 'date', label: { en: 'Birthday', fr: 'Date de naissance' } },
    { type: 'numeric', label: { en: 'Children at home', fr: 'Enfants à la maison' } },
    { type: 'singleSelectList', label: { en: 'Drink of the morning', fr: 'Boisson du matin' }, valueListId: list.id },
    { type: 'multipleSelectList', label: { en: 'Drinks you like', fr: 'Boissons préférées' }, valueListId: list.id },
    { type: 'textArea', label: { en: 'Anything else?', fr: 'Autre chose ?' } },
  ]
  const fields: { field: number; label: object; required: boolean; prefill: boolean }[] = []
  for (const [n, { label, ...type }] of types.entries()) {
    const { id } = await made('/fields', { ...type, name: `Asked ${n}` })
    fields.push({ field: id, label, required: n === 0, prefill: true })
  }
  const { id } = await made('/forms', {
    name: 'Survey',
    title: { en: 'Tell us about you', fr: 'Parlez-nous de vous' },
    introduction: {
      en: 'Eight short questions, and our letters will suit you better.',
      fr: 'Huit questions, pour des lettres qui vous ressemblent.',
    },
    submitLabel: { en: 'Send my answers', fr: 'Envoyer mes réponses' },
    successMessage: { en: 'Thank you, we noted it all.', fr: 'Merci, tout est noté.' },
    fields,
  })
  return { id, first: fields[0]?.field ?? 0 }
}

/** What must hold of every page that is ours, at any size and in any light. */
async function checkPage(page: BrowserPage, { width }: View, lang: string): Promise<Shown> {
  const shown = await page.evaluate<Shown>(SHOWN)
  assert.equal(shown.lang, lang)
  assert.equal(shown.headings.length, 1)
  assert.notEqual(shown.title, '')
  assert.deepEqual([shown.nameless, shown.scripts], [0, 0])
  assert.ok(shown.width <= width, `${shown.width} pixels wide on ${width}`)
  assert.notEqual(shown.background, 'rgba(0, 0, 0, 0)', 'the style is in force')
  for (const contrast of await page.evaluate<number[]>(CONTRASTS)) assert.ok(contrast >= 4.5, `contrast ${contrast}`)
  return shown
}

async function picture(page: BrowserPage, name: string): Promise<void> {
  if (PICTURES !== undefined) await page.screenshot(join(PICTURES, `${name}.png`))
}

async function redListed({ stage }: Show, contact: string): Promise<boolean> {
  const { body } = await stage.call('GET', '/targets/redlist/mail')
  return body.some(({ id }: { id: string }) => id === contact)
}

suite('recipient pages in a browser', async () => {
  if (executable === undefined) return void test('all pages are shown by Chromium', { skip: browserIsMissing() })
  const show = await startShow(executable)
  const { browser, send, stage, url } = show

  for (const [culture, lang, question, done] of [
    ['en-GB', 'en', 'Unsubscribe', 'You are unsubscribed'],
    ['fr-FR', 'fr', 'Se désinscrire', 'Désinscription enregistrée'],
  ] as const) {
    test(`a recipient unsubscribes by keyboard, without scripts (${lang})`, async () => {
      const { contact, address } = await send(culture)
      const page = await browser.open(address('unsubscribe'), PHONE)
      const asked = await checkPage(page, PHONE, lang)
      assert.deepEqual(asked.headings, [question])
      assert.match(asked.title, /ACME001$/)
      await picture(page, `ask-${lang}-phone`)
      await page.press('Tab')
      assert.equal(await page.evaluate('document.activeElement.tagName'), 'BUTTON')
      assert.equal(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'solid')
      await picture(page, `ask-${lang}-focus`)
      assert.equal(await redListed(show, contact), false)
      await page.press('Enter')
      assert.deepEqual((await checkPage(page, PHONE, lang)).headings, [done])
      assert.equal(await redListed(show, contact), true)
      await picture(page, `done-${lang}-phone`)
      assert.deepEqual([...new Set(page.requests)], [address('unsubscribe')])
      assert.deepEqual(page.complaints, [])
    })
  }

  test('pages work on a wide screen and in dark mode', async () => {
    const { address } = await send('en-GB')
    for (const dark of [false, true]) {
      for (const [name, target] of [
        ['ask', address('unsubscribe')],
        ['not-found', `${url}/t/r/nothing`],
        ['preview', `${url}/t/preview`],
      ] as const) {
        const page = await browser.open(target, { ...DESKTOP, dark })
        await checkPage(page, DESKTOP, 'en')
        await picture(page, `${name}-${dark ? 'dark' : 'light'}`)
      }
    }
  })

  const form = await makeForm(show)
  for (const [culture, lang, heading, fault, done] of [
    ['de-DE', 'en', 'Tell us about you', 'This answer is required.', 'Thank you, we noted it all.'],
    ['fr-FR', 'fr', 'Parlez-nous de vous', 'Cette réponse est obligatoire.', 'Merci, tout est noté.'],
  ] as const) {
    test(`a form is answered by keyboard, without scripts, on any screen (${lang})`, async () => {
      const { contact, address } = await send(culture, `<a href="${form.id}" linktype="Form">x</a>`)
      const url = address('form', 1)
      for (const [size, view] of [
        ['phone', PHONE],
        ['desktop', DESKTOP],
        ['dark', { ...DESKTOP, dark: true }],
      ] as const) {
        const shown = await browser.open(url, view)
        assert.deepEqual((await checkPage(shown, view, lang)).headings, [heading])
        await picture(shown, `form-${lang}-${size}`)
      }
      const page = await browser.open(url, PHONE)
      await page.press('Tab')
      assert.equal(await page.evaluate('document.activeElement.name'), String(form.first))
      // The browser itself asks for the answer; a page that is older than the form does not.
      await page.evaluate('document.activeElement.required = false')
      await page.press('Enter')
      await checkPage(page, PHONE, lang)
      assert.equal(await page.evaluate('document.querySelector("p.fault[id]").textContent'), fault)
      await picture(page, `form-${lang}-faulty`)
      await page.evaluate(`document.getElementById('f${form.first}').value = 'Zoé'`)
      await page.evaluate(`document.getElementById('f${form.first}').focus()`)
      await page.press('Enter')
      await checkPage(page, PHONE, lang)
      assert.equal(await page.evaluate('document.querySelector("main p").textContent'), done)
      await picture(page, `form-${lang}-done`)
      const { body } = await stage.call('GET', `/targets/${contact}`)
      assert.equal(body.fields[form.first], 'Zoé')
      // The icon of a date's control is the browser's own.
      assert.deepEqual([...new Set(page.requests.filter((request) => !request.startsWith('data:')))], [url])
    })
  }

  test('a mirror page shows the message and runs none of its scripts', async () => {
    const html = `<html><head><title>Doors</title><style>p{color:#123456}</style></head>
<body style="font-family:sans-serif"><p>Dear {{ contact.Firstname }}</p>
<script>document.title = 'run'</script><img src="nothing" onerror="document.title = 'run'" alt="">
<a href="https://shop.example/">Come in</a> <a href="Unsubscribe">Leave</a></body></html>`
    const { address } = await send('en-GB', html)
    const page = await browser.open(address('mirror'), { ...DESKTOP, scripts: true })
    assert.equal(await page.evaluate('document.title'), 'Doors')
    assert.equal(await page.evaluate('document.querySelector("p").textContent'), 'Dear Ann')
    assert.equal(await page.evaluate('getComputedStyle(document.querySelector("p")).color'), 'rgb(18, 52, 86)')
    assert.ok(page.requests.every((request) => request.startsWith(url)))
    await picture(page, 'mirror')
  })
})
