import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startBrowserStage } from './browser-stage.ts'
import { type Hands, keyboard, mouse } from './steps/hands.ts'

const { stage, window } = await startBrowserStage()
const { call } = stage
await stage.contact('ann@orchard.example')

const broken = 'export default ({ data }) => {\n  return {;\n}\n'
const mended = 'export default ({ data }) => { log("asked"); return [{ shown: "<img src=x>" + data.name }] }'

/** Writes a webtask with an error, mends it, runs it, and makes a token. */
async function webtask({ page, press, write }: Hands, name: string): Promise<string> {
  const script = page.getByRole('textbox', { name: 'Script', exact: true })
  await write(page.getByLabel('Name', { exact: true }), name)
  await write(script, broken)
  await press(page.getByRole('button', { name: 'Save' }))
  await page.getByRole('list', { name: 'What is wrong' }).getByText('line 2').waitFor()
  await page.locator('.cm-lintRange-error').waitFor()
  await write(script, mended)
  await press(page.getByRole('button', { name: 'Save' }))
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await write(page.getByRole('textbox', { name: 'Item' }), '{"data": {"name": "Ann"}}')
  await press(page.getByRole('button', { name: 'Run', exact: true }))
  await page.getByRole('cell', { name: '<img src=x>Ann' }).waitFor()
  await page.getByRole('list', { name: 'Log' }).getByText('asked').waitFor()
  await press(page.getByRole('link', { name: 'Tokens' }))
  await write(page.getByRole('textbox', { name: 'What it holds' }), '{"data": {"name": "Mei"}}')
  await press(page.getByRole('button', { name: 'Make a token' }))
  return (await page.locator('code', { hasText: /^v1\./ }).textContent())?.trim() ?? ''
}

suite('scripts in the console', () => {
  for (const [name, handsOf] of Object.entries({ mouse, keyboard }))
    test(`by ${name}, a webtask is written, its error seen at its line and mended, run, and called with a token`, async () => {
      const { page, open, complaints, context } = await window()
      await open('/webtasks/new')
      const cipher = await webtask(handsOf(page), `By ${name}`)
      const id = new URL(page.url()).pathname.split('/').at(-1)
      const { body } = await call('POST', `/scripting/webtasks/${id}/execution`, { body: { cipher } })
      assert.deepEqual(body.value, [{ shown: '<img src=x>Mei' }])
      assert.deepEqual(complaints, [])
      await context.close()
    })

  test('a pipeline is written, saved and previewed with its plan', async () => {
    const { page, open, complaints, context } = await window()
    await open('/compilables/new')
    await page.getByLabel('Name', { exact: true }).fill('Contacts')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('Steps in the database: 1. Steps in memory: 0.').waitFor()
    await page.getByRole('cell', { name: 'ann@orchard.example', exact: true }).waitFor()
    assert.deepEqual(complaints, [])
    await context.close()
  })
})
