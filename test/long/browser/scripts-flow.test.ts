import assert from 'node:assert/strict'
import { suite } from 'node:test'
import type { Locator } from 'playwright-core'
import { startBrowserStage } from '../../support/browser/browser-stage.ts'
import { test } from '../../support/browser/launch.ts'
import { type Hands, keyboard, mouse } from '../../support/browser/steps/hands.ts'
import { addStep, stepOf } from '../../support/browser/steps/pipelines.ts'
import { save } from '../../support/browser/steps/save.ts'

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
  const flaw = page.getByRole('list', { name: 'What is wrong' }).getByText('line 2')
  await flaw.waitFor().catch(async (cause) => {
    throw new Error(`not found: ${await page.getByRole('main').textContent()}`, { cause })
  })
  await page.locator('.cm-lintRange-error').waitFor()
  await write(script, mended)
  await press(page.getByRole('button', { name: 'Save' }))
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await press(page.getByRole('button', { name: 'Add a value' }))
  await write(page.getByRole('textbox', { name: 'Name of the value' }), 'name')
  await write(page.getByRole('textbox', { name: 'Value of name' }), 'Ann')
  await press(page.getByRole('button', { name: 'Run', exact: true }))
  await page.getByRole('cell', { name: '<img src=x>Ann' }).waitFor()
  await page.getByRole('list', { name: 'Log' }).getByText('asked').waitFor()
  await press(page.getByRole('link', { name: 'Tokens' }))
  await write(page.getByRole('textbox', { name: 'Token contents' }), '{"data": {"name": "Mei"}}')
  await press(page.getByRole('button', { name: 'Create a token' }))
  return (await page.locator('code', { hasText: /^v1\./ }).textContent())?.trim() ?? ''
}

const path = (value: string) => ({ type: 'path', value })
const literal = (value: unknown) => ({ type: 'literal', value })

/** What the forms are to make. */
const madeByForms = {
  type: 'pipeline',
  source: { type: 'targets' },
  cursors: [
    {
      type: 'filter',
      condition: {
        all: [
          {
            type: 'compare',
            left: path('row.fields.Email'),
            operator: 'endsWith',
            right: literal('@orchard.example'),
            exact: false,
          },
        ],
      },
    },
    { type: 'map', fields: { id: path('row.id'), email: path('row.fields.Email') }, keep: false },
    { type: 'limit', count: path('arguments.top'), offset: 0 },
  ],
  parameters: [{ name: 'top', type: 'number', required: false, default: 5, description: null }],
}

/** Makes a pipeline from nothing, looks at the rows of steps and of the whole, and saves it; answers its id. */
async function pipeline(by: Hands, name: string): Promise<string> {
  const { page, press, write, choose } = by
  await write(page.getByLabel('Name', { exact: true }), name)
  await press(page.getByRole('button', { name: 'Add an argument' }))
  await write(page.getByRole('textbox', { name: 'Name of the argument' }), 'top')
  await choose(page.getByRole('combobox', { name: 'Type of top' }), 'number')
  await write(page.getByRole('textbox', { name: 'Default of top' }), '5')
  await choose(page.getByRole('combobox', { name: 'Kind: Step 1' }), 'Keep some rows')
  const [first, second, third] = [1, 2, 3].map((place) => stepOf(by, place)) as [Locator, Locator, Locator]
  await write(first.getByRole('combobox', { name: 'Value to compare', exact: true }), 'row.fields.Email')
  await choose(first.getByRole('combobox', { name: 'Comparison' }), 'ends with')
  await write(first.getByRole('textbox', { name: 'Compared with', exact: true }), '@orchard.example')
  await addStep(by, 'Make new rows')
  await press(second.getByRole('button', { name: 'Add a member' }))
  await write(second.getByRole('textbox', { name: 'Name of the member' }).nth(1), 'email')
  await write(second.getByRole('combobox', { name: 'Value of email', exact: true }), 'row.fields.Email')
  await addStep(by, 'First rows')
  await choose(third.getByRole('combobox', { name: 'Rows: or an argument' }), 'arguments.top')
  await save(by)
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await press(second.getByRole('button', { name: 'Show rows: Step 2' }))
  await second.getByRole('cell', { name: 'ann@orchard.example', exact: true }).waitFor()
  await press(page.getByRole('button', { name: 'Preview' }))
  await page.getByText('Steps in the database: 3. Steps in memory: 0.').waitFor()
  return new URL(page.url()).pathname.split('/').at(-1) ?? ''
}

/** Moves, copies and removes steps, and takes all of it back. */
async function reordered(by: Hands): Promise<void> {
  const { page, press } = by
  await press(page.getByRole('button', { name: 'Move step 3 up' }))
  await stepOf(by, 2).getByRole('textbox', { name: 'Rows to skip' }).waitFor()
  await press(page.getByRole('button', { name: 'Copy step 1' }))
  await press(page.getByRole('button', { name: 'Remove step 2' }))
  for (let change = 0; change < 3; change++)
    await press(page.getByRole('button', { name: 'Undo', exact: true }).first())
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
}

suite('scripts in the console', () => {
  for (const [name, handsOf] of Object.entries({ mouse, keyboard }))
    test(`by ${name}, a webtask is written, its marked error fixed, and it is run and called with a token`, async () => {
      const { page, open, complaints, close } = await window()
      await open('/webtasks/new')
      const cipher = await webtask(handsOf(page), `By ${name}`)
      const id = new URL(page.url()).pathname.split('/').at(-1)
      const { body } = await call('POST', `/scripting/webtasks/${id}/execution`, { body: { cipher } })
      assert.deepEqual(body.value, [{ shown: '<img src=x>Mei' }])
      assert.deepEqual(complaints, [])
      await close()
    })

  for (const [name, handsOf] of Object.entries({ mouse, keyboard }))
    test(`by ${name}, a pipeline of three steps is built with forms, previewed step by step and saved as built`, async () => {
      const { page, open, complaints, close } = await window()
      await open('/compilables/new')
      const by = handsOf(page)
      const id = await pipeline(by, `Adults by ${name}`)
      assert.deepEqual((await call('GET', `/scripting/compilables/${id}`)).body.value, madeByForms)
      await reordered(by)
      assert.deepEqual((await call('GET', `/scripting/compilables/${id}`)).body.value, madeByForms)
      assert.deepEqual(complaints, [])
      await close()
    })
})
