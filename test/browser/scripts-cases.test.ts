import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startBrowserStage } from './browser-stage.ts'
import { stepOf } from './steps/pipelines.ts'

const { stage, window } = await startBrowserStage()
const { call } = stage

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

suite('scripts in the console: cases', () => {
  test('case 5: names, rows and results with markup are text', async () => {
    const id = await compilable(HOSTILE)
    const { page, open, complaints, context } = await window()
    await open(`/compilables/${id}`)
    const source = stepOf({ page }, 0)
    await source.getByRole('button', { name: /^Show rows/ }).click()
    await source.getByRole('cell', { name: HOSTILE, exact: true }).waitFor()
    assert.equal(await source.getByRole('textbox', { name: 'name, row 1' }).inputValue(), HOSTILE)
    await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor()
    assert.match(await page.title(), /^<img src=x/)
    assert.equal(await page.locator('img[src=x]').count(), 0)
    assert.deepEqual(complaints, [])
    await context.close()
  })
})
