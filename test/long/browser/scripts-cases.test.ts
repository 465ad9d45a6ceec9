import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, suite } from 'node:test'
import type { Page } from 'playwright-core'
import { startBrowserStage } from '../../support/browser/browser-stage.ts'
import { test } from '../../support/browser/launch.ts'
import { stepOf } from '../../support/browser/steps/pipelines.ts'
import { eventually } from '../../support/wait.ts'

/** A server that scripts call: it answers when it is told to. */
const asked: Promise<void>[] = []
const server = createServer((_, response) => void asked.shift()?.then(() => response.end('{}')))
await once(server.listen(0, 'localhost'), 'listening')
after(() => {
  server.closeAllConnections()
  server.close()
})
const host = `localhost:${(server.address() as AddressInfo).port}`
const browserStage = await startBrowserStage(async () => ({ STENTOR_OUTGOING_ALLOW: host }))
const { stage, window } = browserStage
const { call, context: service } = stage

const HOSTILE = '<img src=x onerror="document.title=\'taken\'"> "quoted" ‮اسم'
const pipeline = {
  type: 'pipeline',
  source: { type: 'inline', rows: [{ name: HOSTILE }] },
  cursors: [{ type: 'limit', count: { type: 'path', value: 'arguments.top' } }],
  parameters: [{ name: 'top', type: 'number', default: 2 }],
}

async function compilable(name: string): Promise<string> {
  return (await call('POST', '/scripting/compilables', { body: { name, value: pipeline } })).body.id
}

async function webtask(value: string, more: object = {}): Promise<string> {
  const answer = await call('POST', '/scripting/webtasks', { body: { name: 'Points', value, ...more } })
  assert.equal(answer.status, 200, answer.text)
  return String(answer.body.id)
}

const storedScript = async (id: string) => (await call('GET', `/scripting/webtasks/${id}`)).body.value
const storedTop = async (id: string) =>
  (await call('GET', `/scripting/compilables/${id}`)).body.value.parameters[0].default

/** Writes the whole of a script anew. */
const write = (page: Page, text: string) => page.getByRole('textbox', { name: 'Script', exact: true }).fill(text)

/** Saves where the session is over, and signs in again. */
async function saveAndSignIn(page: Page): Promise<void> {
  await service.db.deleteFrom('sessions').execute()
  browserStage.forgetSessions()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Your session has expired' })
  await dialog.getByLabel('Password', { exact: true }).fill(browserStage.password)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  // A session may be cached for a moment, so that what was saved says nothing about the sign-in.
  await dialog.waitFor({ state: 'detached' })
  await untilSaved(page)
}

const untilSaved = (page: Page) =>
  page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })

/** Saves over what somebody else stored meanwhile; both are shown. */
async function saveOver(page: Page, theirs: string, mine: string): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('cell', { name: theirs }).first().waitFor()
  await dialog.getByRole('cell', { name: mine }).first().waitFor()
  await dialog.getByRole('button', { name: 'Save my version' }).click()
  await untilSaved(page)
}

