import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import { startBrowserStage } from '../../support/browser/browser-stage.ts'
import { test } from '../../support/browser/launch.ts'
import { fillContacts } from '../../support/browser/many-contacts.ts'
import { eventually } from '../../support/wait.ts'

const browserStage = await startBrowserStage()
const { stage, url, window } = browserStage
const { call, context, own } = stage

suite('console', () => {
  test('contact values are shown as text, whatever they contain', async () => {
    const { page, open, complaints, close } = await window()
    await call('POST', '/fields', { body: { type: 'textArea', name: 'Notes' } })
    const notes = `<img src=x onerror="document.title='taken'"> "quoted" اسم ${'long '.repeat(1900)}`
    await call('POST', '/targets', { body: { Email: 'hostile@orchard.example', Notes: notes } })
    await open('/contacts')
    await page.getByText('<img src=x onerror=').waitFor()
    assert.equal(await page.locator('[role=row] img').count(), 0)
    assert.equal(await page.title(), 'Contacts · Stentor')
    assert.deepEqual(complaints, [])
    await close()
  })

  test('the color scheme follows the system until one is chosen', async () => {
    const { page, open, close } = await window({ scheme: 'dark' })
    await open('/')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    assert.equal(await page.locator('html').getAttribute('data-mantine-color-scheme'), 'dark')
    await page.evaluate(`localStorage.setItem('stentor.scheme', '"light"')`)
    await page.reload()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    assert.equal(await page.locator('html').getAttribute('data-mantine-color-scheme'), 'light')
    await close()
  })

  test('a read-only user sees nothing that would be refused', async () => {
    const { page, open, close } = await window({ role: 'viewer' })
    await open('/')
    await page.getByRole('heading', { name: 'Nothing has been sent yet' }).waitFor()
    assert.equal(await page.getByRole('heading', { name: 'First steps' }).count(), 0)
    await close()
  })

  test('a session that ends while a form is half filled loses nothing', async () => {
    const { page, open, close } = await window()
    await open('/set-up')
    await page.getByLabel('Name of the account').fill('Orchard and Sons')
    await context.db.deleteFrom('sessions').execute()
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has expired' })
    await dialog.getByLabel('Password', { exact: true }).fill(browserStage.password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText(/\d unsaved changes?/).waitFor({ state: 'detached' })
    const account = await context.db
      .selectFrom('accounts')
      .select('name')
      .where('id', '=', own.account)
      .executeTakeFirst()
    assert.equal(account?.name, 'Orchard and Sons')
    assert.equal(await page.getByLabel('Name of the account').inputValue(), 'Orchard and Sons')
    browserStage.forgetSessions()
    await close()
  })

  test('an abandoned draft is offered again', async () => {
    const { page, open, close } = await window()
    await open('/set-up?step=sender')
    await page.getByLabel('Sender name').fill('Orchard news')
    await eventually(async () => (await page.evaluate('JSON.stringify(localStorage)')) !== '{}' && (await kept(page)))
    page.on('dialog', (dialog) => dialog.accept())
    await open('/set-up?step=sender')
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    assert.equal(await page.getByLabel('Sender name').inputValue(), 'Orchard news')
    await close()
  })

  test('of two people saving the same settings, the second sees what changed and chooses', async () => {
    const { page, open, close } = await window()
    await open('/set-up?step=sender')
    await page.getByLabel('Sender name').fill('Mine')
    await page.getByLabel('Before the @').fill('hello')
    const profiles = [
      { name: 'News', channel: 'email', default: true, from: { label: 'Theirs', prefix: null, domain: null } },
    ]
    assert.equal((await call('PUT', '/settings/sending', { body: { profiles } })).status, 200)
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Someone else changed this' })
    await dialog.getByRole('cell', { name: 'Theirs' }).waitFor()
    await dialog.getByRole('cell', { name: 'Mine' }).waitFor()
    await dialog.getByRole('button', { name: 'Save my version' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(/\d unsaved changes/).waitFor({ state: 'detached' })
    const { body } = await call('GET', '/settings/sending')
    const own = body.profiles.find(
      (profile: { channel: string; default: boolean }) => profile.channel === 'email' && profile.default,
    )
    assert.deepEqual([own.from.label, own.from.prefix], ['Mine', 'hello'])
    await close()
  })

  test('20,000 contacts open, scroll to the middle and can be filtered', async () => {
    await fillContacts(stage, 20_000)
    const { page, open, close } = await window()
    await open('/contacts?sort=id')
    await page.getByText('person1@many.example', { exact: true }).waitFor()
    const table = page.getByRole('table')
    const box = table.locator('xpath=..')
    await box.evaluate((element: { scrollTop: number; scrollHeight: number }) => {
      element.scrollTop = element.scrollHeight / 2
    })
    await page
      .getByText(/^person(9[5-9]|10[0-5])\d{2,3}@many\.example$/)
      .first()
      .waitFor()
    await page.getByRole('searchbox', { name: 'Address, number or ID' }).fill('person19999@')
    await page.getByText('person19999@many.example', { exact: true }).waitFor()
    await page.getByText('1 row', { exact: true }).waitFor()
    assert.match(page.url(), /[?&]q=person19999/)
    await close()
  })

  test('rows can be navigated and opened with the keyboard', async () => {
    const { page, open, close } = await window()
    await open('/contacts?sort=id&q=person1999')
    await page.getByText('person1999@many.example', { exact: true }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    const first = page.getByRole('link', { name: 'person1999@many.example', exact: true })
    await eventually(() =>
      first.evaluate(
        (link: object) => link === (globalThis as { document?: { activeElement: object } }).document?.activeElement,
      ),
    )
    await page.keyboard.press('x')
    await page.getByText(/^1 of \d+ selected$/).waitFor()
    await page.keyboard.press('/')
    await eventually(() =>
      page.getByRole('searchbox').evaluate((field: { matches(selector: string): boolean }) => field.matches(':focus')),
    )
    await close()
  })

  test('a French screen contains no English', async () => {
    const { page, open, close } = await window({ locale: 'fr' })
    const english = await onlyEnglish()
    for (const path of [
      '/',
      '/contacts',
      '/set-up',
      '/set-up?step=sender',
      '/set-up?step=domain',
      '/set-up?step=gateway',
    ]) {
      await open(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      // biome-ignore lint/performance/useDomNodeTextContent: what people see, line by line.
      const lines = (await page.locator('body').innerText()).split('\n').map((line) => line.trim())
      assert.deepEqual(
        lines.filter((line) => english.has(line)),
        [],
        path,
      )
    }
    assert.match((await page.locator('html').getAttribute('lang')) ?? '', /^fr/)
    await close()
  })

  test('the search keeps what is typed while it loads, finds with a wrong letter, and creates', async () => {
    const { page, open, complaints, close } = await window()
    await page.route(/SearchDialog/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 400))
      await route.continue()
    })
    await open('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('segmnets')
    await page.getByRole('option', { name: 'Segments', exact: true }).waitFor()
    assert.equal(await page.getByRole('combobox').inputValue(), 'segmnets')
    await page.getByRole('combobox').fill('create a camp')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Name').waitFor()
    assert.match(page.url(), /\/messages$/)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('guessed addresses lead to their pages, and an unknown one says what to do', async () => {
    const { page, open, close } = await window()
    for (const [path, title] of [
      ['/applications', 'Applications'],
      ['/users', 'Users'],
      ['/templates', 'Designs'],
      ['/transactional', 'Messages on demand'],
    ] as const) {
      await open(path)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
    }
    await open('/nowhere/at/all')
    await page.getByRole('heading', { level: 1, name: 'This page does not exist' }).waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Search everything' }).click()
    await page.getByRole('combobox').waitFor()
    await close()
  })

  test('the page reports when the service is unreachable, and continues when it is back', async () => {
    const { page, open } = await window()
    await open('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Audience' }).first().click()
    await page.getByText('The service is not responding').waitFor()
    await page.context().setOffline(false)
    await page.getByText('The service is not responding').waitFor({ state: 'hidden' })
    await page.getByRole('row').nth(5).waitFor()
    await page.context().close()
  })

  test('no request leaves for the internet, and no built file contains an external address', async () => {
    const { page, open, close } = await window()
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).origin))
    await open('/contacts')
    await page.getByRole('row').nth(5).waitFor()
    assert.deepEqual([...hosts], [url])
    const builds = join(import.meta.dirname, '../../../node_modules/.stentor-console/')
    const hash = readFileSync(`${builds}current`, 'utf8')
    const led = globSync(`${builds}${hash}/**/*.{js,css,svg,html}`).flatMap(
      (file) => readFileSync(file, 'utf8').match(/https?:\/\/(?!www\.w3\.org\/|localhost)[\w.-]+\.\w+/g) ?? [],
    )
    assert.deepEqual(led, [])
    await close()
  })
})

/** Whether the page has kept a draft. */
async function kept(page: { evaluate(script: string): Promise<unknown> }): Promise<boolean> {
  return String(await page.evaluate('JSON.stringify(localStorage)')).includes('Orchard news')
}

/** Lines that are English and not French as well. */
async function onlyEnglish(): Promise<Set<string>> {
  const lines = new Set<string>()
  // A field of every account is called so.
  const names = ['Email']
  for (const file of globSync('console/**/en.ts')) {
    const [en, fr] = await Promise.all(
      [file, file.replace(/en\.ts$/, 'fr.ts')].map(async (name) => (await import(pathToFileURL(name).href)).default),
    )
    for (const [key, text] of Object.entries(en))
      if (typeof text === 'string' && text !== fr[key] && !names.includes(text) && !Object.values(fr).includes(text))
        lines.add(text)
  }
  return lines
}