suite('scripts in the console: edge cases', () => {
  test('names, rows and results that contain markup are shown as text', async () => {
    const id = await compilable(HOSTILE)
    const { page, open, complaints, close } = await window()
    await open(`/compilables/${id}`)
    const source = stepOf({ page }, 0)
    await source.getByRole('button', { name: /^Show rows/ }).click()
    await source.getByRole('cell', { name: HOSTILE, exact: true }).waitFor()
    assert.equal(await source.getByRole('textbox', { name: 'name, row 1' }).inputValue(), HOSTILE)
    await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor()
    assert.match(await page.title(), /^<img src=x/)
    assert.equal(await page.locator('img[src=x]').count(), 0)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a viewer can read and run a webtask and a pipeline, and sees nothing that would be refused', async () => {
    const value = 'export default ({ data }) => [{ hello: data.name }]'
    const paths = {
      run: `/webtasks/${await webtask(value)}`,
      granted: `/webtasks/${await webtask(value, { scripting: { environment: { capabilities: ['targets.write'] } } })}`,
      pipeline: `/compilables/${await compilable('Read')}`,
    }
    const { page, open, complaints, close } = await window({ role: 'viewer' })
    const refused: string[] = []
    page.on('response', (answer) => answer.status() === 403 && refused.push(answer.url()))
    const changing = [
      /^Save/,
      /^Add (?!a value|a variable)/,
      /^Remove (?!name)/,
      /^Move/,
      /^Copy step/,
      /^Undo/,
      'More actions',
    ]
    const looked = async (): Promise<void> => {
      await page.waitForLoadState('networkidle')
      for (const name of changing) assert.equal(await page.getByRole('button', { name }).count(), 0, String(name))
      assert.equal(await page.getByLabel('Name', { exact: true }).first().getAttribute('readonly'), '')
    }
    await open(paths.run)
    await page.getByRole('button', { name: 'Add a value' }).click()
    await page.getByRole('textbox', { name: 'Name of the value' }).fill('name')
    await page.getByRole('textbox', { name: 'Value of name' }).fill('Ann')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('cell', { name: 'Ann', exact: true }).waitFor()
    await looked()
    assert.equal(await page.getByRole('link', { name: 'Tokens' }).count(), 0)
    await open(paths.granted)
    await page.getByText('It requires capabilities that you do not have').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Run', exact: true }).count(), 0)
    await looked()
    await open(paths.pipeline)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('cell', { name: HOSTILE, exact: true }).first().waitFor()
    await looked()
    for (const list of ['/webtasks', '/compilables']) {
      await open(list)
      await page.getByRole('row').nth(1).waitFor()
      assert.equal(await page.getByRole('link', { name: /^New / }).count(), 0)
    }
    assert.deepEqual([refused, complaints], [[], []])
    await close()
  })

  test('a session that ends while a webtask or a pipeline is written loses nothing', async () => {
    const ids = { webtask: await webtask('export default () => 1'), pipeline: await compilable('Kept') }
    const { page, open, close } = await window()
    await open(`/webtasks/${ids.webtask}`)
    await write(page, 'export default () => "kept"')
    await saveAndSignIn(page)
    assert.equal(await storedScript(ids.webtask), 'export default () => "kept"')
    await open(`/compilables/${ids.pipeline}`)
    await page.getByRole('textbox', { name: 'Default of top' }).fill('41')
    await saveAndSignIn(page)
    assert.equal(await storedTop(ids.pipeline), 41)
    await close()
  })

  test('of two people editing one webtask or pipeline, the second sees both versions and chooses', async () => {
    const ids = { webtask: await webtask('export default () => 1'), pipeline: await compilable('Shared') }
    const { page, open, close } = await window()
    await open(`/webtasks/${ids.webtask}`)
    await write(page, 'export default () => "mine"')
    const theirs = { value: 'export default () => "theirs"' }
    assert.equal((await call('PUT', `/scripting/webtasks/${ids.webtask}`, { body: theirs })).status, 200)
    await saveOver(page, 'export default () => "theirs"', 'export default () => "mine"')
    assert.equal(await storedScript(ids.webtask), 'export default () => "mine"')
    await open(`/compilables/${ids.pipeline}`)
    await page.getByLabel('Name', { exact: true }).fill('Mine')
    const named = { body: { name: 'Theirs' } }
    assert.equal((await call('PUT', `/scripting/compilables/${ids.pipeline}`, named)).status, 200)
    await saveOver(page, 'Theirs', 'Mine')
    assert.equal((await call('GET', `/scripting/compilables/${ids.pipeline}`)).body.name, 'Mine')
    await close()
  })
})

suite('script runs in the console', () => {
  test('show the lines of the log while the script runs', async () => {
    const held = Promise.withResolvers<void>()
    asked.push(held.promise)
    const source = `export default async () => { log('before'); await http.fetch('http://${host}/'); log('behind'); return 1 }`
    const environment = { capabilities: ['http.fetch'], http: { allow: [`http://${host}`] } }
    const id = await webtask(source, { scripting: { environment } })
    const { page, open, complaints, close } = await window()
    await open(`/webtasks/${id}`)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const log = page.getByRole('list', { name: 'Log' })
    await log.getByText('before').waitFor()
    await page.getByRole('status').getByText('running').waitFor()
    assert.equal(await log.getByText('behind').count(), 0)
    held.resolve()
    await log.getByText('behind').waitFor()
    await page.getByRole('status').getByText('succeeded').waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('accept fields or JSON as arguments, mark errors at their place and remember the arguments', async () => {
    const ann = await stage.contact('ann@orchard.example')
    const id = await webtask(
      'export default (i) => [{ who: i.contact?.id, n: i.data.n, e: i.event?.kind, v: i.variables.v }]',
    )
    const { page, open, complaints, close } = await window()
    await open(`/webtasks/${id}`)
    await page.getByRole('combobox', { name: 'Contact' }).fill('ann@orchard')
    await page.getByRole('option', { name: 'ann@orchard.example' }).click()
    await page.getByRole('button', { name: 'Add a value' }).click()
    await page.getByRole('textbox', { name: 'Name of the value' }).fill('n')
    await page.getByRole('textbox', { name: 'Value of n' }).fill('12')
    await page.getByRole('button', { name: 'Add a variable' }).click()
    await page.getByRole('textbox', { name: 'Name of the value' }).nth(1).fill('v')
    await page.getByRole('textbox', { name: 'Value of v' }).fill('"12"')
    await page.getByText('JSON', { exact: true }).click()
    const editor = page.getByRole('textbox', { name: 'Input' })
    const given = { data: { n: 12 }, receiver: { type: 'id', value: ann }, variables: [{ key: 'v', value: '12' }] }
    // biome-ignore lint/performance/useDomNodeTextContent: lines of an editor are no text of the document.
    assert.deepEqual(JSON.parse(await editor.innerText()), given)

    const run = page.getByRole('button', { name: 'Run', exact: true })
    await editor.fill('{"data": {"n": 13')
    await page.getByText('This is not valid JSON').waitFor()
    assert.equal(await run.isDisabled(), true)
    await page.getByText('Fields', { exact: true }).click()
    assert.equal(await page.getByRole('textbox', { name: 'Value of n' }).inputValue(), '12')
    await page.getByText('JSON', { exact: true }).click()
    await page.getByText('This is not valid JSON').waitFor()

    await editor.fill(JSON.stringify({ ...given, event: 'click' }, null, 2))
    await run.click()
    await page.locator('.cm-lintRange-error', { hasText: 'click' }).waitFor()
    await editor.fill(JSON.stringify({ ...given, event: { kind: 'click' } }))
    await run.click()
    await page.getByRole('cell', { name: ann, exact: true }).waitFor()
    await page.getByRole('cell', { name: 'click', exact: true }).waitFor()

    await open(`/webtasks/${id}`)
    await page.getByRole('textbox', { name: 'Input' }).waitFor()
    await page.getByText('Fields', { exact: true }).click()
    await page.getByText('The JSON also has: event.').waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Value of v' }).inputValue(), '"12"')
    const contact = page.getByRole('combobox', { name: 'Contact' })
    await eventually(async () => (await contact.inputValue()) === 'ann@orchard.example')
    await run.click()
    await page.getByRole('cell', { name: 'click', exact: true }).waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test("accept fields or JSON as the arguments of a pipeline's preview", async () => {
    const id = await compilable('Previewed')
    const { page, open, complaints, close } = await window()
    await open(`/compilables/${id}`)
    await page.getByLabel('top', { exact: true }).fill('1')
    await page.getByText('JSON', { exact: true }).click()
    const editor = page.getByRole('textbox', { name: 'Arguments' })
    // biome-ignore lint/performance/useDomNodeTextContent: lines of an editor are no text of the document.
    assert.deepEqual(JSON.parse(await editor.innerText()), { top: 1 })
    await editor.fill('{"top": "many"}')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.locator('.cm-lintRange-error').waitFor()
    await editor.fill('{"top": 3}')
    await page.getByText('Fields', { exact: true }).click()
    assert.equal(await page.getByLabel('top', { exact: true }).inputValue(), '3')
    assert.deepEqual(complaints, [])
    await close()
  })
})
